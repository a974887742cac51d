import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { definitionFolders } from '../../../src/agent/subagents/definitions/folders.ts';
import { type DefinitionSet, loadDefinitions } from '../../../src/agent/subagents/definitions/load.ts';
import { builtInTools } from '../../../src/agent/tools/list.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const agent = (name: string, description = 'x') => `---\nname: ${name}\ndescription: ${description}\n---\nYou help.\n`;

/** Reads the workspaces `one` and `two` and the home folder `home`. */
async function load(options: { readonly isTrusted?: boolean; readonly extra?: string } = {}): Promise<DefinitionSet> {
  const { isTrusted = true, extra } = options;
  const folders = definitionFolders({
    workspace: { roots: [join(root, 'one'), join(root, 'two')], isTrusted },
    home: join(root, 'home'),
    extra: extra === undefined ? undefined : join(root, extra),
  });
  return await loadDefinitions(folders, builtInTools, AbortSignal.timeout(10_000));
}
const names = ({ definitions }: DefinitionSet) => definitions.map(({ name }) => name).sort();
const told = ({ problems }: DefinitionSet) =>
  problems.map(({ file, line, severity, message }) => `${relative(root, file)}:${line} ${severity} ${message}`);

describe('agent files', () => {
  it('are found in the workspaces and in the home folder, and nowhere else', async () => {
    await writeFiles(root, {
      'one/.claude/agents/a.md': agent('claude'),
      'one/.claude/agents/deep/er/b.md': agent('deep'),
      'one/.claude/agents/c.txt': agent('text'),
      'one/.claude/d.md': agent('outside'),
      'one/.offshoot/agents/e.md': agent('offshoot'),
      'one/.github/agents/f.agent.md': agent('copilot'),
      'one/.github/agents/g.md': agent('not-copilot'),
      'one/.github/agents/deep/h.agent.md': agent('not-deep'),
      'two/.claude/agents/i.md': agent('second'),
      'home/.claude/agents/j.md': agent('home'),
      'home/.offshoot/agents/k.md': agent('home-offshoot'),
    });
    expect(names(await load())).toEqual(['claude', 'copilot', 'deep', 'home', 'home-offshoot', 'offshoot', 'second']);
  });

  it('of a workspace that is not trusted are not read', async () => {
    await writeFiles(root, { 'one/.claude/agents/a.md': agent('project'), 'home/.claude/agents/b.md': agent('user') });
    expect(names(await load({ isTrusted: false }))).toEqual(['user']);
  });

  it('of one name: the folder that was named wins over the project, that over the user', async () => {
    const files = {
      'given/a.md': agent('helper', 'given'),
      'one/.offshoot/agents/a.md': agent('helper', 'offshoot'),
      'one/.claude/agents/a.md': agent('Helper', 'claude'),
      'one/.github/agents/a.agent.md': agent('helper', 'copilot'),
      'two/.offshoot/agents/a.md': agent('helper', 'second'),
      'home/.offshoot/agents/a.md': agent('helper', 'home offshoot'),
      'home/.claude/agents/a.md': agent('helper', 'home claude'),
    };
    await writeFiles(root, files);
    for (const [path, text] of Object.entries(files)) {
      const { definitions, problems } = await load({ extra: 'given' });
      expect(problems).toEqual([]);
      expect(definitions.map(({ description }) => description)).toEqual([/description: (.*)/.exec(text)?.[1]]);
      await rm(join(root, path));
    }
  });

  it('of one name in one folder: the first wins, and the other is told', async () => {
    await writeFiles(root, {
      'one/.claude/agents/a.md': agent('helper', 'first'),
      'one/.claude/agents/b.md': agent('helper', 'second'),
    });
    const found = await load();
    expect(found.definitions).toMatchObject([{ description: 'first' }]);
    expect(told(found)).toEqual([
      expect.stringMatching(/^one\/\.claude\/agents\/b\.md:1 warning .*a\.md defines helper/),
    ]);
  });

  it('with a fault are told with file and line, and the others load', async () => {
    await writeFiles(root, {
      'one/.claude/agents/bad.md': '---\nname: bad\ndescription: x\ntools: Wand\n---\n',
      'one/.claude/agents/good.md': agent('good'),
      'one/.claude/agents/long.md': `${agent('long')}${'x'.repeat(200_001)}`,
    });
    await writeFile(join(root, 'one/.claude/agents/latin.md'), Buffer.from(agent('latin', 'gr\u00fc\u00df'), 'latin1'));
    const found = await load();
    expect(names(found)).toEqual(['good']);
    expect(told(found).sort()).toEqual([
      expect.stringContaining('bad.md:4 error unknown tools Wand.'),
      expect.stringContaining('latin.md:1 error this file is not UTF-8.'),
      expect.stringMatching(/long\.md:1 error this file has \d+ bytes; an agent file may have 200000/),
    ]);
  });

  it('behind a link out of their folder are not read', async () => {
    await writeFiles(root, { 'elsewhere/a.md': agent('outside'), 'one/.claude/agents/b.md': agent('inside') });
    await symlink(join(root, 'elsewhere/a.md'), join(root, 'one/.claude/agents/a.md'));
    await symlink(join(root, 'elsewhere'), join(root, 'one/.claude/agents/folder'));
    await symlink('b.md', join(root, 'one/.claude/agents/c.md'));
    await mkdir(join(root, 'two/.claude'), { recursive: true });
    await symlink(join(root, 'elsewhere'), join(root, 'two/.claude/agents'));
    const found = await load();
    expect(names(found)).toEqual(['inside']);
    expect(told(found).sort()).toEqual([
      expect.stringMatching(/^one\/\.claude\/agents\/a\.md:1 warning this is a link out of its folder/),
      expect.stringMatching(/^two\/\.claude\/agents:1 warning this folder is a link out of the workspace/),
    ]);
  });

  it('in a folder that is a link within the workspace are read once', async () => {
    await writeFiles(root, { 'one/.claude/agents/a.md': agent('helper') });
    await symlink('.claude', join(root, 'one/.offshoot'));
    const found = await load();
    expect([names(found), told(found)]).toEqual([['helper'], []]);
  });

  it('that delegate to a type that is not there are told, and not for a built-in one', async () => {
    await writeFiles(root, {
      'one/.claude/agents/a.md': '---\nname: a\ndescription: x\ntools: Read, Agent(explore, b, nobody)\n---\n',
      'one/.claude/agents/b.md': agent('b'),
    });
    expect(told(await load())).toEqual([
      'one/.claude/agents/a.md:4 warning there is no agent type nobody to delegate to.',
    ]);
  });
});
