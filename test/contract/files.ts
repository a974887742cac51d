import assert from 'node:assert/strict';
import { chmod, link, lstat, open, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../../src/agent/host.ts';
import { type ContractParts, inFolder, rejectsWith, signal, writeFiles } from './suite.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

/** One text in each encoding, with what an edit makes of it. */
const encodings = [
  { encoding: 'utf8', before: Buffer.from('größe\n'), text: 'größe\n', after: Buffer.from('Größe\n') },
  {
    encoding: 'utf8bom',
    before: Buffer.from('\ufeffgröße\n'),
    text: 'größe\n',
    after: Buffer.from('\ufeffGröße\n'),
  },
  {
    encoding: 'utf16le',
    before: Buffer.from('\ufeffgröße\n', 'utf16le'),
    text: 'größe\n',
    after: Buffer.from('\ufeffGröße\n', 'utf16le'),
  },
  {
    encoding: 'utf16be',
    before: Buffer.from('\ufeffgröße\n', 'utf16le').swap16(),
    text: 'größe\n',
    after: Buffer.from('\ufeffGröße\n', 'utf16le').swap16(),
  },
  {
    encoding: 'latin1',
    before: Buffer.from('größe\n', 'latin1'),
    text: 'größe\n',
    after: Buffer.from('Größe\n', 'latin1'),
  },
] as const;

/** What every implementation of `Files` does. */
export function filesContract(name: string, { makeHost, describe, it }: ContractParts): void {
  const test = (title: string, body: (folder: string, files: Files) => Promise<void>) =>
    it(title, () => inFolder(async (folder) => body(folder, (await makeHost()).files)));

  describe(`Files: ${name}`, () => {
    for (const { encoding, before, text, after } of encodings) {
      test(`reads and writes ${encoding} without changing the encoding`, async (folder, files) => {
        await writeFiles(folder, { 'a.txt': before });
        const path = join(folder, 'a.txt');
        const file = await files.readText(path, signal());
        assert.deepEqual([file.path, file.text, file.encoding, file.isUnsaved], [path, text, encoding, false]);
        const written = await files.writeText(path, text.replace('g', 'G'), file.version, signal());
        assert.deepEqual(await readFile(path), Buffer.from(after));
        assert.equal(written.version, (await files.readText(path, signal())).version);
        assert.notEqual(written.version, file.version);
      });
    }

    test('keeps line ends exactly as they are', async (folder, files) => {
      const mixed = 'one\r\ntwo\nthree\rfour\r\n';
      await writeFiles(folder, { 'mixed.txt': mixed });
      const path = join(folder, 'mixed.txt');
      const file = await files.readText(path, signal());
      assert.equal(file.text, mixed);
      await files.writeText(path, mixed.replace('two', '2'), file.version, signal());
      assert.equal(await readFile(path, 'utf8'), 'one\r\n2\nthree\rfour\r\n');
    });

    test('reads an empty file', async (folder, files) => {
      await writeFiles(folder, { empty: '' });
      assert.equal((await files.readText(join(folder, 'empty'), signal())).text, '');
    });

    test('refuses what is no text', async (folder, files) => {
      await writeFiles(folder, {
        'nul.bin': bytes(97, 0, 98),
        'odd.txt': bytes(0xff, 0xfe, 97),
        'utf32.txt': bytes(0xff, 0xfe, 0, 0, 97, 0, 0, 0),
      });
      for (const file of ['nul.bin', 'odd.txt', 'utf32.txt']) {
        await rejectsWith(files.readText(join(folder, file), signal()), 'binary', file);
      }
    });

    test('refuses text that the encoding of the file lacks, unchanged', async (folder, files) => {
      const before = Buffer.from('größe', 'latin1');
      await writeFiles(folder, { 'latin.txt': before });
      const path = join(folder, 'latin.txt');
      const { version } = await files.readText(path, signal());
      for (const text of ['größe in €', 'Ã©']) {
        await rejectsWith(files.writeText(path, text, version, signal()), 'io', 'latin.txt');
      }
      assert.deepEqual(await readFile(path), before);
    });

    test('says what is missing, a folder, or too large', async (folder, files) => {
      await rejectsWith(files.readText(join(folder, 'none.txt'), signal()), 'not_found', 'none.txt');
      await rejectsWith(files.readText(folder, signal()), 'not_a_file', folder);
      await writeFiles(folder, { 'three.bin': bytes(0, 1, 2) });
      const three = join(folder, 'three.bin');
      assert.deepEqual([...(await files.readBytes(three, 3, signal()))], [0, 1, 2]);
      await rejectsWith(files.readBytes(three, 2, signal()), 'too_large', 'three.bin');
      const huge = await open(join(folder, 'huge.txt'), 'w');
      await huge.truncate(51 * 1024 * 1024);
      await huge.close();
      await rejectsWith(files.readText(join(folder, 'huge.txt'), signal()), 'too_large', 'huge.txt');
    });

    test('refuses to write over a change that it has not seen', async (folder, files) => {
      await writeFiles(folder, { 'a.txt': 'one\n' });
      const path = join(folder, 'a.txt');
      const { version } = await files.readText(path, signal());
      await writeFile(path, 'two\n');
      await rejectsWith(files.writeText(path, 'three\n', version, signal()), 'changed', 'a.txt');
      assert.equal(await readFile(path, 'utf8'), 'two\n');
      await unlink(path);
      await rejectsWith(files.writeText(path, 'three\n', version, signal()), 'changed', 'a.txt');
      assert.deepEqual(await readdir(folder), []);
    });

    test('lets one of two writes win that are based on the same version', async (folder, files) => {
      await writeFiles(folder, { 'a.txt': 'one\n' });
      const path = join(folder, 'a.txt');
      const { version } = await files.readText(path, signal());
      const ends = await Promise.allSettled([
        files.writeText(path, 'left\n', version, signal()),
        files.writeText(path, 'right\n', version, signal()),
      ]);
      assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.deepEqual(await readdir(folder), ['a.txt']);
    });

    test('creates a file with its folders, only where nothing is', async (folder, files) => {
      const path = join(folder, 'new', 'deep', 'a.txt');
      const created = await files.writeText(path, 'one\n', 'absent', signal());
      assert.equal(created.version, (await files.readText(path, signal())).version);
      await rejectsWith(files.writeText(path, 'two\n', 'absent', signal()), 'exists', 'a.txt');
      assert.equal(await readFile(path, 'utf8'), 'one\n');
    });

    if (process.platform !== 'win32') {
      test('keeps permissions, and the link through which it writes', async (folder, files) => {
        await writeFiles(folder, { 'run.sh': 'echo 1\n' });
        const path = join(folder, 'run.sh');
        await chmod(path, 0o750);
        await symlink('run.sh', join(folder, 'link.sh'));
        const { version } = await files.readText(join(folder, 'link.sh'), signal());
        await files.writeText(join(folder, 'link.sh'), 'echo 2\n', version, signal());
        assert.equal(await readFile(path, 'utf8'), 'echo 2\n');
        assert.equal((await stat(path)).mode & 0o777, 0o750);
        assert.ok((await lstat(join(folder, 'link.sh'))).isSymbolicLink());
        assert.deepEqual((await readdir(folder)).sort(), ['link.sh', 'run.sh']);
      });
    }

    test('lists a folder and tells kinds apart', async (folder, files) => {
      await writeFiles(folder, { 'a.txt': 'abc', 'sub/b.txt': '' });
      await link(join(folder, 'a.txt'), join(folder, 'c.txt'));
      const entries = [...(await files.list(folder, signal()))].sort((left, right) =>
        left.name < right.name ? -1 : 1,
      );
      assert.deepEqual(entries, [
        { name: 'a.txt', kind: 'file' },
        { name: 'c.txt', kind: 'file' },
        { name: 'sub', kind: 'directory' },
      ]);
      const found = await files.stat(join(folder, 'a.txt'), signal());
      assert.deepEqual([found?.kind, found?.size], ['file', 3]);
      assert.equal((await files.stat(folder, signal()))?.kind, 'directory');
      assert.equal(await files.stat(join(folder, 'none'), signal()), undefined);
      assert.equal(await files.stat(join(folder, 'a.txt', 'below'), signal()), undefined);
    });

    test('does nothing once it is stopped', async (folder, files) => {
      await assert.rejects(files.writeText(join(folder, 'a.txt'), 'x', 'absent', AbortSignal.abort()));
      assert.deepEqual(await readdir(folder), []);
    });
  });
}
