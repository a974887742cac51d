/** A lead with three agents that each leave marks in a file, for tests that kill them at any moment. */
import { call, delegate, say, text } from './answers.ts';
import type { Answer, Script, ScriptedRequest } from './scriptedModel.ts';

const names = ['ant', 'bee', 'cat'] as const;
const marksEach = 3;

/** All marks that three undisturbed agents leave. */
export const allMarks = names.flatMap((name) => Array.from({ length: marksEach }, (_, index) => `${name}-${index}`));

/**
 * `work …` begins; whatever comes after an interruption lets those go on that were interrupted and starts the others.
 * @param chunkMs between pieces of an answer, so that a kill may come in its middle
 */
export function createCrewScript(chunkMs: number): Script {
  return (request) => {
    const answer = request.tools.includes('Agent') ? lead(request) : child(request);
    return { ...answer, chunkMs, chunkChars: 20 };
  };
}

function lead({ body, step, prompt, results }: ScriptedRequest): Answer {
  const heard = JSON.stringify(body.messages).replaceAll('\\"', '"');
  const frames = [...heard.matchAll(/<report agent="(\w+)" id="([0-9a-f]{6})" status="(\w+)"/g)];
  const stateOf = new Map(frames.map(([, name = '', id = '', status = '']) => [name, { id, status }]));
  const isStart = prompt.startsWith('work') && step === 0 && results.length === 0;
  const open = names.filter((name) => stateOf.get(name)?.status !== 'completed');
  if (open.length === 0) return say(text('All three have reported.'));
  if (!isStart && step > 0 && open.every((name) => stateOf.get(name)?.status === 'failed'))
    return say(text('It failed.'));
  return say(
    text('They work side by side.'),
    ...open.map((name) => {
      const known = stateOf.get(name);
      const more = { name, subagent_type: 'general-purpose', ...(known && { resume: known.id }) };
      return delegate(known ? 'Go on.' : `You are ${name}.`, more);
    }),
  );
}

/** One mark after another; a call whose outcome is unknown is not made again. */
function child({ body, firstText }: ScriptedRequest): Answer {
  const name = names.find((each) => firstText.includes(`You are ${each}.`)) ?? 'nobody';
  const made = body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_use'),
  ).length;
  if (made >= marksEach) return say(text(`${name} is through.`));
  return say(text(`Mark ${made} follows.`), call('Bash', { command: `echo ${name}-${made} >> marks` }));
}

/** The same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
