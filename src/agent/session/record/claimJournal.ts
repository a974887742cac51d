import type { Clock } from '../../host.ts';
import { acquireLease, type Lease } from '../../store/lease.ts';

/** A window that was just reloaded gives its lease back within a moment. */
const attempts = 20;
const pauseMs = 250;

/**
 * The right to write a session's journal.
 * @throws when another window keeps it
 */
export async function claimJournal(
  path: string,
  clock: Clock,
  told: { readonly onLost: () => void; readonly onWanted: () => void },
): Promise<Lease> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const lease = await acquireLease(`${path}.lock`, { clock, ...told });
    if (lease !== 'held') return lease;
    await clock.sleep(pauseMs, AbortSignal.timeout(pauseMs * 4));
  }
  throw new Error('This conversation is open in another window. Go on there, or start a new chat here.');
}
