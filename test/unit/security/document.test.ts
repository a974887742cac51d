import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../../docs');
const document = readFileSync(join(docs, 'security.md'), 'utf8');
const links = (text: string) =>
  [...text.matchAll(/\[((?:[^\][]|\\[[\]])+)\]\((\.\.\/test\/[^)]+)\)/g)].map(([, title = '', path = '']) => ({
    title,
    path,
  }));
const sources = new Map<string, string>();
function sourceOf(path: string): string {
  const source = sources.get(path) ?? readFileSync(join(docs, path), 'utf8');
  sources.set(path, source);
  return source;
}
const part = (title: string) => document.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
const rows = (text: string) =>
  text.split('\n').filter((line) => /^\| (?!id |promise |-)/.test(line) && !/^\|-/.test(line));

/** Numbers of attacks that are known; 23 and 27 were never given. */
const ids = Array.from({ length: 46 }, (_, index) => `S${index + 1}`).filter((id) => id !== 'S23' && id !== 'S27');

describe('the page on security', () => {
  it.each(links(document))('names a test that is there: $title', ({ title, path }) => {
    const source = sourceOf(path);
    const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``, `'${title.replaceAll("'", "\\'")}'`];
    expect(
      quoted.some((words) => source.includes(words)),
      `${title} in ${path}`,
    ).toBe(true);
  });

  it('has a test for each promise', () => {
    const promises = rows(part('What is promised'));
    expect(promises.length).toBeGreaterThan(10);
    expect(promises.filter((row) => links(row).length === 0)).toEqual([]);
  });

  it('has each attack once, with a test that bears its id or the reason why not', () => {
    const attacks = rows(part('Attacks'));
    expect(attacks.map((row) => /^\| (S\d+) \|/.exec(row)?.[1])).toEqual(ids);
    const unheld = attacks.filter((row) => {
      const [, id = ''] = /^\| (S\d+) \|/.exec(row) ?? [];
      const held = links(row).some(({ path }) => new RegExp(`\\b${id}\\b`).test(sourceOf(path)));
      return !held && !/\| Not yet: [^|]+\. \|$/.test(row);
    });
    expect(unheld).toEqual([]);
  });

  it('leads to pages that are there', () => {
    for (const [, path = ''] of document.matchAll(/\]\((?!\.\.\/test)([\w./-]+\.md)\)/g)) {
      expect(readFileSync(join(docs, dirname(path), path.split('/').at(-1) ?? ''), 'utf8').length).toBeGreaterThan(0);
    }
  });
});
