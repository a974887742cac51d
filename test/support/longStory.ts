import { mkdir, writeFile } from 'node:fs/promises';
import type { AgentEvent, EventBody } from '../../src/agent/loop/events.ts';
import { noUsage } from '../../src/agent/model/pricing.ts';
import { encodeRecord } from '../../src/agent/store/journal/record.ts';
import { journalPath, sessionsDirectory } from '../../src/agent/store/sessions.ts';

const receipt = { calls: 1, steps: 1, filesRead: [], filesChanged: [], commands: [], usage: noUsage };
const ended = { status: 'completed', report: 'Found it.', receipt: { ...receipt, cost: 0, durationMs: 5 } } as const;

/**
 * Events of a conversation of many turns. In each the lead says something, makes a call, and has a scout look around, who has a
 * helper. In the second turn a watcher goes to the background, and in the last but one it ends.
 * @param words of each answer
 */
export function longStory(turns: number, words = 20, session = 'long'): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const parents = new Map<string, string | null>([['lead', null]]);
  const emit = (agent: string, body: EventBody) => {
    const seq = events.length + 1;
    events.push({
      ...body,
      session,
      agent,
      parent: parents.get(agent) ?? null,
      seq,
      time: 1_796_071_400_000 + seq * 50,
    });
  };
  const say = (agent: string, text: string, calls: readonly string[] = []) => {
    const asked = calls.map((id) => ({ type: 'tool_use', id, name: 'Agent', input: {} }) as const);
    const content = [{ type: 'text', text }, ...asked] as const;
    emit(agent, { type: 'message-append', step: 1, message: { role: 'assistant', content } });
  };
  const step = (agent: string) => emit(agent, { type: 'step-start', step: 1, model: 'm' });
  const call = (agent: string, id: string, tool: string, summary: string) =>
    emit(agent, { type: 'tool-start', step: 1, call: id, tool, input: {}, summary });
  const result = (agent: string, id: string, tool: string) => {
    emit(agent, { type: 'tool-end', call: id, tool, status: 'ok', summary: 'fine', preview: '', durationMs: 3 });
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'word '.repeat(words) }] as const;
    emit(agent, { type: 'message-append', step: 1, message: { role: 'user', content } });
  };
  const begin = (id: string, parent: string, by: string, name: string) => {
    parents.set(id, parent);
    const about = { agentType: 'Explore', description: `${name} looks`, prompt: `Look, ${name}.`, model: 'm' };
    emit(id, { type: 'agent-start', name, ...about, modelRule: 'r', tools: [], depth: 1, call: by });
    step(id);
  };

  emit('lead', { type: 'session-start', workspace: '/code/shop', title: 'Long' });
  for (let turn = 1; turn <= turns; turn += 1) {
    emit('lead', { type: 'turn-start', turn, prompt: `prompt ${turn}` });
    step('lead');
    say('lead', `plan ${turn}: ${'word '.repeat(words)}`, [`d${turn}`, ...(turn === 2 ? ['w'] : [])]);
    call('lead', `d${turn}`, 'Agent', 'scout');
    const scout = (0xa00000 + turn).toString(16);
    const helper = (0xb00000 + turn).toString(16);
    begin(scout, 'lead', `d${turn}`, `scout-${turn}`);
    say(scout, 'I ask a helper.', [`h${turn}`]);
    call(scout, `h${turn}`, 'Agent', 'helper');
    begin(helper, scout, `h${turn}`, `helper-${turn}`);
    call(helper, `r${turn}`, 'Read', `Read ${turn}.ts`);
    result(helper, `r${turn}`, 'Read');
    emit(helper, { type: 'agent-end', ...ended });
    result(scout, `h${turn}`, 'Agent');
    if (turn === 2) {
      call('lead', 'w', 'Agent', 'watcher');
      begin('cccccc', 'lead', 'w', 'watcher');
      emit('cccccc', { type: 'agent-detach' });
      result('lead', 'w', 'Agent');
    }
    if (turn > 1 && turn < turns) {
      step('cccccc');
      say('cccccc', `watching ${turn}`);
    }
    if (turn === turns - 1) emit('cccccc', { type: 'agent-end', ...ended });
    step(scout);
    say(scout, `scouted ${turn}`);
    emit(scout, { type: 'agent-end', ...ended });
    result('lead', `d${turn}`, 'Agent');
    step('lead');
    say('lead', `answer ${turn}: ${'word '.repeat(words)}`);
    emit('lead', { type: 'turn-end', turn, status: 'completed' });
  }
  return events;
}

export async function writeJournal(state: string, session: string, events: readonly AgentEvent[]): Promise<string> {
  const path = journalPath(state, session);
  await mkdir(sessionsDirectory(state), { recursive: true });
  await writeFile(path, events.map((event, index) => `${encodeRecord(index + 1, event)}\n`).join(''));
  return path;
}
