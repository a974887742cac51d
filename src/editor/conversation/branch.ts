import { type ForkPoint, forkSession, systemClock } from '../../agent/index.ts';
import type { Conversation } from './contract.ts';

/**
 * Shows a branch of the conversation in its place; the conversation itself stays in the history.
 * @param send what comes next in it @throws Error for people
 */
export async function branchFrom(
  conversation: Pick<Conversation, 'current' | 'openPast'>,
  stateDirectory: string,
  point: ForkPoint,
  send: () => Promise<void>,
): Promise<void> {
  const source = conversation.current();
  if (source === undefined) return;
  const signal = new AbortController().signal;
  const branch = await forkSession({ stateDirectory, clock: systemClock }, source, point, signal);
  if (await conversation.openPast(branch)) await send();
}
