import { createWorktreeDesk, type Mode, openIndex } from '../../agent/index.ts';
import type { Sidebar } from '../../webview/view.ts';
import { createCleanUp } from '../cleanUp/cleanUp.ts';
import { createHistory } from '../conversation/history/history.ts';
import { createQueryView } from '../query/queryView.ts';
import { createRules } from '../rules/rules.ts';
import { createStart } from '../start.ts';
import { createWorktreeViews } from '../worktrees/worktreeViews.ts';
import type { Core } from './core.ts';

const leadId = 'lead';

/** What they need of the page, which needs them. */
export type PageAccess = Pick<Sidebar, 'focus' | 'prefill'> & {
  readonly showHistory: Sidebar['history'];
  readonly showHits: Sidebar['historyHits'];
  readonly openTranscript: (agent: string) => void;
};

export type Views = ReturnType<typeof createViews>;

/** What the user has besides the conversation: the ways in, earlier conversations, rules and worktrees. */
export function createViews(core: Core, page: PageAccess) {
  const { conversation, settings, stateDirectory, host, report, subscriptions, log } = core;
  const start = createStart({ ...core, search: host.search, focus: page.focus, prefill: page.prefill });
  const past = createPast(core, page);
  const cleanUp = createCleanUp({
    stateDirectory,
    retentionDays: () => settings.read()['store.retentionDays'],
    current: () => conversation.current(),
    log,
  });
  let mode: Mode = settings.read()['permissions.mode'];
  const rules = createRules({ ...core, session: conversation.current, mode: () => mode });
  const worktrees = createWorktreeViews(createWorktreeDesk(host.worktrees, stateDirectory), report);
  subscriptions.push(start, past.history, past.query, cleanUp, rules, worktrees);
  return {
    ...{ start, ...past, cleanUp, rules, worktrees },
    /** That of the conversation now. */
    setMode(now: Mode): void {
      mode = now;
    },
  };
}

/** Earlier conversations: listed, and asked across all of them. */
function createPast({ conversation, stateDirectory, extension, report, log }: Core, page: PageAccess) {
  const index = openIndex({ stateDirectory, onNotice: log.warn });
  const history = createHistory({
    conversation,
    stateDirectory,
    index,
    show: page.showHistory,
    showHits: page.showHits,
    report,
  });
  const query = createQueryView({
    extension,
    index,
    stateDirectory,
    async openConversation(session, agent) {
      if (!(await history.open(session, false))) return;
      await page.focus();
      if (agent !== leadId) page.openTranscript(agent);
    },
    report,
  });
  return { index, history, query };
}
