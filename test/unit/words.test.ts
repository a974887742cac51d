import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { root } from './layers/source.ts';

const tableSchema = z.record(z.string(), z.string());
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const readTable = (path: string) => (existsSync(join(root, path)) ? tableSchema.parse(JSON.parse(readText(path))) : {});
const bundlePath = 'l10n/bundle.l10n.zh-cn.json';

type Words = { readonly translated: ReadonlySet<string>; readonly literals: ReadonlySet<string> };

/** The texts given to `t('…')` and `l10n.t('…')`, and all texts of the code, from which some are translated by a variable. */
function wordsOf(path: string, text: string): Words {
  const translated = new Set<string>();
  const literals = new Set<string>();
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') literals.add(node.value);
    },
    CallExpression(node) {
      const [first] = node.arguments;
      if (first?.type !== 'Literal' || !('value' in first) || typeof first.value !== 'string') return;
      const callee = text.slice(node.callee.start, node.callee.end);
      if (callee === 't' || callee.endsWith('.t')) translated.add(first.value);
    },
  }).visit(parseSync(path, text).program);
  return { translated, literals };
}

function codeFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);
}

const all = ['src/extension.ts', ...codeFiles('src/editor'), ...codeFiles('src/webview')].map((path) =>
  wordsOf(path, readText(path)),
);
const translated = new Set(all.flatMap((words) => [...words.translated]));
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

test('every key of package.json has its words in English and Chinese, and none is left over', () => {
  const used = new Set([...readText('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
  for (const path of ['package.nls.json', 'package.nls.zh-cn.json']) {
    expect(Object.keys(readTable(path)).sort(), path).toEqual([...used].sort());
  }
});

test('every text of the editor and the page has its Chinese words', () => {
  const bundle = readTable(bundlePath);
  expect([...translated].filter((text) => !bundle[text])).toEqual([]);
});

test('translations hold the same values, and none is left over', () => {
  const bundle = readTable(bundlePath);
  const literals = new Set(all.flatMap((words) => [...words.literals]));
  const entries = Object.entries(bundle);
  expect(entries.filter(([text, words]) => placeholders(text).join() !== placeholders(words).join())).toEqual([]);
  expect(entries.map(([text]) => text).filter((text) => !literals.has(text))).toEqual([]);
});

test('texts are found in calls, not in comments', () => {
  const words = wordsOf(
    'x.tsx',
    `// t('no')\nconst x = <b title={t('one')}>{vscode.l10n.t('two {0}', set('three'))}</b>;`,
  );
  expect([...words.translated]).toEqual(['one', 'two {0}']);
});
