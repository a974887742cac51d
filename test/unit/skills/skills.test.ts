import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skillFolders } from '../../../src/agent/skills/folders.ts';
import { loadSkills } from '../../../src/agent/skills/load.ts';
import { createSkillTool } from '../../../src/agent/skills/tool.ts';
import { definitionFolders } from '../../../src/agent/subagents/definitions/folders.ts';
import { loadDefinitions } from '../../../src/agent/subagents/definitions/load.ts';
import { builtInTools } from '../../../src/agent/tools/list.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import { temporaryFolder } from '../../support/gitFolder.ts';
import type { Script, ScriptedRequest } from '../../support/scriptedModel.ts';
import { type StartOptions, startSession } from '../../support/startSession.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const signal = new AbortController().signal;
const skillFile = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

describe('skills', () => {
  const load = async (root: string, isTrusted = true) =>
    loadSkills(skillFolders({ workspace: { roots: [join(root, 'w')], isTrusted }, home: join(root, 'home') }), signal);

  it('are found in the workspace and in the home folder; the first of a name wins', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'w/.claude/skills/release/SKILL.md': skillFile('release', 'of Claude', 'x'),
      'w/.offshoot/skills/release/SKILL.md': skillFile('release', 'of Offshoot', 'x'),
      'w/.claude/skills/no-skill/README.md': 'x',
      'w/.claude/skills/hidden/SKILL.md': '---\nname: hidden\ndescription: d\ndisable-model-invocation: true\n---\nx',
      'home/.claude/skills/style/SKILL.md': skillFile('style', 'of the user', 'x'),
    });
    const { skills, problems } = await load(root);
    expect(skills.map(({ name, description }) => `${name}: ${description}`)).toEqual([
      'release: of Offshoot',
      'style: of the user',
    ]);
    expect(problems).toEqual([]);
    expect((await load(root, false)).skills.map(({ name }) => name)).toEqual(['style']);
  });

  it('with a fault are told with their line, and do not keep the others away', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'w/.claude/skills/a/SKILL.md': '# no fields',
      'w/.claude/skills/b/SKILL.md': '---\nname: b\n---\nx',
      'w/.claude/skills/c/SKILL.md': '---\ndescription: d\nname: two words\n---\nx',
      'w/.claude/skills/d/SKILL.md': skillFile('d', 'fine', 'x'),
      'outside/SKILL.md': skillFile('outside', 'of somebody else', 'x'),
    });
    await symlink(join(root, 'outside'), join(root, 'w/.claude/skills/linked'));
    const { skills, problems } = await load(root);
    expect(skills.map(({ name }) => name)).toEqual(['d']);
    expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      expect.stringMatching(/^1 a skill begins with front matter/),
      expect.stringMatching(/^2 description is missing/),
      expect.stringMatching(/^3 two words cannot be the name/),
    ]);
  });

  it('are listed within a budget, however many there are', () => {
    const skills = Array.from({ length: 200 }, (_, index) => ({
      name: `skill-${index}`,
      description: 'word '.repeat(140),
      file: '/x',
      directory: '/x',
    }));
    const { description } = createSkillTool(skills) ?? expect.fail('no tool');
    expect(description.length).toBeLessThan(10_000);
    expect(description).toContain('- skill-199');
    expect(createSkillTool([])).toBeUndefined();
  });

  it('that an agent file names and that are not there are told with file and line', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'w/.claude/skills/there/SKILL.md': skillFile('there', 'd', 'x'),
      'w/.claude/agents/helper.md': '---\nname: helper\ndescription: d\nskills: [there, gone]\n---\nx',
    });
    const places = { workspace: { roots: [join(root, 'w')], isTrusted: true }, home: join(root, 'home') };
    const set = await loadDefinitions(definitionFolders(places), builtInTools, signal, skillFolders(places));
    expect(set.definitions[0]?.skills).toEqual(['there', 'gone']);
    expect(set.problems).toMatchObject([
      { file: join(root, 'w/.claude/agents/helper.md'), line: 4, severity: 'warning' },
    ]);
    expect(set.problems[0]?.message).toContain('there is no skill gone');
  });
});

