import { describe, expect, it } from 'vitest';
import { exportSession } from '../../../src/agent/index.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { startSession } from '../../support/startSession.ts';

const signal = new AbortController().signal;

const script: Script = ({ step, prompt, tools, firstText }) => {
  if (!tools.includes('Agent')) {
    if (step === 0) return say(text(`${firstText}: I look.`), call('Read', { file_path: 'a' }));
    return say(text(`${firstText}: it is x.`));
  }
  if (prompt === 'look' && step === 0) {
    return say(
      text('Two scouts.'),
      delegate('left', { name: 'left', subagent_type: 'Explore' }),
      delegate('right', { name: 'right', subagent_type: 'Explore' }),
    );
  }
  return say(text('Both are back.'));
};

async function exported(format: 'markdown' | 'json') {
  const { session, state } = await startSession({ script, files: { a: 'x ``` y' } });
  await session.send('look');
  const pieces: string[] = [];
  for await (const piece of exportSession(state, session.id, format, signal)) pieces.push(piece);
  return { session, pieces, all: pieces.join('') };
}

describe('an exported conversation', () => {
  it('as markdown has what each agent did under the delegation, one after another, with cost and receipt', async () => {
    const { all, pieces } = await exported('markdown');
    const at = (words: string) => {
      expect(all).toContain(words);
      return all.indexOf(words);
    };
    const order = ['# look', '## You', '> look', 'Two scouts.', '> ### Agent left (Explore)', '> left: I look.'];
    const rest = [
      '> left: it is x.',
      '> *left: completed*',
      '> ### Agent right',
      '> right: it is x.',
      'Both are back.',
    ];
    const places = [...order, ...rest, '2 agents · $'].map(at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(all).toMatch(/> \*left: completed\* · 1 calls · 1 files read · 0 changed · \$0\.\d{4} · \d/);
    // A fence of the file cannot end that of the export.
    expect(all).toMatch(/> `{4}\n(> .*\n)*> .*x ``` y.*\n(> .*\n)*> `{4}/);
    expect(pieces.length).toBeGreaterThan(5);
  });

  it('as JSON keeps its shape', async () => {
    const { all, session } = await exported('json');
    const data = JSON.parse(all);
    expect(Object.keys(data)).toEqual([
      ...['format', 'version', 'id', 'entries', 'title', 'workspace', 'startedAt', 'updatedAt', 'status', 'turns'],
      ...['agents', 'cost', 'branchedFrom'],
    ]);
    expect(data).toMatchObject({ format: 'offshoot-conversation', version: 1, id: session.id, title: 'look' });
    expect(data).toMatchObject({
      status: 'completed',
      turns: 1,
      agents: 2,
      cost: { isWhole: true },
      branchedFrom: null,
    });
    const types = new Set(data.entries.map(({ type }: { type: string }) => type));
    expect([...types].sort()).toEqual([
      ...['agent-end', 'agent-start', 'call', 'call-end', 'permission', 'prompt', 'result', 'text', 'told', 'turn-end'],
    ]);
    for (const { time, agent, parent } of data.entries) {
      expect([typeof time, typeof agent, parent === null || typeof parent === 'string']).toEqual([
        'number',
        'string',
        true,
      ]);
    }
    const reading = data.entries.find(({ type }: { type: string }) => type === 'result');
    expect(reading).toMatchObject({ text: expect.stringContaining('x ``` y'), isError: false });
  });
});
