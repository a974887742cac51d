import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script, ScriptedRequest } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const isForced = ({ body }: ScriptedRequest) => body.tool_choice?.type === 'none';

/** A child that does `next` for ever; the lead passes its report on. */
const endless =
  (next: (step: number) => ReturnType<typeof call>, more = {}): Script =>
  (request) => {
    if (request.tools.includes('Agent')) {
      return request.step === 0 ? say(delegate('go', more)) : say(text(request.lastResults[0]?.text ?? ''));
    }
    return isForced(request) ? say(text('what I have')) : say(next(request.body.messages.length));
  };

const files = { a: 'x', b: 'y', c: 'z' };
const circles: readonly (readonly [string, (step: number) => ReturnType<typeof call>])[] = [
  ['repeats one call', () => call('Read', { file_path: 'a' })],
  ['alternates two calls', (step) => call('Read', { file_path: step % 4 === 1 ? 'a' : 'b' })],
  [
    'only reads what it has read',
    (step) => call('Read', { file_path: ['a', 'b', 'c'][Math.floor(step / 2) % 3] ?? 'a' }),
  ],
  ['calls a tool that it does not have', () => call('Wand', { spell: 'x' })],
];

describe('an agent in a circle', () => {
  it.each(circles)('that %s is made to answer within a dozen requests', async (_, next) => {
    const { session, model } = await startSession({ script: endless(next), files });
    expect((await session.send('go')).text).toMatch(/status="limit_reached">\nwhat I have/);
    const requests = model.bodies().filter((body) => !body.tools?.some((tool) => tool.name === 'Agent'));
    expect(requests.length).toBeLessThanOrEqual(12);
  });

  it('does not get the third identical call run, and is told so', async () => {
    const { session, events } = await startSession({ script: endless(() => call('Read', { file_path: 'a' })), files });
    await session.send('go');
    const reads = ofType(events, 'tool-end').filter((event) => event.tool === 'Read');
    expect(reads.map((event) => event.status).slice(0, 3)).toEqual(['ok', 'ok', 'error']);
    expect(reads[2]?.preview).toContain('third identical call');
  });

  it('is left alone while it finds something new', async () => {
    const script: Script = ({ step }) => (step < 12 ? say(call('Glob', { pattern: `${step}*` })) : say(text('done')));
    const { session } = await startSession({ script, files });
    expect((await session.send('go')).status).toBe('completed');
  });
});

describe('a budget', () => {
  const reader = (step: number) => call('Glob', { pattern: `${step}*` });

  it.each([
    ['steps', { max_turns: 2 }, /limit of 2 steps/],
    ['tokens', { budget: { tokens: 2000 } }, /budget of 2000 tokens/],
    ['money', { budget: { usd: 0.0003 } }, /budget of 0.0003 US dollars/],
    ['minutes', { budget: { minutes: 0.005 } }, /budget of 0.005 minutes/],
  ])('of %s ends with an answer, and says so', async (_, more, words) => {
    const { session } = await startSession({ script: endless(reader, more), files });
    const { text: answer } = await session.send('go');
    expect(answer).toMatch(/status="limit_reached">\nwhat I have/);
    expect(answer).toMatch(words);
  });

  it('waits for the user, who may grant as much again', async () => {
    let asked = 0;
    const question = async ({ options }: { readonly options: readonly string[] }) => {
      asked += 1;
      return options[asked === 1 ? 0 : 1];
    };
    const script = endless(reader, { max_turns: 2 });
    const { session, model } = await startSession({ script, files, prompts: { question } });
    await session.send('go');
    expect(asked).toBe(2);
    const requests = model.bodies().filter((body) => !body.tools?.some((tool) => tool.name === 'Agent'));
    expect(requests).toHaveLength(5);
  });

  it('of one agent that is granted widens none of those above it', async () => {
    const asked: string[] = [];
    const question = async ({
      question: words,
      options,
    }: {
      readonly question: string;
      readonly options: readonly string[];
    }) => {
      asked.push(words);
      return options[asked.length === 1 ? 0 : 1];
    };
    const script = endless(reader, { budget: { tokens: 2000 } });
    const settings = { 'budget.turnTokens': 6000 };
    const { session } = await startSession({ script, files, prompts: { question }, settings });
    await session.send('go');
    // Twice the child's own; then its budget of 4000 or the turn's of 6000, never one of 12000.
    expect(asked[0]).toContain('budget of 2000 tokens');
    expect(asked[1]).toMatch(/budget of (4000|6000) tokens/);
  });
});
