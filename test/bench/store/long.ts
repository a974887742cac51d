import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { AgentEvent, EventBody } from '../../../src/agent/loop/events.ts';
import { noUsage } from '../../../src/agent/model/pricing.ts';
import { encodeRecord } from '../../../src/agent/store/journal/record.ts';
import { journalPath, sessionsDirectory } from '../../../src/agent/store/sessions.ts';
import { createWriter } from './generate.ts';

const resultWords = 5_500;
const resultsEach = 12;
const smallEach = 60;
const turnsToSummary = 3;

/**
 * The journal of a session that went on for very long: turns of a lead with three agents each, results of 40 kB, many small
 * events, and a lead whose history is summarised again and again. @returns how many turns and events it has
 */
export async function writeLongJournal(
  state: string,
  id: string,
  bytes: number,
): Promise<{ readonly turns: number; readonly events: number }> {
  await mkdir(sessionsDirectory(state), { recursive: true });
  const write = createWriter(5);
  const texts = Array.from({ length: 40 }, () => write(resultWords));
  const file = createWriteStream(journalPath(state, id));
  let seq = 0;
  let size = 0;
  const add = async (agent: string, body: EventBody) => {
    seq += 1;
    const parent = agent === 'lead' ? null : 'lead';
    const event: AgentEvent = { ...body, session: id, agent, parent, seq, time: 1_767_571_200_000 + seq * 90 };
    const line = `${encodeRecord(seq, event)}\n`;
    size += line.length;
    if (!file.write(line)) await once(file, 'drain');
  };
  const say = (agent: string, text: string) =>
    add(agent, { type: 'message-append', step: 1, message: { role: 'assistant', content: [{ type: 'text', text }] } });

  async function runCall(agent: string, call: string): Promise<void> {
    const input = { command: `grep ${write(2)}` };
    const content = texts[seq % texts.length] ?? '';
    await add(agent, {
      type: 'message-append',
      step: 1,
      message: { role: 'assistant', content: [{ type: 'tool_use', id: call, name: 'Bash', input }] },
    });
    await add(agent, { type: 'tool-start', step: 1, call, tool: 'Bash', input, summary: `Bash ${input.command}` });
    const ended = { status: 'ok', summary: 'exit 0', preview: content.slice(0, 2000), durationMs: 12 } as const;
    await add(agent, { type: 'tool-end', call, tool: 'Bash', ...ended });
    const result = { type: 'tool_result', tool_use_id: call, content } as const;
    await add(agent, { type: 'message-append', step: 1, message: { role: 'user', content: [result] } });
    const total = { usage: noUsage, cost: 0.01 };
    const context = { contextTokens: 6300, contextWindow: 200_000, total };
    await add(agent, { type: 'usage-update', step: 1, usage: noUsage, cost: 0.01, ...context });
  }

  async function runAgent(agent: string): Promise<void> {
    const about = { agentType: 'Explore', description: write(4), prompt: write(60), model: 'm', modelRule: 'r' };
    await add(agent, { type: 'agent-start', name: `agent-${seq}`, ...about, tools: ['Read'], depth: 1, call: null });
    for (let index = 0; index < resultsEach; index += 1) await runCall(agent, `call_${seq}`);
    for (let index = 0; index < smallEach; index += 1) await add(agent, { type: 'agent-status', activity: 'running' });
    const receipt = { calls: 12, steps: 12, filesRead: [], filesChanged: [], commands: [], usage: noUsage };
    const report = write(150);
    await add(agent, {
      type: 'agent-end',
      status: 'completed',
      report,
      receipt: { ...receipt, cost: 0, durationMs: 1 },
    });
  }

  let turn = 0;
  await add('lead', { type: 'session-start', workspace: '/code/shop', title: 'A long one' });
  while (size < bytes) {
    turn += 1;
    await add('lead', { type: 'turn-start', turn, prompt: `prompt ${turn}: ${write(20)}` });
    await runCall('lead', `call_${seq}`);
    for (let index = 0; index < 3; index += 1)
      await runAgent((seq * 4096 + index).toString(16).slice(-6).padStart(6, '0'));
    await say('lead', `answer ${turn}: ${write(80)}`);
    if (turn % turnsToSummary === 0) {
      const summary = {
        role: 'user',
        content: [{ type: 'text', text: `summary of ${turn}: ${texts[turn % 40]}` }],
      } as const;
      const tokens = { tokensBefore: 150_000, tokensAfter: 12_000 };
      await add('lead', { type: 'context-compact', by: 'lead', how: 'summary', ...tokens, history: [summary] });
    }
    await add('lead', { type: 'turn-end', turn, status: 'completed' });
  }
  file.end();
  await finished(file);
  return { turns: turn, events: seq };
}
