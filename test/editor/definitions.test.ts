import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { createDefinitions, type Definitions } from '../../src/editor/agents/definitions.ts';
import { until, useFolder } from './folders.ts';

const watchLimitMs = 30_000;
/** What happens before the editor watches a folder is not told. */
const watchStartMs = 2_000;

describe('agent files', () => {
  const home = useFolder();
  const workspace = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const inWorkspace = (path: string) => join(workspace(), path);
  const reports: string[] = [];
  let definitions: Definitions;

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const agent = (name: string, more = '') =>
    `---\nname: ${name}\ndescription: helps with ${name}\n${more}---\nYou help.\n`;
  const names = () => definitions.current().definitions.map(({ name }) => name);
  const listed = (path: string) =>
    vscode.languages
      .getDiagnostics(vscode.Uri.file(path))
      .filter(({ source }) => source === 'Offshoot')
      .map(({ range, severity, message }) => [range.start.line + 1, severity, message] as const);

  beforeEach(() => {
    definitions = createDefinitions({ home: home.path, report: (text) => reports.push(text) });
  });
  afterEach(async () => {
    definitions.dispose();
    for (const folder of ['.claude', '.github']) await rm(inWorkspace(folder), { recursive: true, force: true });
    assert.deepEqual(reports, []);
  });

  it('of workspace and home are there at once', async () => {
    await write(inWorkspace('.claude/agents/team/poet.md'), agent('poet'));
    await write(inWorkspace('.github/agents/planner.agent.md'), agent('planner'));
    await write(home.at('.claude/agents/mine.md'), agent('mine'));
    definitions.dispose();
    definitions = createDefinitions({ home: home.path, report: (text) => reports.push(text) });
    await definitions.settled();
    assert.deepEqual(names(), ['poet', 'planner', 'mine']);
  });

  it('are read again when they change, and when their folder goes', async () => {
    await definitions.settled();
    const file = inWorkspace('.claude/agents/poet.md');
    await write(file, agent('poet'));
    await until(() => names().includes('poet'), 'a new file is read', watchLimitMs);
    await write(file, agent('bard'));
    await until(() => names().includes('bard') && !names().includes('poet'), 'a change is read', watchLimitMs);
    await rm(inWorkspace('.claude'), { recursive: true });
    await until(() => names().length === 0, 'what was removed is gone', watchLimitMs);
  });

  it('put their problems into the Problems list, at their line, until they are mended', async () => {
    const file = inWorkspace('.claude/agents/bad.md');
    await write(file, agent('bad', 'tools: Read, Wand\n'));
    await until(() => listed(file).length > 0, 'the problem is listed', watchLimitMs);
    const [problem, ...others] = listed(file);
    assert.deepEqual([problem?.[0], problem?.[1], others.length], [4, vscode.DiagnosticSeverity.Error, 0]);
    assert.match(problem?.[2] ?? '', /unknown tools Wand/);
    await write(file, agent('bad', 'tools: Read\n'));
    await until(() => listed(file).length === 0, 'the problem is gone', watchLimitMs);
    assert.deepEqual(names(), ['bad']);
  });
});

describe('agent files of the home folder', () => {
  const home = useFolder();

  for (const [what, isThere] of [
    ['are watched as well', true],
    ['are found when their folder comes later', false],
  ] as const) {
    it(what, async () => {
      const folder = home.at('.offshoot', 'agents');
      if (isThere) await mkdir(folder, { recursive: true });
      const definitions = createDefinitions({ home: home.path, report: (text) => assert.fail(text) });
      try {
        await definitions.settled();
        if (!isThere) await new Promise((resolve) => setTimeout(resolve, watchStartMs));
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'mine.md'), '---\nname: mine\ndescription: x\n---\nYou help.\n');
        await until(() => definitions.current().definitions.length === 1, 'a new file is read', watchLimitMs);
      } finally {
        definitions.dispose();
      }
    });
  }
});
