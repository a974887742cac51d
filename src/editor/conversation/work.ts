import * as vscode from 'vscode';
import type { Conversation, ConversationParts } from './contract.ts';
import type { SessionAccess } from './shown/access.ts';
import type { OpenSession } from './shown/opener.ts';
import type { Slot } from './shown/slot.ts';
import type { Switching } from './shown/switching.ts';
import type { Panel } from './telling/panel.ts';

/** What has agents work, in the session that shows; one is made where there is none. */
export type Work = Pick<Conversation, 'send' | 'goOn' | 'compact' | 'previewSpawn'>;

export type WorkParts = Pick<ConversationParts, 'definitions' | 'log'> & {
  readonly slot: Slot<OpenSession>;
  readonly access: Pick<SessionAccess, 'read'>;
  readonly switching: Pick<Switching, 'reopen'>;
  readonly panel: Pick<Panel, 'stage' | 'push'>;
  readonly reset: () => Promise<void>;
};

export function createWork({ definitions, log, slot, access, switching, panel, reset }: WorkParts): Work {
  /** undefined as long as something is missing for its work. */
  async function openForWork(): Promise<OpenSession | undefined> {
    if ((await panel.stage()) !== 'ready') return undefined;
    const isFirst = (await slot.take(false)) === undefined;
    const ready = await slot.take(true);
    if (ready && isFirst) await reset();
    await definitions.settled();
    return ready;
  }

  /** What this window may write, with all that other windows have written before. */
  async function openWritable(): Promise<OpenSession | undefined> {
    if (access.read() !== 'write') return undefined;
    const ready = await openForWork();
    if (!ready || !(await ready.session.isBehind())) return ready;
    const isUpToDate = await switching.reopen(ready.session.id, false);
    return isUpToDate && access.read() === 'write' ? slot.open : undefined;
  }

  return {
    async send(prompt) {
      const ready = await openWritable();
      if (!ready) return false;
      const turn = ready.session.send(prompt);
      panel.push();
      turn.catch((error) => log.error('A turn ended with a fault', error)).finally(panel.push);
      return true;
    },
    async goOn(agent) {
      await (await openWritable())?.session.goOn(agent);
      panel.push();
    },
    async compact() {
      const there = await slot.take(false);
      if (!there) return;
      const compacted = there.session.compact();
      panel.push();
      await compacted.finally(panel.push);
    },
    async previewSpawn(task) {
      const ready = await openForWork();
      const missing = vscode.l10n.t('Open a folder and set up a model first, in the sidebar.');
      if (!ready) throw new Error(missing);
      return ready.session.previewSpawn(task);
    },
  };
}
