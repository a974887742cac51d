/** Makes the events of a session by hand: what an agent would put out, in the order in which it would. */
import type { AgentEvent, EventBody, Receipt } from '../../../src/agent/loop/events.ts';
import type { AssistantBlock } from '../../../src/agent/messages/types.ts';
import type { Usage } from '../../../src/agent/model/provider.ts';

export type Story = {
  readonly events: AgentEvent[];
  /** Milliseconds pass. */
  wait(ms: number): void;
  emit(agent: string, body: EventBody, parent?: string | null): AgentEvent;
  call(agent: string, call: string, tool: string, input: Record<string, unknown>, summary: string): void;
  result(agent: string, call: string, tool: string, summary: string, preview?: string): void;
  spawn(
    agent: string,
    call: string,
    about: { type: string; description: string; parent?: string; color?: string },
  ): void;
  /** What the user, the loop or another agent writes to an agent. */
  hear(agent: string, text: string): void;
  say(agent: string, step: number, blocks: readonly AssistantBlock[]): void;
  finish(agent: string, report: string, receipt?: Partial<Receipt>): void;
  usage(agent: string, tokens: number, cost: number): void;
};

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const emptyReceipt: Receipt = {
  calls: 0,
  steps: 1,
  filesRead: [],
  filesChanged: [],
  commands: [],
  usage: noUsage,
  cost: 0.02,
  durationMs: 18_000,
};

export function createStory(session = 'session-1', startedAt = Date.now() - 60_000): Story {
  const events: AgentEvent[] = [];
  const parents = new Map<string, string | null>([['lead', null]]);
  let time = startedAt;
  const story: Story = {
    events,
    wait(ms) {
      time += ms;
    },
    emit(agent, body, parent) {
      if (parent !== undefined) parents.set(agent, parent);
      const stamp = { session, agent, parent: parents.get(agent) ?? null, seq: events.length, time };
      const event: AgentEvent = { ...stamp, ...body };
      events.push(event);
      return event;
    },
    call(agent, call, tool, input, summary) {
      story.emit(agent, { type: 'tool-start', step: 1, call, tool, input, summary });
    },
    result(agent, call, tool, summary, preview = '') {
      story.emit(agent, { type: 'tool-end', call, tool, status: 'ok', summary, preview, durationMs: 120 });
    },
    spawn(agent, call, { type, description, parent = 'lead', color }) {
      const body = {
        name: agent,
        agentType: type,
        description,
        prompt: `Please: ${description}.`,
        tools: ['Read', 'Grep'],
      };
      const rule = { modelRule: 'small model setting', ...(color !== undefined && { color }) };
      const chosen = { model: 'claude-haiku-5-5', ...rule, depth: 1, call };
      story.emit(agent, { type: 'agent-start', ...body, ...chosen }, parent);
    },
    hear(agent, text) {
      const content = [{ type: 'text', text }] as const;
      story.emit(agent, { type: 'message-append', step: 1, message: { role: 'user', content } });
    },
    say(agent, step, blocks) {
      story.emit(agent, { type: 'message-append', step, message: { role: 'assistant', content: blocks } });
    },
    finish(agent, report, receipt = {}) {
      story.emit(agent, { type: 'agent-end', status: 'completed', report, receipt: { ...emptyReceipt, ...receipt } });
    },
    usage(agent, tokens, cost) {
      const usage = { ...noUsage, inputTokens: tokens - 1000, outputTokens: 1000 };
      const context = { contextTokens: tokens, contextWindow: 200_000 };
      story.emit(agent, { type: 'usage-update', step: 1, usage, cost, ...context, total: { usage, cost } });
    },
  };
  return story;
}

