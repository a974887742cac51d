import * as vscode from 'vscode';
import type { Session } from '../../../agent/index.ts';
import type { Conversation } from '../contract.ts';
import type { SessionAccess } from './access.ts';
import type { Opener, OpenSession } from './opener.ts';
import type { Readings } from './readings.ts';
import type { Slot } from './slot.ts';

/** How another session takes the place of the one that shows, or the same one as it is by now. */
export type Switching = Pick<Conversation, 'newChat' | 'openPast' | 'takeOver'> & {
  /**
   * Reads the one that shows again. What this window has written of it is closed before; when the reading is given up, or
   * fails, it shows as it was, to be read only.
   * @returns false when it was given up
   */
  reopen(session: string, isReadOnly: boolean, signal?: AbortSignal): Promise<boolean>;
  /** The one that shows is free again: it is read again, unless the user has another read by now. */
  catchUp(session: string): Promise<void>;
  /** Another window has taken it over. */
  lose(session: Session): void;
};

export type SwitchingParts = {
  readonly slot: Slot<OpenSession>;
  readonly access: SessionAccess;
  readonly opener: Pick<Opener, 'read' | 'adopt' | 'forgetLast'>;
  readonly readings: Pick<Readings, 'begin' | 'giveUp' | 'isOn'>;
  readonly pushState: () => void;
  readonly reset: () => Promise<void>;
};

const takeOverMs = 30_000;

export function createSwitching(parts: SwitchingParts): Switching {
  const { slot, access, opener, readings, pushState, reset } = parts;

  /** @returns whether it shows now */
  async function show(session: string, isReadOnly: boolean, wanted: AbortSignal): Promise<boolean> {
    const made = await opener.read(session, wanted);
    if (!made) return false;
    await slot.replace(() => opener.adopt(made));
    await access.begin(session, isReadOnly, 0);
    await reset();
    return true;
  }

  async function reopen(session: string, isReadOnly: boolean, signal?: AbortSignal): Promise<boolean> {
    const wanted = readings.begin(signal);
    const shown = slot.open;
    await access.begin(session, true, 0);
    pushState();
    await shown?.session.close();
    return show(session, isReadOnly, wanted);
  }

  return {
    reopen,
    async newChat() {
      readings.giveUp();
      await opener.forgetLast();
      await slot.empty();
      access.end();
      await reset();
    },
    async openPast(session, isReadOnly = false, signal) {
      if (slot.open?.session.id !== session) return show(session, isReadOnly, readings.begin(signal));
      if (access.read() !== 'write' || isReadOnly) return reopen(session, isReadOnly, signal);
      readings.giveUp();
      return true;
    },
    async takeOver() {
      const session = slot.open?.session.id;
      if (session === undefined) return;
      if (access.read() === 'held') await askForIt(access, session);
      // Another may show by now.
      if (slot.open?.session.id !== session || !(await reopen(session, false))) return;
      await slot.open?.session.claim();
    },
    async catchUp(session) {
      if (readings.isOn()) pushState();
      else await reopen(session, false);
    },
    lose(session) {
      if (slot.open?.session !== session) return;
      access.lose(session.id);
      pushState();
    },
  };
}

/** @throws Error for people when it is not let go */
async function askForIt(access: Pick<SessionAccess, 'takeOver'>, session: string): Promise<void> {
  const isFree = await access.takeOver(session, AbortSignal.timeout(takeOverMs));
  const kept = vscode.l10n.t(
    'The other window does not let go of this conversation. Close it there, or wait a moment.',
  );
  if (!isFree) throw new Error(kept);
}
