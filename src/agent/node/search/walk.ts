import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The later file has the last word. */
const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'];

type IgnoreRules = { readonly folder: string; readonly rules: Ignore };
export type WalkedFile = { readonly path: string; readonly relative: string };

/**
 * Files below `folder` in path order; links are not followed.
 * @param base a folder in it to start at, relative with `/`; nothing when a part of it is no real folder
 */
export function* walkFiles(folder: string, base: string): Generator<WalkedFile> {
  let start = folder;
  for (const name of base === '' ? [] : base.split('/')) {
    start = join(start, name);
    if (!lstatSync(start, { throwIfNoEntry: false })?.isDirectory()) return;
  }
  yield* walk(folder, start, rulesAbove(start));
}

function* walk(top: string, folder: string, above: readonly IgnoreRules[]): Generator<WalkedFile> {
  const entries = readEntries(folder);
  const rules = entries.some((entry) => ignoreFiles.includes(entry.name)) ? [...above, readRules(folder)] : above;
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    if (entry.name === '.git' || (!isFolder && !entry.isFile())) continue;
    const path = join(folder, entry.name);
    if (isIgnored(path, isFolder, rules)) continue;
    if (isFolder) yield* walk(top, path, rules);
    else yield { path, relative: slashed(relative(top, path)) };
  }
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    // A folder that may not be read is passed over, as ripgrep does.
    return [];
  }
}

/** Rules of the folders above, up to the one that holds `.git`; outside of a repository there are none. */
function rulesAbove(start: string): readonly IgnoreRules[] {
  const found: IgnoreRules[] = [];
  if (existsSync(join(start, '.git'))) return found;
  for (let folder = dirname(start); folder !== dirname(folder); folder = dirname(folder)) {
    found.unshift(readRules(folder));
    if (existsSync(join(folder, '.git'))) return found;
  }
  return [];
}

function readRules(folder: string): IgnoreRules {
  const rules = ignore();
  for (const name of ignoreFiles) {
    const file = join(folder, name);
    if (existsSync(file)) rules.add(readFileSync(file, 'utf8'));
  }
  return { folder, rules };
}

/** The nearest folder with an opinion decides. */
function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRules[]): boolean {
  for (const { folder, rules: own } of [...rules].reverse()) {
    const verdict = own.test(slashed(relative(folder, path)) + (isFolder ? '/' : ''));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
