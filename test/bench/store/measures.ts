import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentEvent } from '../../../src/agent/loop/events.ts';
import { systemClock } from '../../../src/agent/node/clock.ts';
import { indexPath } from '../../../src/agent/store/index/indexFile.ts';
import { openIndex } from '../../../src/agent/store/index/open.ts';
import { openJournal } from '../../../src/agent/store/journal/journal.ts';
import { createSessionList } from '../../../src/agent/store/sessions/sessionList.ts';
import { listSessions } from '../../../src/agent/store/sessions.ts';
import { createWriter } from './generate.ts';

export type Measure = { readonly name: string; readonly values: readonly number[]; readonly unit: string };

const never = new AbortController().signal;
const onNotice = (text: string) => console.error(text);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const values: number[] = [];
  for (let count = 0; count < times; count++) values.push(await timed(work));
  return values;
}

const atOnce = 100;

/** The first and the last records of a journal, a hundred at a time: those of a moment share a write. */
export async function measureAppend(folder: string, records: number): Promise<readonly Measure[]> {
  const write = createWriter(1);
  const text = write(150);
  const eventOf = (seq: number): AgentEvent => ({
    ...{ type: 'message-append', step: 1, message: { role: 'user', content: [{ type: 'text', text }] } },
    ...{ session: 's', agent: 'lead', parent: null, seq, time: seq },
  });
  const journal = await openJournal(join(folder, 's.jsonl'), { onProblem: onNotice });
  const times: number[] = [];
  for (let seq = 1; seq <= records; seq += atOnce) {
    const start = performance.now();
    for (let next = seq; next < seq + atOnce; next++) void journal.append(eventOf(next), 'lazy');
    await journal.written();
    times.push(((performance.now() - start) * 1000) / atOnce);
  }
  const synced: number[] = [];
  for (let seq = records + 1; seq <= records + 50; seq++) {
    const isSynced = journal.append(eventOf(seq), 'synced');
    journal.hurry();
    synced.push(await timed(() => isSynced));
  }
  await journal.close();
  return [
    { name: 'append and write, a record of the first 1,000', values: times.slice(0, 10), unit: 'µs' },
    { name: `the same, of the last 1,000 of ${records.toLocaleString('en')}`, values: times.slice(-10), unit: 'µs' },
    { name: 'append, write and sync', values: synced, unit: 'ms' },
  ];
}

/** How long the thread of the window works at once, at most, in its own time: others may take the processor away. */
function watchBlocks(): () => number {
  let longest = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  }, 5);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

const queries: readonly (readonly [string, string])[] = [
  ['a rare word', 'needle'],
  ['a frequent word', 'ce'],
  ['a beginning of words', 'fo'],
  ['three words', 'needle ce di'],
  ['a phrase', '"ce di"'],
  ['nothing', 'qqqqq'],
];

export async function measureIndex(state: string, messages: number): Promise<readonly Measure[]> {
  const first = openIndex({ stateDirectory: state, onNotice });
  const stopWatching = watchBlocks();
  const building = await timed(() => first.update(never));
  const again = await repeated(5, () => first.update(never));
  const closing = await timed(() => first.close());
  const block = stopWatching();
  const { size } = await stat(indexPath(state));
  const index = openIndex({ stateDirectory: state, onNotice });
  const loading = await timed(() => index.sessions({ limit: 1 }, never));
  const rows: Measure[] = [
    { name: `index of ${messages.toLocaleString('en')} messages: building`, values: [building / 1000], unit: 's' },
    { name: 'messages indexed a second', values: [(messages / building) * 1000], unit: '' },
    { name: 'its size', values: [size / 1e6], unit: 'MB' },
    { name: 'update with nothing new', values: again, unit: 'ms' },
    { name: 'saving and closing', values: [closing], unit: 'ms' },
    { name: 'longest block of the window meanwhile', values: [block], unit: 'ms' },
    { name: 'loading it in a new thread', values: [loading], unit: 'ms' },
  ];
  for (const [name, query] of queries) {
    const values = await repeated(15, () => index.search(query, { limit: 50 }, never));
    rows.push({ name: `search: ${name}`, values, unit: 'ms' });
  }
  const cost = () => index.report({ kind: 'cost', by: 'day' }, never);
  rows.push({ name: 'report: cost per day', values: await repeated(5, cost), unit: 'ms' });
  const commands = () => index.report({ kind: 'commands', text: '', limit: 500 }, never);
  rows.push({ name: 'report: commands', values: await repeated(5, commands), unit: 'ms' });
  await index.close();
  return rows;
}

export async function measureLists(state: string): Promise<readonly Measure[]> {
  const heads = await repeated(7, () => listSessions(state));
  const list = createSessionList(state, systemClock);
  const reading = await timed(() => list.update(never));
  const known = await repeated(7, () => list.read(never));
  const index = openIndex({ stateDirectory: state, onNotice });
  await index.update(never);
  const indexed = await repeated(7, () => index.sessions({}, never));
  await index.close();
  return [
    { name: 'list of 1,000 sessions, from the heads of journals', values: heads, unit: 'ms' },
    { name: 'list of 1,000 sessions, as the sidebar shows it', values: known, unit: 'ms' },
    { name: 'the same for the first time, with what each cost', values: [reading], unit: 'ms' },
    { name: 'list of 1,000 sessions, from the index', values: indexed, unit: 'ms' },
  ];
}

/** Each in a process of its own. */
export function measureMemory(state: string, session: string): readonly Measure[] {
  const script = fileURLToPath(new URL('./memory.ts', import.meta.url));
  return ['nothing', 'list', 'read', 'open', 'index', 'search'].flatMap((what) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, what, state, session], {
      encoding: 'utf8',
    });
    if (status !== 0) console.error(`${what}: ${stderr}`);
    const [megabytes = Number.NaN, seconds = Number.NaN] = stdout.split(' ').map(Number);
    return [
      { name: `large journal, ${what}: peak memory`, values: [megabytes], unit: 'MB' },
      { name: `large journal, ${what}: time`, values: [seconds], unit: 's' },
    ];
  });
}
