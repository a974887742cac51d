import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globTool } from '../../../src/agent/tools/glob.ts';
import { grepTool } from '../../../src/agent/tools/grep.ts';
import { createToolBench, type ToolBench } from '../../support/toolContext.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await createToolBench();
});
afterEach(() => bench.remove());

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(bench.folder, name)), { recursive: true });
    await writeFile(join(bench.folder, name), content);
  }
}
const glob = (input: object) => bench.run(globTool, input);
const grep = (input: object) => bench.run(grepTool, input);

describe('Glob', () => {
  it('shows paths as Read takes them', async () => {
    await put({ 'src/a.ts': '', 'src/deep/b.ts': '', 'top.ts': '' });
    const deep = { content: 'src/a.ts\nsrc/deep/b.ts', summary: '2 files' };
    expect(await glob({ pattern: 'src/**/*.ts' })).toEqual(deep);
    expect(await glob({ pattern: '**/*.ts', path: 'src' })).toEqual(deep);
    expect(await glob({ pattern: join(bench.folder, 'src', '**', '*.ts') })).toEqual(deep);
    expect(await glob({ pattern: '*.ts' })).toEqual({ content: 'top.ts', summary: '1 file' });
    expect(await glob({ pattern: '*.py' })).toEqual({ content: 'No files match.', summary: 'no files' });
  });

  it('S33 stays in the workspace', async () => {
    for (const input of [
      { pattern: '../**' },
      { pattern: '/etc/*' },
      { pattern: '*', path: '..' },
      { pattern: '../../*', path: 'src' },
    ]) {
      await expect(glob(input), JSON.stringify(input)).rejects.toThrow('outside the workspace');
    }
    await expect(glob({ pattern: 'a/../../*' })).rejects.toThrow('leaves the folder');
    expect(globTool.prepare({ pattern: '/etc/*' }).paths).toEqual(['/etc']);
    expect(globTool.prepare({ pattern: '*', path: 'src' })).toMatchObject({ paths: ['src'], summary: 'Glob * in src' });
  });

  it('says when it cut', async () => {
    await put(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}.ts`, ''])));
    const { content, summary } = await glob({ pattern: '*' });
    expect(summary).toBe('200+ files');
    expect(content).toContain('Only the first 200.');
  });
});

describe('Grep', () => {
  it('lists files, lines or counts', async () => {
    await put({ 'src/a.ts': 'foo\nbar\nfoo\n', 'b.ts': 'foo\n' });
    expect(await grep({ pattern: 'foo' })).toEqual({ content: 'b.ts\nsrc/a.ts', summary: '2 files' });
    expect(await grep({ pattern: 'foo', output_mode: 'content', path: 'src' })).toEqual({
      content: 'src/a.ts:1:foo\nsrc/a.ts:3:foo',
      summary: '2 matches',
    });
    expect((await grep({ pattern: 'bar', output_mode: 'content', path: 'src/a.ts', '-C': 1 })).content).toBe(
      'src/a.ts-1-foo\nsrc/a.ts:2:bar\nsrc/a.ts-3-foo',
    );
    expect((await grep({ pattern: 'FOO', '-i': true, output_mode: 'count' })).content).toBe('b.ts:1\nsrc/a.ts:2');
    expect((await grep({ pattern: 'foo', output_mode: 'content', '-n': false, path: 'b.ts' })).content).toBe(
      'b.ts:foo',
    );
    expect(await grep({ pattern: 'none' })).toEqual({ content: 'No matches.', summary: 'no matches' });
    expect(grepTool.prepare({ pattern: 'foo', path: 'src' })).toMatchObject({
      summary: 'Grep "foo" src',
      paths: ['src'],
    });
  });

  it('bounds its output', async () => {
    await put({ 'a.txt': 'hit\n'.repeat(500), 'w.txt': `wide ${'x'.repeat(450)}\n`.repeat(100) });
    const lines = async (input: object) => {
      const { content } = await grep({ output_mode: 'content', ...input });
      return typeof content === 'string' ? content.split('\n') : [];
    };
    expect(await lines({ pattern: 'hit' })).toHaveLength(251);
    expect(await lines({ pattern: 'hit', head_limit: 10 })).toHaveLength(11);
    expect(await lines({ pattern: 'hit', head_limit: 0 })).toHaveLength(500);
    const wide = await lines({ pattern: 'wide', head_limit: 0 });
    expect(wide.join('\n').length).toBeLessThan(10_200);
    expect(wide.at(-1)).toContain('Only the first 21 lines');
  });

  it('S33 stays in the workspace', async () => {
    await expect(grep({ pattern: 'x', path: '../' })).rejects.toThrow('outside the workspace');
    await expect(grep({ pattern: 'x', path: '/etc' })).rejects.toThrow('outside the workspace');
    await expect(grep({ pattern: 'x', glob: '../*' })).rejects.toThrow('leaves the folder');
  });

  it('takes options for text and refuses unknown fields', async () => {
    await put({ 'a.txt': '--pre=./e\n' });
    expect((await grep({ pattern: '--pre=./e' })).content).toBe('a.txt');
    expect(() => grepTool.prepare({ pattern: 'x', context: 3 })).toThrow('context');
    expect(() => grepTool.prepare({ pattern: 'x', type: 'a --pre b' })).toThrow('type');
  });
});
