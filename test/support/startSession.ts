import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type AgentEvent,
  type Broker,
  createAnthropicProvider,
  createBroker,
  createNodeHost,
  createSession,
  type Host,
  type Prompts,
  type Session,
  type SessionDependencies,
  settingsSchema,
  systemClock,
} from '../../src/agent/index.ts';
import { type Script, type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from './scriptedModel.ts';
import { writeFiles } from './writeFiles.ts';

export type StartedSession = {
  readonly session: Session;
  readonly model: ScriptedModel;
  readonly workspace: string;
  readonly state: string;
  /** Of all sessions on these folders. */
  readonly broker: Broker;
  /** Every event, transient ones too. */
  readonly events: AgentEvent[];
  /** Another session on the same folders, e.g. the same one after a restart. */
  reopen(id?: string): Promise<Session>;
};

export type StartOptions = {
  readonly script?: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly prompts?: Partial<Prompts>;
  /** A function is asked again and again. */
  readonly isTrusted?: boolean | (() => boolean);
  readonly web?: Host['web'];
  readonly apiKey?: string;
  readonly log?: (text: string) => void;
} & Pick<ScriptedModelOptions, 'models' | 'counting' | 'titles'> &
  Pick<
    SessionDependencies,
    'isNamedByModel' | 'definitions' | 'definitionProblems' | 'skills' | 'registeredHooks' | 'redactor'
  >;

/** A user who allows and accepts everything, unless told otherwise. */
const agreeable: Prompts = {
  permission: async () => ({ decision: 'allow', scope: 'once', by: 'user' }),
  review: async ({ after }) => ({ decision: 'accept', text: after }),
  question: async () => undefined,
};

/** A real session on a temporary folder; only the model and the user are scripted. Cleaned up when the test ends. */
export async function startSession(options: StartOptions = {}): Promise<StartedSession> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-')));
  const workspace = join(root, 'workspace');
  const state = join(root, 'state');
  await mkdir(workspace);
  await writeFiles(workspace, options.files ?? {});
  const { script, models, counting, titles } = options;
  const model = await startScriptedModel({
    ...(script && { script }),
    ...(models && { models }),
    ...(titles && { titles }),
    ...(counting && { counting }),
  });
  const prompts = { ...agreeable, ...options.prompts };
  const broker = createBroker(prompts);
  const dependencies = dependenciesOf(options, { workspace, state, modelUrl: model.url, prompts, broker });
  const sessions: Session[] = [];
  const events: AgentEvent[] = [];

  async function reopen(id?: string): Promise<Session> {
    const session = await createSession(dependencies, id);
    session.subscribe((event) => events.push(event));
    sessions.push(session);
    return session;
  }

  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await model.close();
    await rm(root, { recursive: true, force: true });
  });
  return { session: await reopen(), model, workspace, state, broker, events, reopen };
}

function dependenciesOf(
  options: StartOptions,
  given: {
    readonly workspace: string;
    readonly state: string;
    readonly modelUrl: string;
    readonly prompts: Prompts;
    readonly broker: Broker;
  },
): SessionDependencies {
  const { prompts, broker, modelUrl } = given;
  const { isTrusted: trust = true, web, apiKey = 'test-key' } = options;
  const { registeredHooks, definitions, skills, definitionProblems, redactor } = options;
  const isTrusted = typeof trust === 'function' ? trust : () => trust;
  const settings = settingsSchema.parse({ model: 'claude-sonnet-5-5', ...options.settings });
  return {
    broker,
    host: createNodeHost({ prompts, mayStart: isTrusted, ...(web && { web }) }),
    provider: createAnthropicProvider({ baseUrl: modelUrl, apiKey: async () => apiKey }),
    workspace: {
      roots: [given.workspace],
      get isTrusted() {
        return isTrusted();
      },
    },
    settings: () => settings,
    ...(registeredHooks && { registeredHooks }),
    ...(definitions && { definitions }),
    ...(skills && { skills }),
    ...(definitionProblems && { definitionProblems }),
    ...(redactor && { redactor }),
    isNamedByModel: options.isNamedByModel ?? false,
    stateDirectory: given.state,
    clock: systemClock,
    log: options.log ?? (() => undefined),
  };
}

/** The events of one type, narrowed. */
export function ofType<Type extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: Type,
): readonly Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}
