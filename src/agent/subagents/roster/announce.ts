import { notification } from '../reports/conclude.ts';
import type { Delegated } from './delegated.ts';

/**
 * Tells the end of a background agent, once, to its parent or to the lead; a call that waits for it gets it by itself.
 * @param tellLead `isQuiet`: it can wait for the next prompt
 */
export function announceEnd(delegated: Delegated, tellLead: (note: string, isQuiet: boolean) => void): void {
  const { result, parent, isQuiet, isDelivered, awaited } = delegated;
  if (isDelivered || awaited > 0 || typeof result?.content !== 'string') return;
  delegated.isDelivered = true;
  const note = notification(result.content);
  if (parent.isRunning && parent.identity.parent !== null) parent.controls.tell(note);
  else tellLead(note, isQuiet);
}
