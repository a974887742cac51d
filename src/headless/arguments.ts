import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeSettingsProblem, modes, readSettings, type Settings, settingsSchema } from '../agent/index.ts';

/** A command line that cannot be carried out; the message is one line that says what to do. */
export class UsageError extends Error {}

export type RunArguments = {
  /** Real path. */
  readonly workspace: string;
  readonly prompt: string;
  readonly settings: Settings;
  /** What had to be changed in them, one line each. */
  readonly warnings: readonly string[];
  readonly stateDirectory: string;
  readonly answer: 'allow' | 'deny' | undefined;
  readonly resume: string | undefined;
  /** The last turn that the run keeps of that session; it goes on in a branch. */
  readonly forkAt: number | undefined;
  readonly isTrusted: boolean;
  /** A folder of agent definitions. */
  readonly agents: string | undefined;
  /** What the run was set up from; absolute. */
  readonly configured: readonly string[];
};

export const usage = `node dist/headless.js run --workspace DIR --prompt TEXT [options]

  --workspace DIR       the folder to work in
  --prompt TEXT         what to do
  --provider NAME       anthropic (default) or demo (offline, no key)
  --model ID            a model id, or opus, sonnet, haiku
  --model-url URL       a server that speaks the Messages API
  --mode MODE           ${modes.join(', ')}
  --answer allow|deny   answers every permission question and proposed edit (default: deny)
  --state DIR           where sessions are kept (default: ~/.offshoot)
  --settings FILE       JSON with settings, e.g. {"agents.maxConcurrent": 4}
  --agents DIR          a folder of agent definitions (markdown with front matter)
  --resume SESSION      goes on with a session of the state folder
  --fork-at TURN        with --resume: goes on behind that turn, in a branch; 0 starts anew
  --untrusted           treats the workspace as not trusted

Prints events as JSON lines, the last one of type result. The key comes from ANTHROPIC_API_KEY.
Exit codes: 0 completed, 1 failed, 2 bad input, 3 limit reached, 130 stopped.

node dist/headless.js audit prints what the gate decided in earlier sessions (see audit --help).`;

const options = {
  workspace: { type: 'string' },
  prompt: { type: 'string' },
  'model-url': { type: 'string' },
  model: { type: 'string' },
  mode: { type: 'string' },
  answer: { type: 'string' },
  state: { type: 'string' },
  settings: { type: 'string' },
  agents: { type: 'string' },
  resume: { type: 'string' },
  'fork-at': { type: 'string' },
  provider: { type: 'string' },
  untrusted: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/**
 * @returns `help` when the user asked for it
 * @throws UsageError
 */
export async function readArguments(argv: readonly string[]): Promise<RunArguments | 'help'> {
  const { values, positionals } = parse(argv);
  if (values.help || positionals[0] === 'help') return 'help';
  const [command, ...words] = positionals;
  if (command === 'run' && words.length > 0) {
    throw new UsageError(`${JSON.stringify(words[0])} belongs to no option. Put a prompt of several words in quotes.`);
  }
  if (command !== 'run') {
    throw new UsageError('Say what to do: node dist/headless.js run --workspace DIR --prompt TEXT (or --help).');
  }
  if (values.workspace === undefined) throw new UsageError('Name the folder to work in: --workspace DIR.');
  if (!values.prompt?.trim()) throw new UsageError('Say what to do in it: --prompt TEXT.');
  const { answer } = values;
  if (answer !== undefined && answer !== 'allow' && answer !== 'deny') {
    throw new UsageError(`--answer is allow or deny, not ${JSON.stringify(answer)}.`);
  }
  const { settings, warnings } = await settingsFrom(values);
  if (settings.provider === 'anthropic' && settings.baseUrl === '' && !process.env.ANTHROPIC_API_KEY) {
    throw new UsageError('Set ANTHROPIC_API_KEY, or name a server with --model-url, or try --provider demo.');
  }
  const agents = values.agents === undefined ? undefined : await readDirectory(values.agents, '--agents');
  return {
    workspace: await readDirectory(values.workspace, '--workspace'),
    prompt: values.prompt,
    settings,
    warnings,
    stateDirectory: resolve(values.state ?? join(homedir(), '.offshoot')),
    answer,
    resume: values.resume,
    forkAt: readTurn(values['fork-at'], values.resume),
    isTrusted: !values.untrusted,
    agents,
    configured: [values.settings, agents].filter((path) => path !== undefined).map((path) => resolve(path)),
  };
}

function readTurn(value: string | undefined, resume: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (resume === undefined) throw new UsageError('Name the session to branch from: --resume SESSION --fork-at TURN.');
  if (!/^\d{1,6}$/.test(value))
    throw new UsageError(`--fork-at is the number of a turn, not ${JSON.stringify(value)}.`);
  return Number(value);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\.?(?:\n|\. |$)/);
    throw new UsageError(`${sentence}. See node dist/headless.js --help.`);
  }
}

async function readDirectory(directory: string, flag: string): Promise<string> {
  try {
    const path = await realpath(resolve(directory));
    if ((await stat(path)).isDirectory()) return path;
  } catch (cause) {
    throw new UsageError(`There is no folder ${directory}. Name one that exists with ${flag}.`, { cause });
  }
  throw new UsageError(`${directory} is a file. Name a folder with ${flag}.`);
}

type Flags = {
  readonly settings?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: string | undefined;
  readonly 'model-url'?: string | undefined;
};

/**
 * The file, with flags in the place of its values. Numbers out of range are moved into it.
 * @throws UsageError for a value of the wrong kind
 */
async function settingsFrom(
  flags: Flags,
): Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }> {
  const fromFile = flags.settings === undefined ? {} : await readSettingsFile(flags.settings);
  const fromFlags = Object.entries({
    provider: flags.provider,
    baseUrl: flags['model-url'],
    model: flags.model,
    'permissions.mode': flags.mode,
  }).filter(([, value]) => value !== undefined);
  const raw = { ...fromFile, ...Object.fromEntries(fromFlags) };
  const { settings, problems } = readSettings(raw);
  const wrong = problems.find(({ kind }) => kind === 'type');
  if (wrong?.kind === 'type') {
    const value = JSON.stringify(wrong.value);
    throw new UsageError(`The value ${value} of ${wrong.key} cannot be used: ${wrong.expected} is wanted.`);
  }
  const { baseUrl } = settings;
  if (baseUrl !== '' && !(/^https?:/.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new UsageError(`A server has an address such as http://127.0.0.1:8080, not ${JSON.stringify(baseUrl)}.`);
  }
  const unknown = Object.keys(raw).filter((key) => !Object.hasOwn(settingsSchema.shape, key));
  return {
    settings,
    warnings: [
      ...problems.map(describeSettingsProblem),
      ...unknown.map((key) => `There is no setting ${key}; it is passed over.`),
    ],
  };
}

async function readSettingsFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new UsageError(`The settings file ${file} cannot be read: ${reason}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`The settings file ${file} must hold a JSON object, e.g. {"agents.maxConcurrent": 4}.`);
  }
  return Object.fromEntries(Object.entries(value).map(([key, setting]) => [key.replace(/^offshoot\./, ''), setting]));
}
