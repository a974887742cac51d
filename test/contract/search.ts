import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Search, TextQuery } from '../../src/agent/host.ts';
import { type ContractParts, inFolder, signal, writeFiles } from './suite.ts';

type Queries = {
  readonly text: (pattern: string, changes?: Partial<TextQuery>) => Promise<readonly string[]>;
  readonly files: (pattern: string, path?: string) => Promise<readonly string[]>;
};

function queriesIn(folder: string, search: Search): Queries {
  const plain = {
    ignoreCase: false,
    multiline: false,
    mode: 'content',
    before: 0,
    after: 0,
    lineNumbers: true,
  } as const;
  return {
    text: async (pattern, changes = {}) =>
      (await search.text({ pattern, path: folder, limit: 1000, ...plain, ...changes }, signal())).lines,
    files: async (pattern, path = folder) => (await search.files({ pattern, path, limit: 1000 }, signal())).lines,
  };
}

/** What every implementation of `Search` does. */
export function searchContract(name: string, { makeHost, describe, it }: ContractParts): void {
  type Body = (queries: Queries, folder: string, search: Search) => Promise<void>;
  const test = (title: string, body: Body) =>
    it(title, () =>
      inFolder(async (folder) => {
        const { search } = await makeHost();
        await body(queriesIn(folder, search), folder, search);
      }),
    );

  describe(`Search: ${name}`, () => {
    describeText(test);
    describeFiles(test);
    describeLimits(test);
  });
}

type Test = (title: string, body: (queries: Queries, folder: string, search: Search) => Promise<void>) => unknown;

function describeText(test: Test): void {
  test('shows matches with path and line, sorted by path', async ({ text }, folder) => {
    await writeFiles(folder, { 'b.ts': 'let one = 1\n', 'a/z.ts': '\nconst one = 1;\r\n', 'a.ts': 'nothing\n' });
    assert.deepEqual(await text('one ='), ['a/z.ts:2:const one = 1;', 'b.ts:1:let one = 1']);
    assert.deepEqual(await text('one', { mode: 'files_with_matches' }), ['a/z.ts', 'b.ts']);
    assert.deepEqual(await text('1', { mode: 'count' }), ['a/z.ts:1', 'b.ts:1']);
    assert.deepEqual(await text('one', { lineNumbers: false }), ['a/z.ts:const one = 1;', 'b.ts:let one = 1']);
    assert.deepEqual(await text('nowhere'), []);
  });

  test('shows lines around a match', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.txt': '1\n2\nhit\n4\n5\n6\n7\nhit\n' });
    assert.deepEqual(await text('hit', { before: 1, after: 1 }), [
      'a.txt-2-2',
      'a.txt:3:hit',
      'a.txt-4-4',
      '--',
      'a.txt-7-7',
      'a.txt:8:hit',
    ]);
  });

  test('searches one file', async ({ text }, folder) => {
    await writeFiles(folder, { 'sub/a.txt': 'hit\n', 'sub/b.txt': 'hit\n' });
    assert.deepEqual(await text('hit', { path: join(folder, 'sub', 'a.txt') }), ['a.txt:1:hit']);
  });

  test('ignores case, and matches across lines, when asked', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.txt': 'Alpha\nbeta\ngamma\n' });
    assert.deepEqual(await text('alpha'), []);
    assert.deepEqual(await text('alpha', { ignoreCase: true }), ['a.txt:1:Alpha']);
    assert.deepEqual(await text('Alpha.*beta', { multiline: true }), ['a.txt:1:Alpha', 'a.txt:2:beta']);
    assert.deepEqual(await text('^beta$'), ['a.txt:2:beta']);
  });

  test('S17 takes a pattern that looks like an option as text', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.txt': 'run --pre=./evil now\n-e\n' });
    assert.deepEqual(await text('--pre=./evil'), ['a.txt:1:run --pre=./evil now']);
    assert.deepEqual(await text('-e'), ['a.txt:2:-e']);
  });

  test('says what is wrong with a pattern', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.txt': 'x\n' });
    await assert.rejects(text('foo('), /`foo\(` is not a regular expression .*Escape/s);
  });

  test('filters by glob and by type, without bringing back ignored files', async ({ text }, folder) => {
    await writeFiles(folder, {
      '.gitignore': '*.gen.ts\n',
      'a.ts': 'hit\n',
      'a.gen.ts': 'hit\n',
      'lib/b.tsx': 'hit\n',
      'lib/c.py': 'hit\n',
    });
    execFileSync('git', ['init', '-q', folder]);
    const names = (changes: Partial<TextQuery>) => text('hit', { mode: 'files_with_matches', ...changes });
    assert.deepEqual(await names({ glob: '*.{ts,tsx}' }), ['a.ts', 'lib/b.tsx']);
    assert.deepEqual(await names({ glob: '*.gen.ts' }), []);
    assert.deepEqual(await names({ glob: 'lib/**' }), ['lib/b.tsx', 'lib/c.py']);
    assert.deepEqual(await names({ glob: 'lib/*.py' }), ['lib/c.py']);
    assert.deepEqual(await names({ glob: '!*.ts' }), ['lib/b.tsx', 'lib/c.py']);
    assert.deepEqual(await names({ fileType: 'py' }), ['lib/c.py']);
    await assert.rejects(names({ fileType: 'nosuchtype' }), /nosuchtype/);
  });

  test('passes over binary files', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.bin': Buffer.from('hit\0hit\n'), 'b.txt': 'hit\n' });
    assert.deepEqual(await text('hit', { mode: 'files_with_matches' }), ['b.txt']);
  });

  test('cuts very long lines', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.txt': `hit${'x'.repeat(300_000)}\n` });
    const [line = ''] = await text('hit');
    assert.ok(line.startsWith('a.txt:1:hitxxx') && line.length < 600, `${line.length}`);
  });
}

