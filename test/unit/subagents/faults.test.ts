/** A model server that fails while a child works: no tool runs twice, the lead gets a true status, a strict server accepts. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { type Answer, type Fault, faults, type Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';
import { untilThere } from '../../support/untilThere.ts';

const append = (mark: string) => call('Bash', { command: `echo ${mark} >> ran.txt` });

/** The child runs a command, then meets `fault` in its second step; a retried step goes on. */
function script(faulty: Answer): Script {
  let answers = 0;
  return (request) => {
    if (request.tools.includes('Agent')) {
      if (request.step > 0) return say(text(request.lastResults[0]?.text ?? ''));
      return say(delegate('work', { subagent_type: 'general-purpose' }));
    }
    // A history may be replaced by its summary, so the answers are counted here.
    if (request.body.tool_choice?.type === 'none') return say(text('summary'));
    answers += 1;
    if (answers === 1) return say(append('one'));
    if (answers === 2) return faulty;
    return answers === 3 ? say(append('two')) : say(text('child done'));
  };
}

const failing = (fault: Fault): Answer => ({ blocks: [text('half an ans'), append('two'), text('wer')], fault });

type Row = readonly [id: string, what: string, answer: Answer, status: RegExp, ran: string];
const rows: readonly Row[] = [
  ['F4', 'cut off by max_tokens in a call', { blocks: [append('two')], stop: 'max_tokens' }, /completed/, 'one\n'],
  [
    'F5',
    'a call with broken JSON',
    say({ type: 'tool_use', name: 'Bash', input: {}, rawInput: '{"command": "ec' }),
    /completed/,
    'one\n',
  ],
  ['F6', 'pause_turn', { blocks: [text('a moment')], stop: 'pause_turn' }, /completed/, 'one\n'],
  ['F7', 'a refusal', { blocks: [], stop: 'refusal' }, /failed/, 'one\n'],
  ['F8', 'a context that is too long', failing(faults.contextTooLong()), /completed/, 'one\n'],
  ['F9', 'an overloaded server', failing(faults.overloaded()), /completed/, 'one\ntwo\n'],
  ['F9', 'an error of the server', failing(faults.server(500)), /completed/, 'one\ntwo\n'],
  ['F10', 'a rate limit', failing(faults.rateLimit({ 'retry-after': '0' })), /completed/, 'one\ntwo\n'],
  ['F10', 'a spend limit', failing(faults.spendLimit()), /failed/, 'one\n'],
  ['F11', 'a request that is too large', failing(faults.tooLarge()), /failed|completed/, 'one\n'],
  ['F12', 'silence', failing({ type: 'silence', afterEvents: 3 }), /completed/, 'one\ntwo\n'],
  ['F13', 'a stream that dies before the call', failing({ type: 'cut', afterEvents: 4 }), /completed/, 'one\ntwo\n'],
  ['F13', 'a stream that dies after the call', failing({ type: 'cut', afterEvents: 11 }), /completed/, 'one\ntwo\n'],
  [
    'F13',
    'an error in the stream',
    failing({ type: 'stream-error', afterEvents: 6, errorType: 'overloaded_error' }),
    /completed/,
    'one\ntwo\n',
  ],
  ['F13', 'garbage in the stream', failing({ type: 'garbage', afterEvents: 6 }), /completed|failed/, 'one\n'],
];

describe('during a step of a child,', () => {
  it.each(rows)('%s %s', async (_id, _what, answer, status, ran) => {
    const settings = { 'agents.stallSeconds': 0.5 };
    const { session, events, workspace } = await startSession({ script: script(answer), settings });
    const result = await session.send('go');
    expect(result.status).toBe('completed');
    const [, told = ''] = /status="(\w+)"/.exec(result.text) ?? [];
    expect(told).toMatch(status);
    expect(ofType(events, 'agent-end').find((event) => event.agent !== 'lead')?.status).toBe(told);
    const written = await readFile(join(workspace, 'ran.txt'), 'utf8');
    expect(written.startsWith(ran)).toBe(true);
    expect(written.match(/one/g)).toHaveLength(1);
    expect(written.match(/two/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it('F1 a kill between a call and its result is repaired before the child goes on', async () => {
    const { session, state, model, reopen } = await startSession({ script: script(say(text('child done'))) });
    await session.send('go');
    await session.close();
    const path = join(state, 'sessions', `${session.id}.jsonl`);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const called = lines.findIndex((line) => line.includes('"message-append"') && line.includes('echo one'));
    await writeFile(path, `${lines.slice(0, called + 1).join('\n')}\n`);
    const again = await reopen(session.id);
    const child = ofType(again.events(), 'agent-start').find((event) => event.agent !== 'lead')?.agent ?? '';
    await again.goOn(child);
    await again.settled();
    const ended = ofType(again.events(), 'agent-end').filter((event) => event.agent === child);
    expect(ended.map(({ status }) => status)).toEqual(['stopped', 'completed']);
    const sent = model
      .bodies()
      .filter(({ messages }) => JSON.stringify(messages).includes('Your work was interrupted'));
    expect(JSON.stringify(sent.at(-1)?.messages)).toContain('interrupted: outcome unknown');
  });

  it('F3 thinking goes back as it was, and none of an answer that was cut', async () => {
    const thinking = { type: 'thinking', thinking: 'hm' } as const;
    const cut: Answer = {
      blocks: [{ ...thinking, thinking: 'lost' }, text('half an answer')],
      fault: { type: 'cut', afterEvents: 4 },
    };
    let answers = 0;
    const child: Script = (request) => {
      if (request.tools.includes('Agent')) {
        if (request.step > 0) return say(text(request.lastResults[0]?.text ?? ''));
        return say(delegate('work', { subagent_type: 'general-purpose' }));
      }
      answers += 1;
      if (answers === 1) return say(thinking, append('one'));
      return answers === 2 ? cut : say(text('child done'));
    };
    const { session, model } = await startSession({ script: child });
    expect((await session.send('go')).text).toContain('child done');
    const last = model.bodies().findLast((body) => !body.tools?.some(({ name }) => name === 'Agent'));
    // The server signs it, and refuses another signature.
    expect(JSON.stringify(last?.messages)).toContain('"thinking":"hm","signature":"');
    expect(JSON.stringify(last?.messages)).not.toContain('lost');
  });

  it('F2 an abort answers every call, in order', async () => {
    const calls = [
      append('one'),
      call('Glob', { pattern: '*' }),
      call('Bash', { command: 'touch began; sleep 30' }),
      append('two'),
    ];
    const child: Script = (request) => {
      if (request.tools.includes('Agent')) {
        return request.step === 0 ? say(delegate('x', { subagent_type: 'general-purpose' })) : say(text('ok'));
      }
      return say(...calls);
    };
    const { session, events, workspace } = await startSession({ script: child });
    session.subscribe((event) => {
      const isSleeping = event.type === 'tool-start' && JSON.stringify(event.input).includes('sleep');
      if (isSleeping) void untilThere(join(workspace, 'began')).then(() => session.stop(event.agent));
    });
    expect((await session.send('go')).status).toBe('completed');
    const answered = ofType(events, 'message-append')
      .filter((event) => event.agent !== 'lead')
      .at(-1);
    const results = answered?.message.content.flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    const asked = ofType(events, 'tool-start').filter((event) => event.agent !== 'lead');
    expect(results).toHaveLength(4);
    expect(new Set(results)).toEqual(new Set(asked.map((event) => event.call)));
  });
});
