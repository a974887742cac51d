import type { PermissionAnswer, PermissionAsk } from '../../agent/index.ts';
import { type Dialogs, editorDialogs } from './modal.ts';
import { createModalQueue, type ModalParts } from './modalQueue.ts';
import { createPending, type Pending } from './pending.ts';

/** Asks the user whether a call may run. A modal and the card in the sidebar show the same question; the first answer counts. */
export type Permissions = {
  ask(ask: PermissionAsk, signal: AbortSignal): Promise<PermissionAnswer>;
  /** From the card. @returns false when no such question is open */
  answer(id: string, decision: PermissionAnswer['decision'], scope: PermissionAnswer['scope'], reason: string): boolean;
};

export type PermissionParts = Omit<ModalParts, 'dialogs' | 'now' | 'open'> & {
  /** Left out: those of the editor. */
  readonly dialogs?: Dialogs;
  /** Milliseconds; left out: the time of this machine. */
  readonly now?: () => number;
};

export function createPermissions(parts: PermissionParts): Permissions {
  const { dialogs = editorDialogs, now = () => performance.now() } = parts;
  const open = new Map<string, Pending<PermissionAnswer>>();
  const modals = createModalQueue({ ...parts, dialogs, now, open: () => open.size });
  return {
    async ask(ask, signal) {
      const pending = createPending<PermissionAnswer>(signal, () => ({
        decision: 'deny',
        scope: 'once',
        by: 'stopped',
      }));
      open.set(ask.id, pending);
      // Nobody waits for a background agent, so its question interrupts nobody.
      if (!ask.isBackground) modals.add(ask, pending);
      try {
        return await pending.promise;
      } finally {
        open.delete(ask.id);
        if (open.size === 0) modals.allAnswered();
      }
    },
    answer(id, decision, scope, reason) {
      const words = reason.trim();
      const answer = { decision, scope, by: 'user', ...(words !== '' && { reason: words }) } as const;
      return open.get(id)?.settle(answer) ?? false;
    },
  };
}
