import type { AgentEvent } from '../../agent/index.ts';
import { createTranscripts } from '../../webview/transcripts.ts';
import { createSidebar } from '../../webview/view.ts';
import { createAgentActions } from '../agents/agentActions.ts';
import { createLanguage } from '../language/inUserLanguage.ts';
import { translateEvent } from '../language/shownEvents.ts';
import { createPageCalls } from '../pageCalls.ts';
import type { Core } from './core.ts';
import type { PageAccess, Views } from './views.ts';

export type Pages = ReturnType<typeof createPages>;

/** The sidebar and the transcripts of agents, with what they may have done. */
export function createPages(core: Core, views: Views, access: PageAccess) {
  const { conversation, extension, report, log } = core;
  const actions = createAgentActions(conversation);
  const calls = createPageCalls({
    ...core,
    ...views,
    ...access,
    explain: views.rules.explain,
    agents: actions,
    showLogs: log.show,
  });
  const say = createLanguage();
  const translate = (event: AgentEvent) => translateEvent(event, say);
  const page = { extension, calls, snapshot: conversation.snapshot, report, translate };
  const nameOf = (agent: string) => conversation.agents().find(({ id }) => id === agent)?.name;
  return { actions, sidebar: createSidebar(page), transcripts: createTranscripts({ ...page, nameOf }) };
}
