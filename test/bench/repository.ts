/** Repositories to measure on: the same bytes on every machine. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from '../../scripts/processes.mjs';

/** Rises when the content changes: older ones are left alone. */
const version = 1;
const filesInFolder = 25;
const foldersInPackage = 20;
const largeFiles = 10;
const largeFileLines = 2000;

export type Repository = {
  readonly root: string;
  /** How many small files it holds. */
  readonly size: number;
};

const digits = (value: number, length: number) => String(value).padStart(length, '0');

/** Of a folder of small files; any number will do. */
export function folderPath(size: number, index: number): string {
  const folder = index % Math.max(1, Math.floor(size / filesInFolder));
  return `packages/p${digits(Math.floor(folder / foldersInPackage), 3)}/area${digits(folder, 4)}`;
}

export function smallPath(size: number, index: number): string {
  const file = index % size;
  return `${folderPath(size, Math.floor(file / filesInFolder))}/unit${digits(file, 5)}.ts`;
}

/** A name that two files hold: the one that exports it and one that mentions it. */
export function markOf(size: number, index: number): string {
  return `mark${digits(index % size, 5)}`;
}

export function largePath(index: number): string {
  return `large/table${index % largeFiles}.ts`;
}

/** Words that each large file holds hundreds of times. */
export const frequentWords = ['ledger', 'parcel', 'window', 'signal', 'column', 'bridge', 'packet', 'beacon'] as const;

/** Takes one that is there, or makes it, which takes up to a minute for the largest. */
export async function ensureRepository(size: number): Promise<Repository> {
  const home = path.join(os.tmpdir(), `offshoot-bench-${version}`);
  const root = path.join(home, `files-${size}`);
  if (existsSync(root)) return { root, size };
  const partial = `${root}.${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await writeTree(partial, size);
  await commit(partial);
  await rename(partial, root);
  return { root, size };
}

async function writeTree(root: string, size: number): Promise<void> {
  for (let first = 0; first < size; first += filesInFolder) {
    const names = Array.from({ length: Math.min(filesInFolder, size - first) }, (_, offset) => first + offset);
    await mkdir(path.join(root, path.dirname(smallPath(size, first))), { recursive: true });
    await Promise.all(names.map((index) => writeFile(path.join(root, smallPath(size, index)), smallText(size, index))));
  }
  await mkdir(path.join(root, 'large'), { recursive: true });
  for (let index = 0; index < largeFiles; index += 1)
    await writeFile(path.join(root, largePath(index)), largeText(index));
  await writeFile(path.join(root, '.gitignore'), 'node_modules/\ndist/\n');
  await writeFile(path.join(root, 'README.md'), `# ${size} small files\n`);
}

async function commit(root: string): Promise<void> {
  const person = { NAME: 'bench', EMAIL: 'bench@example.invalid', DATE: '2026-01-01T00:00:00Z' };
  const identity = Object.entries(person).flatMap(([key, value]) =>
    ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${key}`, value]),
  );
  const env = { ...process.env, ...Object.fromEntries(identity), HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const commands = [
    ['init', '-q', '-b', 'main'],
    ['config', 'gc.auto', '0'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'all'],
  ];
  for (const command of commands) {
    const { code, output } = await run('git', command, { cwd: root, env });
    if (code !== 0) throw new Error(`git ${command[0]} failed: ${output}`);
  }
}

/** Numbers that follow from the seed (xorshift32). */
function createNumbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x9e3779b1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** About 40 lines and 1.4 kB. */
function smallText(size: number, index: number): string {
  const next = createNumbers(index);
  const word = () => frequentWords[next(frequentWords.length)];
  const lines = [
    `/** Unit ${index} of ${size}. */`,
    '',
    `export const ${markOf(size, index)} = '${word()}-${word()}';`,
    '',
  ];
  for (let part = 0; part < 6; part += 1) {
    lines.push(`export function step${part}Of${digits(index, 5)}(left: number, right: number): number {`);
    lines.push(`  const first = left * ${next(90)} + right;`, `  const second = first - ${next(40)} * right;`);
    lines.push(`  return first + second + ${next(1000)};`, '}', '');
  }
  lines.push(`// Goes with ${markOf(size, index * 7 + 3)}.`);
  return `${lines.join('\n')}\n`;
}

/** About 100 kB. */
function largeText(index: number): string {
  const next = createNumbers(1_000_000 + index);
  const word = () => frequentWords[next(frequentWords.length)];
  const line = (number: number) =>
    `export const ${word()}${number} = ${word()}(${next(10_000)}, ${word()}) + ${number};`;
  return `${Array.from({ length: largeFileLines }, (_, number) => line(number)).join('\n')}\n`;
}
