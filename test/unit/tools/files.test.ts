import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { editTool } from '../../../src/agent/tools/edit.ts';
import { readTool } from '../../../src/agent/tools/read.ts';
import { writeTool } from '../../../src/agent/tools/write.ts';
import { createToolBench, type ToolBench } from '../../support/toolContext.ts';

let bench: ToolBench;
afterEach(() => bench.remove());

async function benchWith(files: Readonly<Record<string, string | Uint8Array>>, scripted = {}): Promise<void> {
  bench = await createToolBench(scripted);
  for (const [name, content] of Object.entries(files)) await writeFile(join(bench.folder, name), content);
}
const onDisk = (name: string) => readFile(join(bench.folder, name), 'utf8');
const read = (input: object) => bench.run(readTool, input);

describe('Read', () => {
  it('numbers lines and remembers the version', async () => {
    await benchWith({ 'a.ts': 'one\r\n\ttwo\n\nfour' });
    expect(await read({ file_path: 'a.ts' })).toEqual({
      content: '1\tone\n2\t\ttwo\n3\t\n4\tfour',
      summary: '4 lines',
      filesRead: [join(bench.folder, 'a.ts')],
    });
    expect(bench.reads.versionOf(join(bench.folder, 'a.ts'))).toBeTypeOf('string');
    expect(readTool.prepare({ file_path: 'a.ts' })).toMatchObject({ summary: 'Read a.ts', paths: ['a.ts'] });
  });

  it('gives a part and says how to go on', async () => {
    await benchWith({ 'a.ts': '1\n2\n3\n4\n5\n' });
    expect(await read({ file_path: 'a.ts', offset: 2, limit: 2 })).toMatchObject({
      content: '2\t2\n3\t3\n\n(Lines 2–3 of 5. Go on with offset 4.)',
      summary: 'lines 2–3 of 5',
    });
    expect(await read({ file_path: 'a.ts', offset: 4, limit: 9 })).toMatchObject({
      content: '4\t4\n5\t5',
      summary: 'lines 4–5',
    });
    expect(await read({ file_path: 'a.ts', offset: 6 })).toMatchObject({
      content: 'The file has 5 lines; line 6 is past its end.',
      isError: true,
    });
  });

  it('bounds lines and characters', async () => {
    await benchWith({
      'many.txt': 'x\n'.repeat(5000),
      'wide.txt': `${'y'.repeat(1000)}\n`.repeat(100),
      'long.txt': 'z'.repeat(5000),
    });
    expect((await read({ file_path: 'many.txt', limit: 4000 })).summary).toBe('lines 1–2000 of 5000');
    const wide = await read({ file_path: 'wide.txt' });
    expect(wide.summary).toBe('lines 1–39 of 100');
    expect(wide.content.length).toBeLessThan(40_100);
    expect((await read({ file_path: 'long.txt' })).content).toBe(`1\t${'z'.repeat(2000)}… [3000 more characters]`);
  });

  it('says what it found instead of text', async () => {
    await benchWith({ 'empty.ts': '', 'nul.bin': Uint8Array.of(1, 0, 2), 'Other.ts': 'x' });
    await mkdir(join(bench.folder, 'src'));
    expect((await read({ file_path: 'empty.ts' })).content).toBe('(The file is empty.)');
    await expect(read({ file_path: 'nul.bin' })).rejects.toThrow('is not a text file');
    await expect(read({ file_path: 'src' })).rejects.toThrow('src is a folder. List it with Glob');
    await expect(read({ file_path: 'other.js' })).rejects.toThrow('other.js does not exist. Did you mean Other.ts?');
    await expect(read({ file_path: 'none/x' })).rejects.toThrow('none/x does not exist. Find it with Glob.');
    await expect(read({ file_path: '../x' })).rejects.toThrow('outside the workspace');
  });

  it('shows images', async () => {
    await benchWith({ 'dot.png': Uint8Array.of(137, 80, 78, 71) });
    expect((await read({ file_path: 'dot.png' })).content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
    ]);
    await writeFile(join(bench.folder, 'big.png'), new Uint8Array(5 * 1024 * 1024 + 1));
    await expect(read({ file_path: 'big.png' })).rejects.toThrow('at most');
  });

  it('reads artifacts by their path', async () => {
    await benchWith({});
    await writeFile(join(bench.artifacts, '1.txt'), 'whole');
    expect((await read({ file_path: join(bench.artifacts, '1.txt') })).content).toBe('1\twhole');
  });

  it.each([
    [{}, 'file_path'],
    [{ file_path: 'a', offset: 0 }, 'offset'],
    [{ file_path: 'a', lines: 3 }, 'lines'],
  ])('refuses the input %j', async (input, field) => {
    await benchWith({});
    expect(() => readTool.prepare(input)).toThrow(field);
  });
});

