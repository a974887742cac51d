import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { definitionFolders } from '../../../src/agent/index.ts';
import { withinTrust } from '../../../src/agent/session/guards/withinTrust.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import { commitAll } from '../../support/gitFolder.ts';
import type { AnswerBlock, Script } from '../../support/scriptedModel.ts';
import { ofType, type StartOptions, startSession } from '../../support/startSession.ts';
import { createToolBench } from '../../support/toolContext.ts';

const files = {
  'src/a.ts': 'export const needle = 1;\n',
  'AGENTS.md': 'Canary of the instructions.\n',
  'CLAUDE.md': 'Canary of the instructions.\n',
  '.claude/agents/evil.md': '---\nname: evil\ndescription: canary of an agent\n---\n',
  '.claude/skills/evil/SKILL.md': '---\nname: evil\ndescription: canary of a skill\n---\n',
  '.claude/settings.json': JSON.stringify({
    permissions: { deny: ['Read'], ask: ['Grep'], allow: ['Bash'], defaultMode: 'bypassPermissions' },
    hooks: Object.fromEntries(
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'].map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: 'touch hooked' }] }],
      ]),
    ),
  }),
};

/** Programs that the agent would find first, each of which leaves a mark. */
async function shadowPrograms(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'offshoot-shims-'));
  const mark = join(folder, 'mark');
  for (const name of ['git', 'rg', 'bash', 'sh', 'zsh']) {
    await writeFile(join(folder, name), `#!/bin/sh\necho ${name} >> '${mark}'\nexit 1\n`);
    await chmod(join(folder, name), 0o755);
  }
  const before = process.env.PATH;
  process.env.PATH = `${folder}${delimiter}${before}`;
  onTestFinished(async () => {
    process.env.PATH = before;
    await rm(folder, { recursive: true, force: true });
  });
  return mark;
}

function countProcesses(): () => number {
  let count = 0;
  const add = () => {
    count += 1;
  };
  subscribe('child_process', add);
  onTestFinished(() => void unsubscribe('child_process', add));
  return () => count;
}

const inOrder =
  (...blocks: readonly AnswerBlock[]): Script =>
  ({ step, firstText, lastResults }) => {
    if (firstText === 'look') {
      return say(step === 0 ? call('Grep', { pattern: 'needle' }) : text(lastResults[0]?.text ?? ''));
    }
    return say(blocks[step] ?? text(lastResults[0]?.text ?? ''));
  };