function describeFiles(test: Test): void {
  const tree = { 'top.ts': '', 'src/a.ts': '', 'src/deep/b.ts': '', 'src/deep/c.js': '', '.github/x.ts': '' };

  test('finds files by pattern', async ({ files }, folder) => {
    await writeFiles(folder, tree);
    assert.deepEqual(await files('*.ts'), ['top.ts']);
    assert.deepEqual(await files('**/*.ts'), ['.github/x.ts', 'src/a.ts', 'src/deep/b.ts', 'top.ts']);
    assert.deepEqual(await files('src/*.ts'), ['src/a.ts']);
    assert.deepEqual(await files('./src/**/*.{ts,js}'), ['src/a.ts', 'src/deep/b.ts', 'src/deep/c.js']);
    assert.deepEqual(await files('{src,.github}/*.ts'), ['.github/x.ts', 'src/a.ts']);
    assert.deepEqual(await files('src/**'), ['src/a.ts', 'src/deep/b.ts', 'src/deep/c.js']);
    assert.deepEqual(await files('s*/d*/?.js'), ['src/deep/c.js']);
    assert.deepEqual(await files('top.ts'), ['top.ts']);
    assert.deepEqual(await files('*.ts', join(folder, 'src')), ['a.ts']);
    assert.deepEqual(await files('none/*.ts'), []);
  });

  test('leaves out what git ignores, and .git', async ({ files, text }, folder) => {
    execFileSync('git', ['init', '-q', folder]);
    await writeFiles(folder, {
      '.gitignore': 'build/\n*.log\n',
      'a.log': 'hit',
      'build/x.ts': 'hit',
      'src/.gitignore': 'private.ts\n!kept.log\n',
      'src/private.ts': 'hit',
      'src/kept.log': 'hit',
      'src/deep/private.ts': 'hit',
      'src/public.ts': 'hit',
    });
    assert.deepEqual(await files('**/*.{ts,log}'), ['src/kept.log', 'src/public.ts']);
    assert.deepEqual(await files('*.log'), []);
    assert.deepEqual(await text('hit', { mode: 'files_with_matches' }), ['src/kept.log', 'src/public.ts']);
    assert.deepEqual(await files('*', join(folder, 'src', 'deep')), []);
    assert.deepEqual(await files('.git/*'), []);
    assert.deepEqual(await files('*', join(folder, '.git')), []);
    assert.deepEqual(await text('repositoryformatversion', { path: join(folder, '.git') }), []);
  });

  test('heeds no ignore files above the repository, and outside of one only those of the folder', async (queries, folder) => {
    await writeFiles(folder, {
      '.gitignore': '*\n',
      'repository/.gitignore': 'left-out.ts\n',
      'repository/left-out.ts': 'hit',
      'repository/src/a.ts': 'hit',
      'plain/.gitignore': 'left-out.ts\n',
      'plain/left-out.ts': 'hit',
      'plain/a.ts': 'hit',
    });
    const [repository, plain] = [join(folder, 'repository'), join(folder, 'plain')];
    execFileSync('git', ['init', '-q', repository]);
    assert.deepEqual(await queries.files('**/*.ts', repository), ['src/a.ts']);
    assert.deepEqual(await queries.text('hit', { path: repository, mode: 'files_with_matches' }), ['src/a.ts']);
    assert.deepEqual(await queries.files('*.ts', join(repository, 'src')), ['a.ts']);
    assert.deepEqual(await queries.files('*.ts', plain), ['a.ts']);
  });

  test('does not leave the folder', async ({ files, text }, folder) => {
    await writeFiles(folder, { 'in/a.ts': 'hit', 'out/b.ts': 'hit' });
    await symlink(join(folder, 'out'), join(folder, 'in', 'link'), 'junction');
    const inside = join(folder, 'in');
    assert.deepEqual(await files('**/*.ts', inside), ['a.ts']);
    assert.deepEqual(await files('link/*.ts', inside), []);
    assert.deepEqual(await text('hit', { path: inside, glob: 'link/*.ts' }), []);
    await assert.rejects(files('../out/*.ts', inside), /leaves the folder/);
    await assert.rejects(text('hit', { path: inside, glob: '../out/*.ts' }), /leaves the folder/);
  });
}

