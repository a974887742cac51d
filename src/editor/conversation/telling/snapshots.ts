import { shownPast } from '../../../agent/index.ts';
import type { Snapshot } from '../../../webview/protocol.ts';
import type { OpenSession } from '../shown/opener.ts';
import type { Slot } from '../shown/slot.ts';
import type { Audience } from './audience.ts';
import type { EarlierTurns } from './earlier.ts';
import type { Panel } from './panel.ts';

/** All that there is to show, for someone who comes in the middle. */
export type Snapshots = {
  /** Call what it resolves to when you begin to listen. @param agent left out: the conversation's own transcript */
  read(agent?: string): Promise<() => Snapshot>;
  /** Has those who listen begin anew. */
  reset(): Promise<void>;
};

export type SnapshotParts = {
  readonly slot: Pick<Slot<OpenSession>, 'open' | 'take'>;
  readonly earlier: Pick<EarlierTurns, 'beginning'>;
  readonly panel: Pick<Panel, 'read'>;
  readonly audience: Pick<Audience, 'tell'>;
};

export function createSnapshots({ slot, earlier, panel, audience }: SnapshotParts): Snapshots {
  async function read(agent?: string): Promise<() => Snapshot> {
    const there = await slot.take(false);
    const beginning = there ? await earlier.beginning(there.session, agent) : [];
    const state = await panel.read();
    return () => {
      const session = slot.open?.session;
      const { events, before } = shownPast(session?.snapshot().events ?? [], agent, beginning);
      return { session: session?.id ?? '', state, events, ...(before !== undefined && { before }) };
    };
  }

  return {
    read,
    async reset() {
      const take = await read();
      audience.tell((listener) => listener.reset(take()));
    },
  };
}
