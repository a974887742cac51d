import { expect, test } from 'vitest';
import { amendedText } from '../../../src/editor/review/amendedText.ts';

test('a text that was only shown comes back byte for byte', () => {
  const proposed = 'a\r\nb\nc\rd';
  expect(amendedText(proposed, 'a\nb\nc\nd')).toBe(proposed);
});

test('one kind of line end is kept for all lines, also for new ones', () => {
  expect(amendedText('a\r\nb\r\n', 'a\nnew\nb\n')).toBe('a\r\nnew\r\nb\r\n');
});

test('a text without line ends takes those of the buffer', () => {
  expect(amendedText('a', 'a\nb\n')).toBe('a\nb\n');
});

test('mixed line ends survive around the lines that were changed', () => {
  expect(amendedText('a\r\nb\nc\rd\n', 'a\nB\nc\nd\n')).toBe('a\r\nB\nc\rd\n');
  expect(amendedText('a\r\nb\nc\r\n', 'a\nb\n')).toBe('a\r\nb\n');
  expect(amendedText('a\r\na\na\r\n', 'a\na\n')).toBe('a\r\na\n');
  expect(amendedText('a\r\nb\n', '')).toBe('');
});
