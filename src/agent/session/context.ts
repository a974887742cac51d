import { randomUUID } from 'node:crypto';
import { applyEdit } from '../changes/edits.ts';
import type { PathResolver } from '../gate/paths.ts';
import type { Host, Workspace } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import type { Mode } from '../settings.ts';
import type { Artifacts } from '../store/artifacts.ts';
import type { ToolContext } from '../tools/tool.ts';

type Shared = {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  readonly artifacts: Artifacts;
  readonly mode: () => Mode;
};

/** What one call of one agent may use. */
export function createToolContext(shared: Shared, agent: Agent, call: string, signal: AbortSignal): ToolContext {
  const { host, workspace, paths, artifacts, mode } = shared;
  return {
    signal,
    call,
    host,
    workspace,
    paths,
    reads: agent.reads,
    artifactPath: (extension) => artifacts.path(extension),
    progress: (text) => agent.emit({ type: 'tool-progress', call, text }),
    applyEdit: (path, before, after) =>
      applyEdit({ host, paths, mode: mode() }, { agent, call, path, before, after }, signal),
    askUser: (question, options) => askUser(host, agent, question, options, signal),
  };
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
