import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { AgentEvent, EventBody } from '../../../src/agent/loop/events.ts';
import { encodeRecord } from '../../../src/agent/store/journal/record.ts';
import { journalPath, sessionsDirectory } from '../../../src/agent/store/sessions.ts';

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za'.split(' ');
const start = Date.UTC(2026, 0, 5);

/** The same numbers on every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Texts whose words are as unequally frequent as those of a language: 30,000 of them. */
export function createWriter(seed: number): (words: number) => string {
  const random = createRandom(seed);
  const word = () => {
    let rank = Math.floor(30_000 ** random());
    let text = '';
    do {
      text += syllables[rank % syllables.length];
      rank = Math.floor(rank / syllables.length);
    } while (rank > 0);
    return text;
  };
  return (words) => Array.from({ length: words }, word).join(' ');
}

export type SessionSize = {
  readonly id: string;
  readonly messages: number;
  /** Of each message, about. */
  readonly words: number;
  readonly seed: number;
};

/** The journal of a session in which a lead and a subagent take turns; every 500th message says `needle`. */
export async function writeJournal(state: string, size: SessionSize): Promise<void> {
  await mkdir(sessionsDirectory(state), { recursive: true });
  const write = createWriter(size.seed);
  const file = createWriteStream(journalPath(state, size.id));
  let seq = 0;
  const time = start + size.seed * 3_600_000;
  const add = async (agent: string, body: EventBody) => {
    seq += 1;
    const parent = agent === 'lead' ? null : 'lead';
    const event: AgentEvent = { ...body, session: size.id, agent, parent, seq, time: time + seq * 900 };
    if (!file.write(`${encodeRecord(seq, event)}\n`)) await once(file, 'drain');
  };
  await add('lead', { type: 'session-start', workspace: `/code/${size.seed % 5}`, title: write(6) });
  await add('lead', { type: 'turn-start', turn: 1, prompt: write(10) });
  for (let index = 0; index < size.messages; index += 2) {
    const agent = index % 20 < 10 ? 'lead' : 'a1b2c3';
    const step = index / 2 + 1;
    const call = `call_${index}`;
    const needle = index % 500 === 0 ? ' needle' : '';
    await add(agent, { type: 'step-start', step, model: 'claude-sonnet-5-5' });
    const usage = { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 5000, cacheWriteTokens: 200 };
    const total = { usage, cost: 0.01 };
    await add(agent, {
      type: 'usage-update',
      step,
      usage,
      cost: 0.01,
      contextTokens: 6300,
      contextWindow: 200_000,
      total,
    });
    const text = `${write(size.words)}${needle}`;
    const input = { command: `grep ${write(2)}` };
    await add(agent, {
      type: 'message-append',
      step,
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'tool_use', id: call, name: 'Bash', input },
        ],
      },
    });
    await add(agent, { type: 'tool-start', step, call, tool: 'Bash', input, summary: `Bash ${input.command}` });
    await add(agent, {
      ...{ type: 'tool-end', call, tool: 'Bash', status: 'ok', summary: 'exit 0', preview: '', durationMs: 12 },
    });
    await add(agent, {
      type: 'message-append',
      step,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: write(size.words) }] },
    });
  }
  await add('lead', { type: 'turn-end', turn: 1, status: 'completed' });
  file.end();
  await finished(file);
}
