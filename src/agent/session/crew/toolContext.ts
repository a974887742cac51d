import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { applyEdit } from '../../changes/edits.ts';
import type { Grant } from '../../gate/gate.ts';
import type { PathResolver } from '../../gate/places/paths.ts';
import type { Host, Workspace } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import type { ReachedLimit } from '../../loop/limits.ts';
import type { Artifacts } from '../../store/artifacts.ts';
import type { ToolContext } from '../../tools/tool.ts';

type Shared = {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  readonly artifacts: Artifacts;
  /** Told before a file is written by an edit. */
  readonly onWrite: (path: string) => void;
};

/** What one call of one agent may use. */
export function createToolContext(
  shared: Shared,
  agent: Agent,
  call: string,
  grant: Grant,
  signal: AbortSignal,
): ToolContext {
  const { artifacts, onWrite } = shared;
  const host = agent.ground?.worktree ? withinWorktree(shared.host, agent.ground.worktree.path) : shared.host;
  const { workspace, paths } = agent.ground ?? shared;
  const isProposed = grant.edits === 'propose';
  return {
    signal,
    call,
    host,
    workspace,
    paths,
    reads: agent.reads,
    ...(grant.isHidden && { isHidden: grant.isHidden }),
    artifactPath: (extension) => artifacts.path(extension),
    progress: (text) => agent.emit({ type: 'tool-progress', call, text }),
    applyEdit: (path, before, after) =>
      applyEdit({ host, paths, isProposed, onWrite }, { agent, call, path, before, after }, signal),
    askUser: (question, options) => askUser(host, agent, question, options, signal),
  };
}

/** Where its `.git` is gone, git looks for no other repository in the folders above. */
function withinWorktree(host: Host, path: string): Host {
  const environment = { GIT_CEILING_DIRECTORIES: dirname(path) };
  return { ...host, shell: { run: (request, signal) => host.shell.run({ ...request, environment }, signal) } };
}

const grantMore = 'Grant as much again';
const answerNow = 'Answer with what is there';

/** Whether the user lets an agent go on over a limit; no when nobody is there. */
export async function askForMore(host: Host, agent: Agent, limit: ReachedLimit, signal: AbortSignal): Promise<boolean> {
  const question = `${limit.text} Shall ${agent.identity.name} go on?`;
  return (await askUser(host, agent, question, [grantMore, answerNow], signal)) === grantMore;
}

async function askUser(
  host: Host,
  agent: Agent,
  text: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const id = randomUUID();
  agent.emit({ type: 'question-ask', question: id, text, options });
  agent.emit({ type: 'agent-status', activity: 'waiting_user', detail: 'Question' });
  const { id: agentId, name } = agent.identity;
  const answer = await host.prompts.question({ id, agent: agentId, agentName: name, question: text, options }, signal);
  agent.emit({ type: 'question-answer', question: id, answer: answer ?? null });
  agent.emit({ type: 'agent-status', activity: 'running' });
  return answer;
}
