import { describe, expect, it } from 'vitest';
import { createBroker } from '../../../src/agent/gate/asking/broker.ts';
import type { Question } from '../../../src/agent/gate/asking/question.ts';
import type { PermissionAnswer, PermissionAsk } from '../../../src/agent/index.ts';
import { Agent } from '../../../src/agent/loop/agent.ts';
import type { EventBody } from '../../../src/agent/loop/events.ts';

/** A user who answers when the test says so. */
function scriptedUser() {
  const shown: {
    readonly ask: PermissionAsk;
    readonly signal: AbortSignal;
    answer(value: Partial<PermissionAnswer>): void;
  }[] = [];
  const broker = createBroker({
    permission: (ask, signal) =>
      new Promise((resolve) =>
        shown.push({
          ask,
          signal,
          answer: (value) => resolve({ decision: 'allow', scope: 'once', by: 'user', ...value }),
        }),
      ),
  });
  return { broker, shown };
}

function agent(name: string): { readonly agent: Agent; readonly emitted: EventBody[] } {
  const emitted: EventBody[] = [];
  const made = new Agent({
    identity: { id: name, name, parent: null, depth: 0, type: 'lead' },
    model: { id: 'm', contextWindow: 1000, maxOutput: 100, isKnown: true } as never,
    system: '',
    tools: [],
    maxSteps: 1,
    history: [],
    parent: undefined,
    emit: (body) => emitted.push(body),
  });
  return { agent: made, emitted };
}

const question = (from: Agent, more: Partial<Question> = {}): Question => ({
  agent: from,
  call: 'c',
  tool: 'Bash',
  title: 'Run a command',
  detail: 'make',
  directory: '/w',
  reason: 'Commands are asked about.',
  canRemember: true,
  recheck: async () => undefined,
  remember: async () => undefined,
  explain: async () => ({ verdict: 'ask', by: undefined, reason: 'x', mode: 'default', parts: [], offers: [] }),
  ...more,
});

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the broker of a window', () => {
  it('makes one question of identical ones of two sessions, and keeps the answer in both', async () => {
    const { broker, shown } = scriptedUser();
    const kept: string[] = [];
    const asked = ['one', 'two', 'two'].map((session) => {
      const remember = remembers[session] ?? (async () => void kept.push(session));
      remembers[session] = remember;
      return broker.ask(question(agent(session).agent, { remember }), signal);
    });
    await expect.poll(() => shown.length).toBe(1);
    shown[0]?.answer({ scope: 'session' });
    const answers = await Promise.all(asked);
    expect(answers.map(({ scope }) => scope)).toEqual(['session', 'session', 'session']);
    expect([shown.length, kept]).toEqual([1, ['one', 'two']]);
  });
  const remembers: Record<string, Question['remember']> = {};

  it.each([{ tool: 'Write' }, { directory: '/v' }, { detail: 'make all' }, { canRemember: false }])(
    'keeps questions apart that differ in %o',
    async (difference) => {
      const { broker, shown } = scriptedUser();
      const asked = [question(agent('a').agent), question(agent('b').agent, difference)].map((each) =>
        broker.ask(each, signal),
      );
      await expect.poll(() => shown.length).toBe(2);
      for (const { answer } of shown) answer({});
      await Promise.all(asked);
    },
  );

  it('looks at the rules again before a question is shown, and whenever they change', async () => {
    const { broker, shown } = scriptedUser();
    let known: PermissionAnswer | undefined = { decision: 'deny', scope: 'once', by: 'rule' };
    const recheck = async () => known;
    expect(await broker.ask(question(agent('a').agent, { recheck }), signal)).toEqual(known);
    expect(shown).toHaveLength(0);
    known = undefined;
    const asked = broker.ask(question(agent('a').agent, { recheck }), signal);
    await expect.poll(() => shown.length).toBe(1);
    known = { decision: 'allow', scope: 'once', by: 'rule' };
    broker.recheck();
    expect(await asked).toEqual(known);
    expect(shown[0]?.signal.aborted).toBe(true);
  });

  it('tells an answer that cannot be kept, and lets it hold for the call', async () => {
    const { broker, shown } = scriptedUser();
    const { agent: asker, emitted } = agent('a');
    const remember = async () => {
      throw new Error('the disk is full');
    };
    const asked = broker.ask(question(asker, { remember }), signal);
    await expect.poll(() => shown.length).toBe(1);
    shown[0]?.answer({ scope: 'always' });
    expect((await asked).decision).toBe('allow');
    expect(emitted).toContainEqual({
      type: 'notice',
      level: 'warning',
      text: expect.stringContaining('the disk is full'),
    });
  });

  it('marks the question of a background agent, and puts it again once somebody waits for the answer', async () => {
    const { broker, shown } = scriptedUser();
    const behind = agent('behind').agent;
    behind.isDetached = true;
    const first = broker.ask(question(behind), signal);
    await expect.poll(() => shown.length).toBe(1);
    expect(shown[0]?.ask).toMatchObject({ agentName: 'behind', isBackground: true });
    const second = broker.ask(question(agent('front').agent), signal);
    await expect.poll(() => shown.length).toBe(2);
    expect(shown[0]?.signal.aborted).toBe(true);
    expect(shown[1]?.ask).toMatchObject({ agentName: 'front' });
    expect(shown[1]?.ask.isBackground).toBeUndefined();
    // The one that was taken back counts for nothing.
    shown[0]?.answer({ decision: 'deny' });
    await settled();
    shown[1]?.answer({});
    expect((await Promise.all([first, second])).map(({ decision }) => decision)).toEqual(['allow', 'allow']);
  });

  it('explains a question as long as it is open', async () => {
    const { broker, shown } = scriptedUser();
    const asked = broker.ask(question(agent('a').agent), signal);
    await expect.poll(() => shown.length).toBe(1);
    const id = shown[0]?.ask.id ?? '';
    expect(await broker.explain(id)).toMatchObject({ verdict: 'ask' });
    shown[0]?.answer({});
    await asked;
    expect(await broker.explain(id)).toBeUndefined();
  });

  it('keeps what was allowed in a session apart from other sessions, and lets it be taken back', () => {
    const { answers } = scriptedUser().broker;
    const call = { tool: 'Bash', directory: '/w', detail: 'make' };
    let changes = 0;
    const end = answers.onChange(() => {
      changes += 1;
    });
    answers.add('one', call);
    expect([answers.has('one', { ...call }), answers.has('two', call), answers.list('one')]).toEqual([
      true,
      false,
      [call],
    ]);
    answers.remove('one', call);
    answers.add('one', call);
    answers.begin('one');
    end();
    answers.add('one', call);
    expect([changes, answers.list('one')]).toEqual([4, [call]]);
  });
});
