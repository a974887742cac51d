import { join } from 'node:path';
import { askForLease, sessionsDirectory, systemClock, whoHolds } from '../../../agent/index.ts';
import type { PanelState } from '../../../webview/protocol.ts';

export type Access = PanelState['access'];

/** What this window may do with the conversation that it shows. */
export type SessionAccess = {
  read(): Access;
  /** Another conversation shows. @param patienceMs how long its holder may take to leave it, as before a reload */
  begin(session: string, isReadOnly: boolean, patienceMs: number): Promise<void>;
  /** Another window has taken over the one that shows. */
  lose(session: string): void;
  /** None shows. */
  end(): void;
  /** Asks the window that has it to let go. @throws Error for people when that does not */
  takeOver(session: string, signal: AbortSignal): Promise<boolean>;
};

const pauseMs = 200;
const lookEveryMs = 1500;

/** @param onFree the conversation that shows was given up by whoever had it */
export function createSessionAccess(stateDirectory: string, onFree: (session: string) => void): SessionAccess {
  let access: Access = 'write';
  let timer: NodeJS.Timeout | undefined;
  const lockOf = (session: string) => join(sessionsDirectory(stateDirectory), `${session}.jsonl.lock`);
  const isHeld = async (session: string) => (await whoHolds(lockOf(session), systemClock)) === 'elsewhere';

  function end(): void {
    clearInterval(timer);
    access = 'write';
  }

  function watch(session: string): void {
    timer = setInterval(async () => {
      const own = timer;
      if (await isHeld(session)) return;
      if (own !== timer || access !== 'held') return;
      end();
      onFree(session);
    }, lookEveryMs);
  }

  return {
    read: () => access,
    end,
    lose(session) {
      end();
      access = 'held';
      watch(session);
    },
    async begin(session, isReadOnly, patienceMs) {
      end();
      if (isReadOnly) {
        access = 'readOnly';
        return;
      }
      const until = Date.now() + patienceMs;
      while (await isHeld(session)) {
        if (Date.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
          continue;
        }
        access = 'held';
        return watch(session);
      }
    },
    takeOver: (session, signal) => askForLease(lockOf(session), systemClock, signal),
  };
}
