import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, textVersion } from '../../../src/agent/node/text.ts';

const cases: readonly (readonly [string, readonly number[], { text: string; encoding: string } | undefined])[] = [
  ['nothing', [], { text: '', encoding: 'utf8' }],
  ['ASCII', [97, 10], { text: 'a\n', encoding: 'utf8' }],
  ['UTF-8', [0xe4, 0xb8, 0xad], { text: '中', encoding: 'utf8' }],
  ['UTF-8 with mark', [0xef, 0xbb, 0xbf, 97], { text: 'a', encoding: 'utf8bom' }],
  ['two marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], { text: '\ufeff', encoding: 'utf8bom' }],
  ['UTF-16 LE', [0xff, 0xfe, 0x2d, 0x4e], { text: '中', encoding: 'utf16le' }],
  ['UTF-16 BE', [0xfe, 0xff, 0x4e, 0x2d], { text: '中', encoding: 'utf16be' }],
  ['half a character in UTF-16', [0xff, 0xfe, 0x00, 0xd8], { text: '\ud800', encoding: 'utf16le' }],
  ['Latin-1', [0xe9, 97], { text: 'éa', encoding: 'latin1' }],
  ['control characters of Latin-1', [0x80, 0x9f, 0xff], { text: '\x80\x9fÿ', encoding: 'latin1' }],
  ['cut UTF-8', [0xe4, 0xb8], { text: 'ä¸', encoding: 'latin1' }],
  ['NUL', [97, 0], undefined],
  ['odd UTF-16', [0xff, 0xfe, 97], undefined],
  ['UTF-32', [0xff, 0xfe, 0, 0, 97, 0, 0, 0], undefined],
];

describe('text of bytes', () => {
  it.each(cases)('%s', (_name, values, expected) => {
    const bytes = Uint8Array.from(values);
    const decoded = decodeText(bytes);
    expect(decoded).toEqual(expected);
    if (decoded) expect([...(encodeText(decoded.text, decoded.encoding) ?? [])]).toEqual(values);
  });

  it('gives back any bytes that it takes for text', () => {
    let state = 1;
    const next = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    };
    for (let round = 0; round < 2000; round++) {
      const bytes = Uint8Array.from({ length: next() % 12 }, () => next() & 0xff);
      const decoded = decodeText(bytes);
      if (decoded) expect([...(encodeText(decoded.text, decoded.encoding) ?? [])]).toEqual([...bytes]);
    }
  });

  it('decodes a part of a larger buffer', () => {
    expect(decodeText(Uint8Array.from([0, 0, 97, 98]).subarray(2))).toEqual({ text: 'ab', encoding: 'utf8' });
  });
});

describe('bytes of text', () => {
  it.each([
    ['€', 'latin1'],
    ['Ã©', 'latin1'],
    ['a\0', 'utf8'],
    ['\ud800', 'utf8'],
    ['\udc00x', 'utf8bom'],
    ['\0a', 'utf16le'],
  ] as const)('refuses %j as %s', (text, encoding) => {
    expect(encodeText(text, encoding)).toBeUndefined();
  });
});

describe('version of a text', () => {
  it('is the same for the same text only', () => {
    expect(textVersion('a\n')).toBe(textVersion('a\n'));
    expect(textVersion('a\n')).not.toBe(textVersion('a\r\n'));
  });
});
