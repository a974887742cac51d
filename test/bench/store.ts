/**
 * What storing, indexing, searching and opening cost: `npm run bench:store [-- --quick] [--only append|index|lists|memory]`. Works in a temporary folder, which it
 * removes; without `--quick` that holds two gigabytes for a while.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJournal } from './store/generate.ts';
import { writeLongJournal } from './store/long.ts';
import { type Measure, measureAppend, measureIndex, measureLists, measureMemory } from './store/measures.ts';

const isQuick = process.argv.includes('--quick');
const sessions = isQuick ? 40 : 200;
const messages = 500;
const hugeMegabytes = isQuick ? 100 : 1000;

const place = process.argv.indexOf('--only');
const only = place < 0 ? undefined : process.argv[place + 1];

const append = (folder: string) => measureAppend(folder, isQuick ? 20_000 : 100_000);

async function index(folder: string): Promise<readonly Measure[]> {
  for (let seed = 1; seed <= sessions; seed++) {
    await writeJournal(folder, { id: `s${seed}`, messages, words: 120, seed });
  }
  return measureIndex(folder, sessions * messages);
}

async function lists(folder: string): Promise<readonly Measure[]> {
  for (let seed = 1; seed <= 1000; seed++)
    await writeJournal(folder, { id: `s${seed}`, messages: 20, words: 60, seed });
  return measureLists(folder);
}

async function memory(folder: string): Promise<readonly Measure[]> {
  await writeLongJournal(folder, 'huge', hugeMegabytes * 1_000_000);
  return measureMemory(folder, 'huge');
}

const root = await mkdtemp(join(tmpdir(), 'offshoot-bench-store-'));
const rows: Measure[] = [];
try {
  for (const [name, measure] of Object.entries({ append, index, lists, memory })) {
    if (only === undefined || only === name) rows.push(...(await measure(join(root, name))));
  }
} finally {
  await rm(root, { recursive: true, force: true });
}

const number = (value: number) => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en'));
console.log('| measure | min | median | max | unit |\n|---|---|---|---|---|');
for (const { name, values, unit } of rows) {
  const sorted = values.toSorted((a, b) => a - b);
  const [min = 0, median = 0, max = 0] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(`| ${name} | ${number(min)} | ${number(median)} | ${number(max)} | ${unit} |`);
}
