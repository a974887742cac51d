/** Settings and commands for tests of hooks. Commands are real ones, run by a real shell. */

import { call, say, text } from '../../../support/answers.ts';
import type { AnswerBlock, Script } from '../../../support/scriptedModel.ts';

export type HookSettings = Readonly<Record<string, readonly object[]>>;

export function on(event: string, command: string, more: { matcher?: string; timeout?: number } = {}): HookSettings {
  const { matcher, timeout } = more;
  const hook = { type: 'command', command, ...(timeout !== undefined && { timeout }) };
  return { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }] };
}

export function both(...settings: readonly HookSettings[]): HookSettings {
  const events = [...new Set(settings.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(events.map((event) => [event, settings.flatMap((one) => one[event] ?? [])]));
}

/** A command that reads its input to the end and prints this. */
export const printing = (output: object): string =>
  `cat >/dev/null; printf '%s' '${JSON.stringify(output).replaceAll("'", String.raw`'\''`)}'`;

export const specific = (fields: object): string => printing({ hookSpecificOutput: fields });

/** One call, then an answer with what the call gave. */
export const one =
  (block: AnswerBlock): Script =>
  ({ step, lastResults }) =>
    step === 0 ? say(block) : say(text(lastResults[0]?.text ?? ''));

export const bash = (command: string): AnswerBlock => call('Bash', { command });
