import { basename } from 'node:path';
import type { ListedSession } from '../../../agent/index.ts';
import type { HistoryEntry } from '../../../webview/protocol.ts';

type Window = {
  /** The session that shows here. */
  readonly current: string | undefined;
  readonly isRunning: boolean;
  readonly roots: readonly string[];
};

/** Sessions as the page shows them. */
export function toHistoryEntries(sessions: readonly ListedSession[], window: Window): readonly HistoryEntry[] {
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  return sessions.map((session) => {
    const { id, title, isPinned, usd, hasUnpriced, agents, updatedAt, workspace, from } = session;
    const branchedFrom = from && (titles.get(from.session) ?? from.title);
    return {
      id,
      title,
      state: stateOf(session, window),
      isCurrent: id === window.current,
      isPinned,
      usd,
      isWholeCost: !hasUnpriced,
      agents,
      updatedAt,
      folder: basename(workspace),
      isHere: window.roots.includes(workspace),
      ...(branchedFrom !== undefined && { branchedFrom }),
    };
  });
}

function stateOf({ id, status, holder }: ListedSession, { current, isRunning }: Window): HistoryEntry['state'] {
  if (id === current && isRunning) return 'running';
  if (holder === 'elsewhere') return 'elsewhere';
  // A turn that this very process has begun and that shows nowhere is about to end.
  return status === 'open' ? 'running' : status;
}
