/**
 * What storing, indexing, searching and opening cost: `npm run bench:store [-- --quick]`. Works in a temporary folder, which it
 * removes; without `--quick` that holds two gigabytes for a while.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJournal } from './store/generate.ts';
import { type Measure, measureAppend, measureIndex, measureLists, measureMemory } from './store/measures.ts';

const isQuick = process.argv.includes('--quick');
const sessions = isQuick ? 40 : 200;
const messages = 500;
const hugeMegabytes = isQuick ? 100 : 1000;

const root = await mkdtemp(join(tmpdir(), 'offshoot-bench-store-'));
const rows: Measure[] = [];
try {
  rows.push(...(await measureAppend(join(root, 'append'), isQuick ? 20_000 : 100_000)));
  const many = join(root, 'many');
  for (let seed = 1; seed <= sessions; seed++) {
    await writeJournal(many, { id: `s${seed}`, messages, words: 120, seed });
  }
  rows.push(...(await measureIndex(many, sessions * messages)));
  const lists = join(root, 'lists');
  for (let seed = 1; seed <= 1000; seed++) await writeJournal(lists, { id: `s${seed}`, messages: 20, words: 60, seed });
  rows.push(...(await measureLists(lists)));
  const huge = join(root, 'huge');
  // Results of 40 kB, as tools give them.
  await writeJournal(huge, { id: 'huge', messages: hugeMegabytes * 25, words: 6_500, seed: 7 });
  rows.push(...measureMemory(huge, 'huge'));
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
