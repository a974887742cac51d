import {
  createBroker,
  createNodeHost,
  createSession,
  type Prompts,
  type Provider,
  settingsSchema,
  systemClock,
} from '../../../src/agent/index.ts';
import type { Session } from '../../../src/agent/session/session.ts';

const nobody: Prompts = {
  permission: async () => ({ decision: 'deny', scope: 'once', by: 'user' }),
  review: async () => ({ decision: 'reject' }),
  question: async () => undefined,
};

/** Is never asked for anything. */
const silent: Provider = {
  id: 'anthropic',
  stream: () => {
    throw new Error('No request was expected.');
  },
  countTokens: async () => 0,
  listModels: async () => [],
};

/** A session as a window opens it, with what its page gets. */
export async function openSession(stateDirectory: string, id: string): Promise<Session> {
  const session = await createSession(
    {
      ...{ host: createNodeHost({ prompts: nobody, mayStart: () => false }), broker: createBroker(nobody) },
      ...{ provider: silent, workspace: { roots: [stateDirectory], isTrusted: false } },
      ...{ settings: () => settingsSchema.parse({}), stateDirectory, clock: systemClock, log: () => undefined },
    },
    id,
  );
  JSON.stringify(session.snapshot());
  return session;
}
