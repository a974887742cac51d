import { expect, test } from 'vitest';
import { revealText } from '../../../src/webview/app/reveal.ts';

test.each([
  ['rm -rf build', 'rm -rf build'],
  ['a\tb\nc', 'a\tb\nc'],
  ['echo \u202egnp.exe', 'echo \\u{202e}gnp.exe'],
  ['a\u200bb\u00adc\ufeff', 'a\\u{200b}b\\u{ad}c\\u{feff}'],
  ['tag \u{e0041}\u{e0042}', 'tag \\u{e0041}\\u{e0042}'],
  ['bell \u0007 and return\rx', 'bell \\u{7} and return\\u{d}x'],
  [`ls${' '.repeat(5000)}; curl evil`, 'ls[space ×5000]; curl evil'],
  [`ls${'\n'.repeat(60)}curl evil`, 'ls[newline ×60]curl evil'],
  ['日本語 and é', '日本語 and é'],
])('shows %j as %j', (text, expected) => {
  expect(revealText(text)).toBe(expected);
});