const start = (blocks: readonly AnswerBlock[], more: StartOptions = {}) =>
  startSession({ script: inOrder(...blocks), files, isTrusted: false, ...more });

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('S21 a workspace that is not trusted', () => {
  it('is read and searched, by agents below too, and no process is started', async () => {
    const mark = await shadowPrograms();
    const processes = countProcesses();
    const blocks = [
      call('Read', { file_path: 'src/a.ts' }),
      call('Glob', { pattern: '**/*.ts' }),
      call('Grep', { pattern: 'needle', output_mode: 'content' }),
      call('Diagnostics', {}),
      delegate('look', { subagent_type: 'Explore' }),
    ];
    const { session, events } = await start(blocks, { prompts: { question: async () => 'yes' } });
    const { text: result } = await session.send('go');
    expect(ofType(events, 'tool-end').map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      'Read ok',
      'Glob ok',
      'Grep ok',
      'Diagnostics ok',
      'Grep ok',
      'Agent ok',
    ]);
    expect(result).toContain('src/a.ts');
    expect({ processes: processes(), mark: await exists(mark) }).toEqual({ processes: 0, mark: false });
  });

  it('has tools that only read, for children as well', async () => {
    const { session, model } = await start([delegate('look', { subagent_type: 'general-purpose' })]);
    await session.send('go');
    const offered = model.bodies().map(({ tools = [] }) => tools.map(({ name }) => name).sort());
    expect(offered[0]).toEqual([
      'Agent',
      'AskUser',
      'Diagnostics',
      'Glob',
      'Grep',
      'Read',
      'SendMessage',
      'TaskOutput',
      'TaskStop',
    ]);
    expect(offered[1]).toEqual(['AskUser', 'Diagnostics', 'Glob', 'Grep', 'Read']);
  });

  it.each<AnswerBlock>([
    call('Bash', { command: 'touch out' }),
    call('Bash', { command: 'ls' }),
    call('Write', { file_path: 'out', content: 'x' }),
    call('Edit', { file_path: 'src/a.ts', old_string: '1', new_string: '2' }),
    call('WebFetch', { url: 'https://example.com/' }),
    delegate('look', { acceptance: 'touch out' }),
  ])('runs nothing that is called all the same, whatever the settings allow: %j', async (block) => {
    const mark = await shadowPrograms();
    const processes = countProcesses();
    const settings = {
      'permissions.mode': 'bypassPermissions',
      'permissions.allow': ['Bash', 'Edit', 'Write', 'WebFetch'],
    };
    const { session, events, workspace } = await start([block], { settings });
    await session.send('go');
    expect(ofType(events, 'tool-end')[0]?.status).toMatch(/^(error|denied)$/);
    expect(ofType(events, 'permission-ask')).toEqual([]);
    expect(await exists(join(workspace, 'out'))).toBe(false);
    expect(await readFile(join(workspace, 'src/a.ts'), 'utf8')).toBe(files['src/a.ts']);
    expect({ processes: processes(), mark: await exists(mark) }).toEqual({ processes: 0, mark: false });
  });

  it('tells agents nothing of itself, and its rules and hooks do not count', async () => {
    const { session, model, events, workspace } = await start([
      call('Read', { file_path: 'src/a.ts' }),
      call('Grep', { pattern: 'needle' }),
    ]);
    await session.send('go');
    expect(JSON.stringify(model.bodies())).not.toMatch(/canary/i);
    expect(JSON.stringify(model.bodies()[0]?.system)).toContain('does not trust this workspace');
    expect(ofType(events, 'tool-end').map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(ofType(events, 'notice')).toEqual([]);
    expect(await exists(join(workspace, 'hooked'))).toBe(false);
    const folders = definitionFolders({ workspace: { roots: [workspace], isTrusted: false }, home: '/home/user' });
    expect(folders.filter(({ path }) => path.startsWith(workspace))).toEqual([]);
  });

  it('runs no hook of the user either', async () => {
    const processes = countProcesses();
    const touch = [{ hooks: [{ type: 'command', command: 'touch hooked' }] }];
    const hooks = { SessionStart: touch, UserPromptSubmit: touch, PreToolUse: touch, Stop: touch };
    const { session, workspace } = await start([call('Read', { file_path: 'src/a.ts' })], { settings: { hooks } });
    await session.send('go');
    expect({ processes: processes(), isHooked: await exists(join(workspace, 'hooked')) }).toEqual({
      processes: 0,
      isHooked: false,
    });
  });

  it('sends nothing before the first prompt', async () => {
    const { session, model } = await start([]);
    await session.previewSpawn({ description: 'x', prompt: 'look', subagent_type: 'Explore' }).catch(() => undefined);
    expect(model.bodies()).toEqual([]);
  });

  it('comes alive with the next turn once it is trusted', async () => {
    let isTrusted = false;
    const blocks = [call('Bash', { command: 'touch out' }), call('Bash', { command: 'touch out' })];
    const script: Script = ({ prompt, step, lastResults }) =>
      say(step === 0 ? (blocks[prompt === 'one' ? 0 : 1] ?? text('')) : text(lastResults[0]?.text ?? ''));
    const plain = { 'src/a.ts': files['src/a.ts'], 'AGENTS.md': files['AGENTS.md'] };
    const { session, model, workspace } = await start([], { script, files: plain, isTrusted: () => isTrusted });
    expect((await session.send('one')).text).toContain('Bash is not in your toolset');
    isTrusted = true;
    await session.send('two');
    const last = model.bodies().at(-1);
    expect(last?.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(['Bash', 'Write', 'Edit', 'WebFetch']));
    expect(JSON.stringify(last?.system)).toContain('Canary of the instructions.');
    expect(JSON.stringify(last?.system)).not.toContain('does not trust');
    expect(await exists(join(workspace, 'out'))).toBe(true);
  });

  it('is one at once when trust goes in the middle of a turn', async () => {
    let isTrusted = true;
    const script: Script = ({ step, lastResults }) => {
      isTrusted = false;
      return say(step === 0 ? call('Bash', { command: 'ls' }) : text(lastResults[0]?.text ?? ''));
    };
    const { session, events } = await start([], { script, isTrusted: () => isTrusted });
    expect((await session.send('go')).text).toContain('not trusted');
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'deny', by: 'trust' }]);
  });

  it('is held to that below the gate as well', async () => {
    const bench = await createToolBench();
    onTestFinished(bench.remove);
    commitAll(bench.folder);
    let isTrusted = false;
    const host = withinTrust(bench.context().host, {
      roots: [bench.folder],
      get isTrusted() {
        return isTrusted;
      },
    });
    const { signal } = bench.context();
    const command = {
      command: 'touch out',
      directory: bench.folder,
      timeoutMs: 5000,
      maxOutputChars: 100,
      onOutput() {},
    };
    const processes = countProcesses();
    await expect(host.shell.run(command, signal)).rejects.toThrow('not trusted');
    await expect(host.web.fetch('https://example.com/', signal)).rejects.toThrow('not trusted');
    expect(await host.git.state(bench.folder, signal)).toBeUndefined();
    expect(processes()).toBe(0);
    isTrusted = true;
    await host.shell.run(command, signal);
    expect(await exists(join(bench.folder, 'out'))).toBe(true);
    expect(await host.git.state(bench.folder, signal)).toMatchObject({ top: bench.folder });
  });
});