function describeLimits(test: Test): void {
  test('stops at the limit and says so', async (_queries, folder, search) => {
    const names = Array.from({ length: 40 }, (_, index) => `f${String(index).padStart(2, '0')}.txt`);
    await writeFiles(folder, Object.fromEntries(names.map((file) => [file, 'hit\n'.repeat(100)])));
    const files = await search.files({ pattern: '*.txt', path: folder, limit: 3 }, signal());
    assert.deepEqual(files, { lines: names.slice(0, 3), isTruncated: true });
    const query = {
      pattern: 'hit',
      path: folder,
      ignoreCase: false,
      multiline: false,
      before: 0,
      after: 0,
      lineNumbers: true,
    };
    const lines = await search.text({ ...query, mode: 'content', limit: 150 }, signal());
    const expected = [...Array(150).keys()].map((index) => `f0${Math.floor(index / 100)}.txt:${(index % 100) + 1}:hit`);
    assert.deepEqual(lines, { lines: expected, isTruncated: true });
    const all = await search.text({ ...query, mode: 'content', limit: 4000 }, signal());
    assert.deepEqual([all.lines.length, all.isTruncated], [4000, false]);
    const counts = await search.text({ ...query, mode: 'count', limit: 2 }, signal());
    assert.deepEqual(counts, { lines: ['f00.txt:100', 'f01.txt:100'], isTruncated: true });
  });

  test('S41 survives a pattern that takes for ever', async ({ text }, folder) => {
    await writeFiles(folder, { 'a.txt': `${'a'.repeat(60)}!\n` });
    const started = Date.now();
    await text('(a+)+$').catch((error: Error) => assert.match(error.message, /too slow/));
    assert.ok(Date.now() - started < 5000);
  });

  test('ends when it is stopped', async (_queries, folder, search) => {
    await writeFiles(folder, { 'a.txt': 'hit\n' });
    await assert.rejects(
      search.files({ pattern: '**', path: folder, limit: 10 }, AbortSignal.abort(new Error('stopped'))),
      /stopped/,
    );
  });
}
