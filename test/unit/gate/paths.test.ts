import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPathResolver, isInside, type PathResolver, spellOut } from '../../../src/agent/gate/places/paths.ts';

let top: string;
let app: string;
let paths: PathResolver;

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-paths-')));
  app = join(top, 'app');
  await mkdir(join(app, 'src'), { recursive: true });
  await mkdir(join(top, 'app-evil'));
  await writeFile(join(app, 'src', 'a.ts'), '');
  await writeFile(join(top, 'app-evil', 'x'), '');
  paths = createPathResolver({ roots: [app, join(top, 'second')], readOnlyRoots: [join(top, 'artifacts')] });
});

afterEach(() => rm(top, { recursive: true, force: true }));

describe('path resolver', () => {
  it('starts relative paths at the first root', async () => {
    expect(await paths.resolve('src/a.ts', 'read')).toBe(join(app, 'src', 'a.ts'));
    expect(await paths.resolve('./src/../src/a.ts', 'write')).toBe(join(app, 'src', 'a.ts'));
    expect(await paths.resolve('.', 'read')).toBe(app);
    expect(await paths.resolve(join(app, 'src'), 'read')).toBe(join(app, 'src'));
    expect(await paths.resolve(join(top, 'second', 'new.ts'), 'write')).toBe(join(top, 'second', 'new.ts'));
  });

  it('resolves what is not there yet', async () => {
    expect(await paths.resolve('new/deep/file.ts', 'write')).toBe(join(app, 'new', 'deep', 'file.ts'));
  });

  it.each(['../app-evil/x', '..', '/', '../app-evil', 'src/../../app-evil/new'])('refuses %s', async (path) => {
    await expect(paths.resolve(path, 'read')).rejects.toThrow(/is outside the workspace. Use a path inside .*app/);
    await expect(paths.resolve(path, 'write')).rejects.toThrow('outside the workspace');
  });

  it('refuses a root that only shares its beginning', async () => {
    await expect(paths.resolve(join(top, 'app-evil', 'x'), 'read')).rejects.toThrow('outside the workspace');
  });

  it('reads artifacts and writes none', async () => {
    const artifact = join(top, 'artifacts', '1.txt');
    expect(await paths.resolve(artifact, 'read')).toBe(artifact);
    await expect(paths.resolve(artifact, 'write')).rejects.toThrow('may only be read');
  });

  it('follows links out of the workspace and refuses them', async () => {
    await symlink(join(top, 'app-evil'), join(app, 'link'), 'junction');
    await symlink(join(top, 'app-evil', 'not-there'), join(app, 'dangling'));
    await symlink(join('..', 'app-evil', 'x'), join(app, 'file'));
    await symlink('dangling', join(app, 'second-hand'));
    for (const path of ['link', 'link/x', 'link/new/file', 'dangling', 'dangling/below', 'file', 'second-hand']) {
      await expect(paths.resolve(path, 'write'), path).rejects.toThrow('outside the workspace');
      await expect(paths.resolve(path, 'read'), path).rejects.toThrow('outside the workspace');
    }
  });

  it('sees a link that came up after an earlier look', async () => {
    expect(await paths.resolve('later/x', 'write')).toBe(join(app, 'later', 'x'));
    await symlink(join(top, 'app-evil'), join(app, 'later'), 'junction');
    await expect(paths.resolve('later/x', 'write')).rejects.toThrow('outside the workspace');
  });

  it('gives one path for two spellings', async () => {
    await symlink('src', join(app, 'alias'), 'junction');
    await symlink(app, join(top, 'alias-of-root'), 'junction');
    expect(await paths.resolve('alias/a.ts', 'write')).toBe(join(app, 'src', 'a.ts'));
    expect(await paths.resolve('alias/new.ts', 'write')).toBe(join(app, 'src', 'new.ts'));
    expect(await paths.resolve(join(top, 'alias-of-root', 'src', 'a.ts'), 'write')).toBe(join(app, 'src', 'a.ts'));
  });

  it('refuses links that never end', async () => {
    await symlink('two', join(app, 'one'));
    await symlink('one', join(app, 'two'));
    await expect(paths.resolve('one', 'read')).rejects.toThrow(/one/);
    await expect(paths.resolve('one/below', 'write')).rejects.toThrow(/one/);
  });

  it('spells out the home folder, which is outside as a rule', async () => {
    expect(spellOut('~/x')).toBe(join(homedir(), 'x'));
    expect(spellOut('~x')).toBe('~x');
    await expect(paths.resolve('~/.bashrc', 'read')).rejects.toThrow(`${homedir()}${sep}.bashrc`);
  });

  it.each([
    ['a\0b', 'NUL'],
    ['', 'empty'],
    ['\\\\server\\share\\x', 'network share'],
    ['//server/share/x', 'network share'],
    ['\\\\?\\C:\\x', 'network share'],
    ['file:///etc/passwd', 'address'],
  ])('refuses the spelling %j', async (path, reason) => {
    await expect(paths.resolve(path, 'read')).rejects.toThrow(reason);
  });

  it('refuses what Windows reads in another way', () => {
    for (const path of ['C:x', 'c:', 'a.txt:stream', 'C:\\w\\.git.\\x', '.vscode \\settings.json']) {
      expect(() => spellOut(path, 'win32'), path).toThrow();
    }
    for (const path of ['C:\\w\\a.ts', 'C:/w/a.ts', '..\\a.ts', '.\\.git\\x'])
      expect(spellOut(path, 'win32')).toBe(path);
  });

  it('shows paths so that they can be used again', async () => {
    expect(paths.show(join(app, 'src', 'a.ts'))).toBe('src/a.ts');
    expect(paths.show(app)).toBe('.');
    expect(paths.show(join(top, 'app-evil', 'x'))).toBe(join(top, 'app-evil', 'x'));
    expect(paths.show(join(top, 'second', 'y'))).toBe(join(top, 'second', 'y'));
  });
});

describe('isInside', () => {
  it.each([
    ['/w/app', '/w/app', true],
    ['/w/app', '/w/app/x', true],
    ['/w/app', '/w/app-evil/x', false],
    ['/w/app', '/w', false],
    ['/', '/x', true],
    ['/w/app', '/W/APP/x', false],
  ])('%s holds %s: %s', (root, path, expected) => {
    expect(isInside(root, path, false)).toBe(expected);
  });

  it('does not see case or composition where the file system does not', () => {
    expect(isInside('/w/App', '/W/aPP/x', true)).toBe(true);
    expect(isInside('/w/é', '/w/e\u0301/x', true)).toBe(true);
    expect(isInside('/w/App', '/W/aPP-evil', true)).toBe(false);
  });
});