describe('Write', () => {
  const write = (file_path: string, content: string) => bench.run(writeTool, { file_path, content });

  it('creates a file with its folders, and may change it after', async () => {
    await benchWith({});
    expect(await write('new/a.ts', 'one\n')).toEqual({ content: 'Created new/a.ts.', summary: '1 lines' });
    expect(await write('new/a.ts', 'one\ntwo\n')).toEqual({ content: 'Replaced new/a.ts.', summary: '2 lines' });
    expect(await onDisk('new/a.ts')).toBe('one\ntwo\n');
    expect((await write('new/a.ts', 'one\ntwo\n')).summary).toBe('unchanged');
  });

  it('replaces only what was read, as it was read', async () => {
    await benchWith({ 'a.ts': 'one\n' });
    await expect(write('a.ts', 'two\n')).rejects.toThrow('a.ts has not been read yet');
    await read({ file_path: 'a.ts' });
    await writeFile(join(bench.folder, 'a.ts'), 'other\n');
    await expect(write('a.ts', 'two\n')).rejects.toThrow('a.ts has changed since it was read');
    expect(await onDisk('a.ts')).toBe('other\n');
  });

  it('keeps the line ends of the file', async () => {
    await benchWith({ 'a.ts': 'one\r\ntwo\r\n' });
    await read({ file_path: 'a.ts' });
    await write('a.ts', 'one\n2\n');
    expect(await onDisk('a.ts')).toBe('one\r\n2\r\n');
  });

  it('refuses folders, binary files and places outside', async () => {
    await benchWith({ 'a.bin': Uint8Array.of(0, 1) });
    await expect(write('.', 'x')).rejects.toThrow('is a folder');
    await expect(write('a.bin', 'x')).rejects.toThrow('not a text file');
    await expect(write('../x', 'x')).rejects.toThrow('outside the workspace');
    await expect(write(join(bench.artifacts, 'x'), 'x')).rejects.toThrow('may only be read');
  });
});

describe('Edit', () => {
  const edit = (old_string: string, new_string: string, more = {}) =>
    bench.run(editTool, { file_path: 'a.ts', old_string, new_string, ...more });

  it('replaces one place and can go on without reading again', async () => {
    await benchWith({ 'a.ts': 'one\ntwo\n' });
    await read({ file_path: 'a.ts' });
    expect(await edit('two', '2')).toEqual({ content: 'Edited a.ts at line 2.', summary: 'line 2' });
    await edit('one', '1');
    expect(await onDisk('a.ts')).toBe('1\n2\n');
  });

  it('refuses without a reading, and says why nothing matched', async () => {
    await benchWith({ 'a.ts': 'x = 1\ny = 1\n' });
    await expect(edit('x', 'z')).rejects.toThrow('has not been read yet');
    await read({ file_path: 'a.ts' });
    await expect(edit('1', '2')).rejects.toThrow('occurs 2 times in a.ts (lines 1, 2)');
    await expect(edit('x  = 1', 'z')).rejects.toThrow('Line 1 differs only in white space');
    await expect(edit('', 'z')).rejects.toThrow('`old_string` is empty');
    await expect(edit('x', 'x')).rejects.toThrow('the same');
    expect(await edit('1', '2', { replace_all: true })).toMatchObject({ summary: '2 places' });
    expect(await onDisk('a.ts')).toBe('x = 2\ny = 2\n');
  });

  it('keeps encoding, mark and line ends', async () => {
    await benchWith({ 'a.ts': Buffer.from('\ufeffgrün\r\nrot\r\n', 'utf16le') });
    await read({ file_path: 'a.ts' });
    await edit('grün\nrot', 'grün\nblau\nrot');
    const written = await readFile(join(bench.folder, 'a.ts'), 'utf16le');
    expect(written).toBe('\ufeffgrün\r\nblau\r\nrot\r\n');
  });

  it('tells the model what the user decided', async () => {
    await benchWith({ 'a.ts': 'one\n' }, { review: () => ({ decision: 'reject', reason: 'Keep it.' }) });
    await read({ file_path: 'a.ts' });
    expect(await edit('one', 'two')).toEqual({
      content: 'The user rejected this change to a.ts; nothing was written. Reason: Keep it.',
      summary: 'rejected',
      isError: true,
    });
    expect(await onDisk('a.ts')).toBe('one\n');
  });

  it('tells the model what the user changed', async () => {
    const review = (after: string) => ({ decision: 'accept', text: after.replace('two', 'TWO') }) as const;
    await benchWith({ 'a.ts': 'one\n' }, { review });
    await read({ file_path: 'a.ts' });
    const result = await edit('one', 'two\nthree');
    expect(result.content).toBe(
      'Edited a.ts at line 1. The user changed the text before it was written:\n@@ -1,2 +1,2 @@\n-two\n+TWO\n three\n',
    );
    expect(await onDisk('a.ts')).toBe('TWO\nthree\n');
  });
});
