import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import bundle from '../../../l10n/bundle.l10n.zh-cn.json' with { type: 'json' };

/** Every text that the code hands to `t`, in the extension and in the page. */
async function usedTexts(): Promise<readonly string[]> {
  const texts = new Set<string>();
  for await (const file of glob('src/{editor,webview}/**/*.{ts,tsx}')) {
    const source = await readFile(file, 'utf8');
    for (const [, text = ''] of source.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g))
      texts.add(text.replace(/\\(.)/g, '$1'));
  }
  return [...texts].sort();
}

const placeholders = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([found]) => found).sort();

test('every text has a translation, and no translation is left over', async () => {
  const used = await usedTexts();
  expect(used.length).toBeGreaterThan(100);
  expect(Object.keys(bundle).sort()).toEqual(used);
});

test('translations keep the placeholders', () => {
  for (const [text, translation] of Object.entries(bundle))
    expect(placeholders(translation)).toEqual(placeholders(text));
});