/** A lead that delegates to three agents; the third waits for the user. */
export function workingStory(): Story {
  const story = createStory('working', Date.now() - 41_000);
  const prompt = 'How does a request get authenticated, and where would rate limiting fit?';
  story.emit('lead', { type: 'session-start', workspace: '/code/shop', title: 'Auth and rate limits' });
  story.emit('lead', { type: 'turn-start', turn: 1, prompt });
  story.emit('lead', { type: 'step-start', step: 1, model: 'claude-sonnet-5-5' });
  story.say('lead', 1, [
    { type: 'thinking', thinking: 'Three areas: the guard, the limits, the cost of the guard.', signature: 's' },
    { type: 'text', text: 'I will look at the three areas side by side.' },
    { type: 'tool_use', id: 'd1', name: 'Agent', input: {} },
    { type: 'tool_use', id: 'd2', name: 'Agent', input: {} },
    { type: 'tool_use', id: 'd3', name: 'Agent', input: {} },
  ]);
  story.usage('lead', 62_000, 0.05);
  const tasks = [
    ['auth-map', 'Explore', 'Map the auth code'],
    ['limits', 'Explore', 'Find rate limiting'],
    ['bench', 'general-purpose', 'Measure the guard'],
  ] as const;
  for (const [index, [name, type, description]] of tasks.entries()) {
    story.call('lead', `d${index + 1}`, 'Agent', { description }, `${type}: ${description}`);
    story.spawn(name, `d${index + 1}`, { type, description });
    story.emit(name, { type: 'step-start', step: 1, model: 'claude-haiku-5-5' });
  }
  story.emit('lead', { type: 'agent-status', activity: 'waiting_agents' });
  story.call('auth-map', 'a1', 'Read', { path: 'src/http/guard.ts' }, 'Read src/http/guard.ts');
  story.result('auth-map', 'a1', 'Read', '96 lines');
  story.wait(18_000);
  story.finish(
    'auth-map',
    'Tokens are checked once, in src/http/guard.ts:41; sessions come from session/store.ts, which keeps them for a day and renews them on every request that carries a cookie. Nothing else looks at the header.',
    {
      calls: 12,
      filesRead: ['/code/shop/src/http/guard.ts', '/code/shop/session/store.ts'],
      usage: { ...noUsage, inputTokens: 30_000, outputTokens: 1000 },
      cost: 0.03,
    },
  );
  story.result('lead', 'd1', 'Agent', 'done');
  story.usage('limits', 41_000, 0.04);
  story.call('limits', 'l1', 'Grep', { pattern: 'rateLimit|throttle', path: 'src' }, 'Grep "rateLimit|throttle" src');
  story.result(
    'limits',
    'l1',
    'Grep',
    '14 matches',
    'src/http/server.ts:88: // throttle here?\nsrc/http/limits.ts:3: rateLimit',
  );
  story.call('limits', 'l2', 'Read', { path: 'src/http/server.ts' }, 'Read src/http/server.ts');
  story.result('limits', 'l2', 'Read', '212 lines');
  story.call('limits', 'l3', 'Grep', { pattern: 'middleware' }, 'Grep "middleware" src --glob *.ts');
  story.usage('bench', 24_000, 0.02);
  story.emit('bench', { type: 'agent-status', activity: 'waiting_user' });
  story.emit('bench', {
    type: 'permission-ask',
    ask: 'ask-1',
    agentName: 'bench',
    call: 'b1',
    tool: 'Bash',
    title: 'Run a command',
    detail: 'npm run bench -- guard --json > out.json',
    directory: 'api/',
    reason: 'no rule allows this command',
  });
  story.wait(23_000);
  return story;
}

/** A turn that ended, with edits; two are undecided in `review` state. */
export function doneStory(isReviewing: boolean): Story {
  const story = createStory('done', Date.now() - 90_000);
  story.emit('lead', { type: 'session-start', workspace: '/code/shop', title: 'Limiter' });
  story.emit('lead', {
    type: 'turn-start',
    turn: 1,
    prompt: 'Find out where a rate limiter fits, and add one with a test.',
  });
  story.emit('lead', { type: 'step-start', step: 1, model: 'claude-sonnet-5-5' });
  story.say('lead', 1, [{ type: 'text', text: 'First the map, then the change.' }]);
  const agents = [
    ['auth-map', 'Explore', 'Map the auth code', 'completed'],
    ['limits', 'Explore', 'Find rate limiting', 'completed'],
    ['bench', 'general-purpose', 'Measure the guard', 'limit_reached'],
  ] as const;
  for (const [index, [name, type, description]] of agents.entries()) {
    story.call('lead', `d${index}`, 'Agent', { description }, description);
    story.spawn(name, `d${index}`, { type, description });
  }
  story.wait(44_000);
  for (const [index, [name, , , status]] of agents.entries()) {
    const usage = { ...noUsage, inputTokens: 28_000 + index * 7000, outputTokens: 900 };
    const commands =
      status === 'completed'
        ? []
        : [
            { command: 'npm run bench', exitCode: 0 },
            { command: 'npm test', exitCode: 1 },
          ];
    const receipt = {
      ...emptyReceipt,
      calls: 9 + index * 5,
      usage,
      commands,
      filesRead: ['/code/shop/a.ts'],
      durationMs: 18_000 + index * 13_000,
    };
    story.emit(name, {
      type: 'agent-end',
      status,
      report: 'The guard takes 0.4 ms at the median; the 99th percentile was not reached within the limit.',
      receipt,
    });
    story.result('lead', `d${index}`, 'Agent', 'done');
  }
  story.emit('lead', { type: 'step-start', step: 2, model: 'claude-sonnet-5-5' });
  story.say('lead', 2, [
    {
      type: 'text',
      text: [
        '## Where it fits',
        'Every request passes `src/http/guard.ts:41`. A limiter fits best between parsing and the guard, in src/http/server.ts:88, since it needs the client address but **no session**.',
        '1. `src/http/limiter.ts` holds a token bucket for each address.',
        '2. [The server](src/http/server.ts#L88) calls it first; see [the standard](https://www.rfc-editor.org/rfc/rfc6585).',
        '```ts\nexport function createLimiter(limit: number): Limiter {\n  // One bucket for each address.\n  const buckets = new Map<string, Bucket>();\n  return { take: (address) => refill(buckets, address, limit) };\n}\n```',
        '| place | cost | note |\n|---|---|---|\n| before the guard | 0.1 ms | no session |\n| after it | 0.5 ms | by user |',
        'I propose the limiter as a small middleware with a test.',
      ].join('\n\n'),
    },
  ]);
  const edits = [
    ['src/http/limiter.ts', true, 48, 0],
    ['src/http/server.ts', false, 3, 1],
    ['test/limiter.test.ts', true, 31, 0],
  ] as const;
  for (const [index, [path, isNew, added, removed]] of edits.entries()) {
    const edit = `e${index}`;
    const call = `w${index}`;
    story.call('lead', call, isNew ? 'Write' : 'Edit', { path }, `${isNew ? 'Write' : 'Edit'} ${path}`);
    story.emit('lead', { type: 'edit-propose', edit, call, path, isNew, added, removed });
    if (isReviewing && index > 0) continue;
    const decision = index === 2 ? 'reject' : 'accept';
    const reason = index === 2 ? { reason: 'Use the fake clock instead.' } : {};
    story.emit('lead', {
      type: 'edit-decide',
      edit,
      call,
      path,
      decision,
      isAmended: index === 1,
      by: 'user',
      ...reason,
    });
    story.result('lead', call, 'Edit', decision === 'accept' ? 'written' : 'rejected');
  }
  story.usage('lead', 76_000, 0.14);
  story.wait(28_000);
  if (!isReviewing) story.emit('lead', { type: 'turn-end', turn: 1, status: 'completed' });
  return story;
}

