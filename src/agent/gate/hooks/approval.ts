import { createHash } from 'node:crypto';
import type { Agent } from '../../loop/agent.ts';
import type { Mode } from '../../settings.ts';
import type { Broker } from '../asking/broker.ts';
import type { Question } from '../asking/question.ts';
import type { SessionAnswer } from '../asking/sessionAnswers.ts';
import type { Notify } from './callHooks.ts';
import type { FileHooks } from './configuration.ts';

/** Contents that the user has approved for good, by their hashes. Kept outside of every repository. */
export interface ApprovalMemory {
  has(hash: string): Promise<boolean>;
  /** @param approved with where it stands and what it runs, for people */
  add(approved: { readonly hash: string; readonly file: string; readonly text: string }): Promise<void>;
}

/** `later`: nobody has answered; the question comes again. */
export type Approval = 'approved' | 'declined' | 'later';

export type ApprovalRequest = {
  readonly brought: readonly FileHooks[];
  /** One line, e.g. `Run the hooks of this repository`. */
  readonly title: string;
  readonly reason: string;
  readonly directory: string;
  readonly agent: Agent;
};

export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** Names what is approved in the question, since the answer holds as long as that stays as it is. */
const lasting = 'these hooks, until they change';

/** Bound to the place and to everything that stands there. */
export function hashOf({ file, written }: FileHooks): string {
  return createHash('sha256')
    .update(JSON.stringify([file, written]))
    .digest('hex');
}

export type ApprovalParts = {
  readonly broker: Pick<Broker, 'ask' | 'answers'>;
  readonly session: string;
  readonly memory: ApprovalMemory;
  readonly notify: Notify;
  readonly mode: () => Mode;
};

export function createApproval({ broker, session, memory, notify, mode }: ApprovalParts): Approve {
  /** In this session, by what was asked about. What is approved holds as long as its answer does. */
  const settled = new Map<string, 'declined' | SessionAnswer>();

  async function unknownOf(brought: readonly FileHooks[]): Promise<readonly FileHooks[]> {
    const known = await Promise.all(brought.map((one) => memory.has(hashOf(one))));
    return brought.filter((_, index) => !known[index]);
  }

  return async ({ brought, agent, title, reason, directory }, signal) => {
    const unknown = await unknownOf(brought);
    if (unknown.length === 0) return 'approved';
    const key = unknown.map(hashOf).join(' ');
    const before = settled.get(key);
    if (before === 'declined') return before;
    if (before && broker.answers.has(session, before)) return 'approved';
    notify(agent, 'permission_prompt', `${agent.identity.name} asks: ${title}`);
    const question: Question = {
      ...{ agent, title, reason, directory, tool: 'Hooks', call: '', rule: lasting, canRemember: true },
      detail: describe(unknown),
      recheck: async () =>
        (await unknownOf(unknown)).length === 0 ? { decision: 'allow', scope: 'once', by: 'rule' } : undefined,
      async remember(asked, { scope }) {
        if (scope === 'session') {
          settled.set(key, asked);
          broker.answers.add(session, asked);
        } else {
          for (const one of unknown)
            await memory.add({ hash: hashOf(one), file: one.file, text: linesOf(one).join('\n') });
        }
      },
      explain: async () => ({ verdict: 'ask', by: 'hook', reason, mode: mode(), parts: [], offers: [] }),
    };
    const { decision, by } = await broker.ask(question, signal);
    if (decision === 'allow') return 'approved';
    if (by === 'stopped' || by === 'dismissed') return 'later';
    settled.set(key, 'declined');
    return 'declined';
  };
}

/** Every command, whole. */
function describe(brought: readonly FileHooks[]): string {
  return brought.map((one) => [one.file, ...linesOf(one)].join('\n')).join('\n\n');
}

function linesOf({ hooks }: FileHooks): readonly string[] {
  return hooks.map(({ event, matcher, action }) => {
    const about = matcher === undefined || matcher === '' ? event : `${event} ${matcher}`;
    return `${about}: ${action.kind === 'command' ? action.command : `${action.text} (cannot be run: ${action.problem})`}`;
  });
}
