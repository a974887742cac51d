import { describe, expect, it } from 'vitest';
import { replaceIn } from '../../../src/agent/tools/replace.ts';

function replaced(text: string, oldPart: string, newPart: string, isAll = false): string {
  const result = replaceIn(text, oldPart, newPart, isAll);
  if (result.kind !== 'replaced') throw new Error(JSON.stringify(result));
  return result.text;
}

describe('replacing a part of a text', () => {
  it.each([
    ['line feeds', 'a\nb\nc\n', 'b\n', 'B\nB2\n', 'a\nB\nB2\nc\n'],
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\nb', 'a\r\nx\r\nb\r\nc\r\n'],
    ['lone CR', 'a\rb\rc', 'a\nb', 'a\nx\nb', 'a\rx\rb\rc'],
    ['mixed, untouched parts stay', 'a\r\nb\nc\rd\n', 'b\nc', 'b\nC', 'a\r\nb\nC\rd\n'],
    ['mixed, the span decides', 'a\r\nb\nc\r\nd\r\n', 'b\nc', 'b\nx\nc', 'a\r\nb\nx\nc\r\nd\r\n'],
    ['no line end in the span: the file decides', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['model writes CRLF, file has line feeds', 'a\nb\n', 'a\r\nb', 'a\r\nB', 'a\nB\n'],
    ['deletes a line', 'a\r\nb\r\nc', 'b\n', '', 'a\r\nc'],
    ['special replacement characters', 'a b', 'b', '$& $1 $$', 'a $& $1 $$'],
    ['at the very end', 'a\r\nb', 'b', 'b\n', 'a\r\nb\r\n'],
    ['surrogate pairs', '😀 x', '😀', '😁', '😁 x'],
  ])('%s', (_name, text, oldPart, newPart, expected) => {
    expect(replaced(text, oldPart, newPart)).toBe(expected);
  });

  it('replaces all places, each with its own line ends', () => {
    expect(replaced('a\r\nb\r\n-\na\nb\n', 'a\nb', 'x\ny\nz', true)).toBe('x\r\ny\r\nz\r\n-\nx\ny\nz\n');
    expect(replaceIn('x\nx x\n', 'x', 'y', true)).toEqual({ kind: 'replaced', text: 'y\ny y\n', lines: [1, 2, 2] });
    expect(replaced('aaa', 'aa', 'b', true)).toBe('ba');
  });

  it('names the lines when it cannot tell which is meant', () => {
    expect(replaceIn('x\n\nx\r\ny x', 'x', 'z', false)).toEqual({ kind: 'ambiguous', lines: [1, 3, 4] });
    expect(replaceIn('aaa', 'aa', 'b', false)).toEqual({ kind: 'ambiguous', lines: [1, 1] });
  });

  it('hints at what differs', () => {
    const text = 'function a() {\n\treturn 1;\n}\n';
    expect(replaceIn(text, '  return 1;', '', false)).toEqual({
      kind: 'absent',
      hint: 'Line 2 differs only in white space; it is:\n\treturn 1;',
    });
    expect(replaceIn(text, '1\tfunction a() {\n2\t\treturn 1;', '', false)).toEqual({
      kind: 'absent',
      hint: 'Leave out the line numbers that Read puts in front.',
    });
    expect(replaceIn(text, 'function a() {\n  return 2;', '', false)).toEqual({
      kind: 'absent',
      hint: 'Its first line is like line 1, but what follows differs.',
    });
    expect(replaceIn(text, 'nowhere', '', false)).toEqual({ kind: 'absent', hint: undefined });
  });

  it('changes nothing but the span in any mix of line ends', () => {
    const ends = ['\n', '\r\n', '\r'];
    for (let mix = 0; mix < 3 ** 4; mix++) {
      const end = (place: number) => ends[Math.floor(mix / 3 ** place) % 3] ?? '';
      const before = `a${end(0)}b${end(1)}`;
      const after = `${end(2)}d${end(3)}`;
      expect(replaced(`${before}c${after}`, 'b\nc\nd', 'b\nC\nd')).toBe(`${before}C${after}`);
    }
  });
});