/** A turn that is over while two agents work on in the background; a third has woken the lead. */
export function backgroundStory(): Story {
  const story = createStory('background', Date.now() - 95_000);
  story.emit('lead', { type: 'session-start', workspace: '/code/shop', title: 'Limiter' });
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Look into the three areas, and tell me as you go.' });
  story.emit('lead', { type: 'step-start', step: 1, model: 'claude-sonnet-5-5' });
  const tasks = [
    ['scout', 'Explore', 'Map the auth code', 'blue'],
    ['limits', 'Explore', 'Find rate limiting', 'blue'],
    ['bench', 'measurer', 'Measure the guard', 'purple'],
  ] as const;
  for (const [index, [name, type, description, color]] of tasks.entries()) {
    story.call('lead', `d${index}`, 'Agent', { description }, `${type}: ${description}`);
    story.spawn(name, `d${index}`, { type, description, color });
    story.hear(name, `Please: ${description}.`);
    story.emit(name, { type: 'agent-detach' });
    story.emit(name, { type: 'step-start', step: 1, model: 'claude-haiku-5-5' });
    story.result('lead', `d${index}`, 'Agent', 'launched');
  }
  story.say('lead', 1, [{ type: 'text', text: 'Three agents look at it. I report as they come back.' }]);
  story.call('limits', 'l1', 'Grep', { pattern: 'throttle' }, 'Grep "throttle" src');
  story.hear('limits', 'Message from the user:\nThe proxy has limits of its own; look there too.');
  story.wait(9000);
  story.emit('lead', { type: 'agent-end', status: 'completed', report: '', receipt: emptyReceipt });
  story.emit('lead', { type: 'turn-end', turn: 1, status: 'completed' });
  story.wait(30_000);
  const report = 'Tokens are checked once, in src/http/guard.ts:41.';
  story.finish('scout', report, {
    calls: 12,
    filesRead: ['/code/shop/src/http/guard.ts', '/code/shop/session/store.ts'],
    filesChanged: ['/code/shop/docs/auth.md'],
    commands: [
      { command: 'npm test', exitCode: 0 },
      { command: 'npm run lint', exitCode: 2 },
    ],
  });
  const told = `A background agent has ended.\n<report agent="scout" id="scout" status="completed">\n${report}\n</report>\n<receipt>12 calls</receipt>`;
  story.emit('lead', { type: 'turn-start', turn: 2, prompt: told, by: 'agent' });
  story.hear('lead', told);
  story.emit('lead', { type: 'step-start', step: 1, model: 'claude-sonnet-5-5' });
  story.say('lead', 1, [
    { type: 'text', text: 'The guard is the one place: `src/http/guard.ts:41`. Two agents are still out.' },
  ]);
  story.emit('lead', { type: 'agent-end', status: 'completed', report: '', receipt: emptyReceipt });
  story.emit('lead', { type: 'turn-end', turn: 2, status: 'completed' });
  story.emit('bench', { type: 'agent-status', activity: 'paused' });
  story.wait(20_000);
  return story;
}
