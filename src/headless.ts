/** The agent from the command line: events as JSON lines, the last one of type `result`. */
import { homedir } from 'node:os';
import {
  type AgentEvent,
  builtInTools,
  createAnthropicProvider,
  createBroker,
  createDemoProvider,
  createNodeHost,
  createRedactor,
  createSession,
  type DefinitionSet,
  definitionFolders,
  describeProblem,
  forkSession,
  loadDefinitions,
  type Provider,
  type Redactor,
  type Session,
  type Settings,
  skillFolders,
  systemClock,
  type TurnResult,
  type Workspace,
} from './agent/index.ts';
import { type RunArguments, readArguments, UsageError, usage } from './headless/arguments.ts';
import { printAudit } from './headless/audit.ts';
import { createLines } from './headless/lines.ts';
import { createFlagPrompts } from './headless/prompts.ts';

const exitCodes = { completed: 0, failed: 1, limit_reached: 3, stopped: 130 } as const;
const badInput = 2;
const print = createLines((text) => process.stdout.write(text));

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  try {
    if (argv[0] === 'audit') {
      await printAudit(argv.slice(1));
      return 0;
    }
    const parsed = await readArguments(argv);
    if (parsed === 'help') {
      console.log(usage);
      return 0;
    }
    for (const warning of parsed.warnings) console.error(warning);
    return await runOnce(parsed);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return badInput;
  }
}

async function runOnce(run: RunArguments): Promise<number> {
  const session = await open(run);
  let last: AgentEvent | undefined;
  session.subscribe((event) => {
    last = event;
    print(event);
  });
  const stop = () => session.stop();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  process.stdout.on('error', stop);
  const first = await session.send(run.prompt);
  // Background agents may still work, and wake the lead.
  const result = (await session.settled()) ?? first;
  await session.close().catch((error: unknown) => console.error(String(error)));
  await printResult(session, result, last);
  return exitCodes[result.status];
}

async function open(run: RunArguments): Promise<Session> {
  const prompts = createFlagPrompts(run.answer);
  const workspace = { roots: [run.workspace], isTrusted: run.isTrusted };
  const found = await readDefinitions(workspace, run.agents);
  try {
    return await createSession(
      {
        host: createNodeHost({ prompts, mayStart: () => workspace.isTrusted }),
        broker: createBroker(prompts),
        provider: createProvider(run.settings),
        workspace,
        settings: () => run.settings,
        definitions: () => found.definitions,
        definitionProblems: () => found.problems,
        skills: () => found.skills,
        stateDirectory: run.stateDirectory,
        configured: run.configured,
        redactor: knownSecrets(),
        clock: systemClock,
        log: (text) => console.error(text),
      },
      await sessionToResume(run),
    );
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function sessionToResume({ resume, forkAt, stateDirectory }: RunArguments): Promise<string | undefined> {
  if (resume === undefined || forkAt === undefined) return resume;
  const point = forkAt === 0 ? { turn: 1, side: 'before' as const } : { turn: forkAt, side: 'after' as const };
  return forkSession({ stateDirectory, clock: systemClock }, resume, point, new AbortController().signal);
}

async function readDefinitions(workspace: Workspace, extra: string | undefined): Promise<DefinitionSet> {
  const folders = definitionFolders({ workspace, home: homedir(), extra });
  const skills = skillFolders({ workspace, home: homedir() });
  const found = await loadDefinitions(folders, builtInTools, new AbortController().signal, skills);
  for (const problem of found.problems) console.error(describeProblem(problem));
  return found;
}

/** No answer, file or log shows them, wherever an agent comes upon them. */
function knownSecrets(): Redactor {
  const redactor = createRedactor();
  redactor.learn(process.env.ANTHROPIC_API_KEY);
  redactor.learn(process.env.ANTHROPIC_AUTH_TOKEN);
  return redactor;
}

function createProvider({ provider, baseUrl }: Settings): Provider {
  if (provider === 'demo') return createDemoProvider({ clock: systemClock, paceMs: 0 });
  // A server of one's own may want no key; the client library insists on one.
  return createAnthropicProvider({ baseUrl, apiKey: async () => process.env.ANTHROPIC_API_KEY || 'none' });
}

async function printResult(session: Session, result: TurnResult, last: AgentEvent | undefined): Promise<void> {
  const { status, text, error } = result;
  const { usage, cost } = session.spent;
  print({
    type: 'result',
    session: session.id,
    agent: 'lead',
    parent: null,
    seq: (last?.seq ?? 0) + 1,
    time: systemClock.now(),
    status,
    text,
    usage,
    cost: cost ?? null,
    ...(error !== undefined && { error }),
  });
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
}
