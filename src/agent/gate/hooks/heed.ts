import type { Judgement } from '../judging/judgement.ts';
import type { CallHooked } from './callHooks.ts';

/** A hook can make any call be asked about. What rules deny or ask about stays as it is, whatever a hook says. */
export function heedHooks(judgement: Judgement, hooked: CallHooked | undefined): Judgement {
  if (hooked?.decision !== 'ask' || judgement.kind === 'deny' || judgement.kind === 'ask') return judgement;
  return { kind: 'ask', because: 'hook', reason: `A hook wants you to be asked. ${hooked.reason}` };
}
