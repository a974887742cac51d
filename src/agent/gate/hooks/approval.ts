import { createHash, randomUUID } from 'node:crypto';
import type { PermissionAnswer, Prompts } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import { reveal } from '../reveal.ts';
import type { Notify } from './callHooks.ts';
import type { FileHooks } from './configuration.ts';

/** Contents that the user has approved for good, by their hashes. Kept outside of every repository. */
export interface ApprovalMemory {
  has(hash: string): Promise<boolean>;
  add(hash: string): Promise<void>;
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

export function createApproval(prompts: Pick<Prompts, 'permission'>, memory: ApprovalMemory, notify: Notify): Approve {
  /** In this session. */
  const settled = new Map<string, Approval>();
  const asking = new Map<string, Promise<Approval>>();

  async function ask(key: string, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
    const { agent, brought, ...shown } = request;
    const question = { call: '', tool: 'Hooks', ...shown, detail: reveal(describe(brought)), rule: lasting };
    const ask = randomUUID();
    const { id, name: agentName } = agent.identity;
    agent.emit({ type: 'permission-ask', ask, agentName, ...question });
    agent.emit({ type: 'agent-status', activity: 'waiting_user', detail: request.title });
    notify(agent, 'permission_prompt', `${agentName} asks: ${request.title}`);
    const given = await prompts
      .permission({ id: ask, agent: id, agentName, ...question }, signal)
      .catch((): PermissionAnswer => ({ decision: 'deny', scope: 'once', by: 'dismissed' }));
    const answer: PermissionAnswer = signal.aborted ? { decision: 'deny', scope: 'once', by: 'stopped' } : given;
    agent.emit({ type: 'permission-answer', ask, call: '', ...answer });
    agent.emit({ type: 'agent-status', activity: 'running' });
    if (answer.by === 'stopped' || answer.by === 'dismissed') return 'later';
    if (answer.decision === 'deny') settled.set(key, 'declined');
    else if (answer.scope === 'session') settled.set(key, 'approved');
    else if (answer.scope !== 'once') for (const one of brought) await memory.add(hashOf(one));
    return answer.decision === 'deny' ? 'declined' : 'approved';
  }

  return async (request, signal) => {
    const known = await Promise.all(request.brought.map((one) => memory.has(hashOf(one))));
    const brought = request.brought.filter((_, index) => !known[index]);
    if (brought.length === 0) return 'approved';
    const key = brought.map(hashOf).join(' ');
    for (;;) {
      const before = settled.get(key);
      if (before !== undefined) return before;
      if (signal.aborted) return 'later';
      const other = asking.get(key);
      if (other === undefined) break;
      // Several agents of one file: one question.
      const answer = await other;
      if (answer !== 'later') return answer;
    }
    const own = ask(key, { ...request, brought }, signal).finally(() => asking.delete(key));
    asking.set(key, own);
    return own;
  };
}

/** Every command, whole. */
function describe(brought: readonly FileHooks[]): string {
  return brought
    .map(({ file, hooks }) => {
      const lines = hooks.map(({ event, matcher, action }) => {
        const about = matcher === undefined || matcher === '' ? event : `${event} ${matcher}`;
        return `${about}: ${action.kind === 'command' ? action.command : `${action.text} (cannot be run: ${action.problem})`}`;
      });
      return [file, ...lines].join('\n');
    })
    .join('\n\n');
}