const isChild = ({ tools }: ScriptedRequest) => !tools.includes('Agent');

/** A session whose files define what its agents are, as the editor and the command line read them. */
async function start(options: StartOptions) {
  let set = await loadDefinitions([], builtInTools, signal);
  const started = await startSession({ ...options, definitions: () => set.definitions, skills: () => set.skills });
  const places = { workspace: { roots: [started.workspace], isTrusted: true }, home: started.state };
  set = await loadDefinitions(definitionFolders(places), builtInTools, signal, skillFolders(places));
  return started;
}

const script = (child: Script, more: Readonly<Record<string, unknown>>): Script => {
  return (request) => {
    if (isChild(request)) return child(request);
    return request.step === 0 ? say(delegate('Do it', more)) : say(text(request.lastResults[0]?.text ?? ''));
  };
};

describe('an agent', () => {
  it('reads a skill when it needs it: the list is small, the instructions come on call', async () => {
    const { session, model, workspace } = await start({
      script: ({ step, lastResults }) =>
        step === 0 ? say(call('Skill', { skill: 'Release', args: '1.2' })) : say(text(lastResults[0]?.text ?? '')),
      files: { '.claude/skills/release/SKILL.md': skillFile('release', 'To publish', 'Publish $ARGUMENTS with care.') },
    });
    expect((await session.send('go')).text).toBe(
      `<skill name="release" folder="${join(workspace, '.claude/skills/release')}">\nPublish 1.2 with care.\n</skill>`,
    );
    const [first] = model.bodies();
    const tool = first?.tools?.find(({ name }) => name === 'Skill');
    expect(tool?.description).toContain('- release: To publish');
    expect(JSON.stringify(first)).not.toContain('with care');
  });

  it('is not told of skills where there are none', async () => {
    const { session, model } = await start({ script: () => say(text('done')) });
    await session.send('go');
    expect(JSON.stringify(model.bodies())).not.toMatch(/skill/i);
  });

  it('begins with the skills, the notes and the words of its definition, in the dry run too', async () => {
    const definition =
      '---\nname: helper\ndescription: d\nskills: style\nmemory: project\ninitialPrompt: Be quick.\neffort: high\n---\nYou help.';
    const { session, model, workspace } = await start({
      script: script(() => say(text('done')), { subagent_type: 'helper' }),
      files: {
        '.claude/agents/helper.md': definition,
        '.claude/skills/style/SKILL.md': skillFile('style', 'd', 'Use tabs.'),
        '.claude/agent-memory/helper/MEMORY.md': 'The tests are slow.',
      },
    });
    const preview = await session.previewSpawn({ prompt: 'Do it', subagent_type: 'helper' });
    expect(preview).toMatchObject({
      effort: 'high',
      skills: ['style'],
      memory: join(workspace, '.claude/agent-memory/helper'),
    });
    await session.send('go');
    const child = model.bodies().find(({ tools }) => !tools?.some(({ name }) => name === 'Agent'));
    expect(child?.output_config).toEqual({ effort: 'high' });
    const first = JSON.stringify(child?.messages[0]);
    const places = ['The tests are slow.', 'Use tabs.', 'Be quick.', 'Do it'].map((part) => first.indexOf(part));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(places).not.toContain(-1);
    expect(first).toContain(JSON.stringify(preview.prompt).slice(1, -1));
  });

  it('is sent no effort that its model does not take', async () => {
    const { session, model } = await start({
      script: script(() => say(text('done')), { subagent_type: 'helper' }),
      files: {
        '.claude/agents/helper.md': '---\nname: helper\ndescription: d\nmodel: claude-opus-4-5\neffort: max\n---\nx',
      },
    });
    const taken = await session.previewSpawn({ prompt: 'x', subagent_type: 'helper' });
    expect([taken.effort, taken.notes]).toEqual(['high', ['claude-opus-4-5 takes no effort max; it was set to high.']]);
    const unknown = await session.previewSpawn({ prompt: 'x', subagent_type: 'helper', model: 'my-model' });
    expect([unknown.effort, unknown.notes]).toEqual([
      undefined,
      ['effort max is left out: it is not known whether my-model takes one.'],
    ]);
    const none = await session.previewSpawn({
      prompt: 'x',
      subagent_type: 'helper',
      model: 'claude-sonnet-4-5-20250929',
    });
    expect(none.notes).toEqual(['effort max is left out: claude-sonnet-4-5-20250929 takes none.']);
    await session.send('go');
    expect(model.bodies().map((body) => body.output_config?.effort)).toEqual([undefined, 'high', undefined]);
  });
});

describe('the memory of an agent', () => {
  const reader = (scope: string) =>
    `---\nname: reviewer\ndescription: d\ntools: Read, Grep\nmemory: ${scope}\n---\nYou review.`;

  it('of the user lies in Offshoot’s storage; an agent that changes nothing may keep notes and nothing else', async () => {
    let notes = '';
    const calls = () => [
      call('Write', { file_path: join(notes, 'MEMORY.md'), content: 'Mind the gap.' }),
      call('Write', { file_path: 'a.txt', content: 'x' }),
      call('Write', { file_path: join(notes, '..', 'other', 'MEMORY.md'), content: 'x' }),
    ];
    const { session, state, workspace, model } = await start({
      script: script(
        ({ step, results }) => {
          const next = calls()[step];
          return next ? say(next) : say(text(results.map((result) => result.text).join('\n')));
        },
        { subagent_type: 'reviewer' },
      ),
      files: { '.claude/agents/reviewer.md': reader('user'), 'a.txt': 'a' },
      settings: { 'permissions.mode': 'acceptEdits' },
      prompts: { permission: async () => ({ decision: 'deny', scope: 'once', by: 'user' }) },
    });
    notes = join(state, 'agent-memory', 'reviewer');
    const { text: answer } = await session.send('go');
    expect(await readFile(join(notes, 'MEMORY.md'), 'utf8')).toBe('Mind the gap.');
    expect(answer.match(/may only be read|outside the workspace/g)).toHaveLength(2);
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('a');
    await session.send('again');
    const firsts = model.bodies().filter(({ messages }) => messages.length === 1);
    expect(JSON.stringify(firsts.at(-1))).toContain('Mind the gap.');
  });

  it('of a project lies among the protected files: each change of it is asked about', async () => {
    const asked: string[] = [];
    const file_path = '.claude/agent-memory/reviewer/MEMORY.md';
    const { session, workspace } = await start({
      script: script(({ step }) => (step === 0 ? say(call('Write', { file_path, content: 'n' })) : say(text('done'))), {
        subagent_type: 'reviewer',
      }),
      files: { '.claude/agents/reviewer.md': reader('project') },
      settings: { 'permissions.mode': 'bypassPermissions' },
      prompts: {
        permission: async ({ title }) => {
          asked.push(title);
          return { decision: 'allow', scope: 'once', by: 'user' };
        },
      },
    });
    await session.send('go');
    expect(asked).toEqual(['Change a protected file']);
    expect(await readFile(join(workspace, file_path), 'utf8')).toBe('n');
  });

  it('is not read where the workspace is not trusted', async () => {
    const definition = {
      name: 'r',
      description: 'd',
      tools: ['Read'],
      disallowedTools: [],
      prompt: 'p',
      hasInstructions: false,
      modelRole: 'parent',
      memory: 'project',
    } as const;
    const started = await startSession({ definitions: () => [definition], isTrusted: false });
    await mkdir(join(started.workspace, '.claude/agent-memory/r'), { recursive: true });
    await writeFile(join(started.workspace, '.claude/agent-memory/r/MEMORY.md'), 'evil');
    const preview = await started.session.previewSpawn({ prompt: 'x', subagent_type: 'r' });
    expect([preview.prompt, preview.notes]).toEqual(['x', ['It has no notes here: the workspace is not trusted.']]);
  });
});
