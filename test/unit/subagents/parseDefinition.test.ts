import { describe, expect, it } from 'vitest';
import { parseDefinition } from '../../../src/agent/subagents/definitions/parse.ts';
import { delegationTools } from '../../../src/agent/subagents/definitions/toolNames.ts';
import type { AgentDefinition } from '../../../src/agent/subagents/definitions.ts';
import { createAgentTool } from '../../../src/agent/tools/agent.ts';
import { builtInTools } from '../../../src/agent/tools/list.ts';

const tools = [...builtInTools, ...delegationTools];
const parse = (text: string, file = '/w/.claude/agents/helper.md') => parseDefinition(text, file, tools);
const withFields = (...fields: readonly string[]) =>
  parse(['---', 'name: helper', 'description: helps', ...fields, '---', 'You help.'].join('\n'));
/** `line severity message` of each problem. */
const told = ({ problems }: ReturnType<typeof parse>) =>
  problems.map(({ line, severity, message }) => `${line} ${severity} ${message}`);
const read = (...fields: readonly string[]): AgentDefinition => {
  const { definition, problems } = withFields(...fields);
  expect(problems).toEqual([]);
  return definition ?? expect.fail('no definition');
};

describe('a file in the format of Claude Code', () => {
  it('says all that a definition holds', () => {
    const text = `---
name: migration-helper
description: Plans and writes schema migrations
tools: Read, Grep, Edit
disallowedTools: Bash
model: Opus
permissionMode: plan
maxTurns: 12
background: true
color: Magenta
initialPrompt: Look at the migrations folder first.
---

You write migrations.

Keep them small.
`;
    expect(parse(text)).toEqual({
      definition: {
        name: 'migration-helper',
        description: 'Plans and writes schema migrations',
        tools: ['Read', 'Grep', 'Edit'],
        disallowedTools: ['Bash'],
        model: 'opus',
        permissionMode: 'plan',
        maxTurns: 12,
        background: true,
        color: 'purple',
        initialPrompt: 'Look at the migrations folder first.',
        prompt: 'You write migrations.\n\nKeep them small.',
        hasInstructions: true,
        modelRole: 'parent',
      },
      problems: [],
      agentTypesLine: 4,
      skillsLine: 1,
    });
  });

  it('may leave out tools: it has all of them', () => {
    expect(read()).toMatchObject({ tools: ['*'], disallowedTools: [] });
    expect(read()).not.toHaveProperty('model');
  });

  it('may be written on Windows', () => {
    const text = '\uFEFF---\r\nname: helper\r\ndescription: helps\r\ntools: Read\r\n---\r\nOne.\r\nTwo.\r\n';
    expect(parse(text)).toMatchObject({ definition: { tools: ['Read'], prompt: 'One.\nTwo.' }, problems: [] });
  });

  it('may have a description that is no YAML, on one line', () => {
    const text = `---
name: schema-guard
description: Use this one when tables change. Examples:\\n\\n<example>\\nContext: A column was renamed.\\nuser: "I renamed it"\\nassistant: "Let me call schema-guard: it knows"\\n</example>
tools: Glob, Grep, LS, Read
model: sonnet
color: cyan
---
You guard.
`;
    expect(parse(text)).toMatchObject({
      definition: { description: 'Use this one when tables change.', tools: ['Glob', 'Grep', 'Read'], model: 'sonnet' },
      problems: [],
    });
  });

  it('may have a description over several lines that are not indented', () => {
    const text = `---
name: schema-guard
description: Guards the schema: tables, columns and keys.

<example>
Context: a table was dropped
user: "It is gone"
<commentary>Nothing else would notice.</commentary>
</example>

Call it before a release.
tools:
  - Read
  - Grep
---
You guard.
`;
    const { definition, problems } = parse(text);
    expect(problems).toEqual([]);
    expect(definition).toMatchObject({
      description: 'Guards the schema: tables, columns and keys. Call it before a release.',
      tools: ['Read', 'Grep'],
    });
  });

  it('gives a description of one line that is not long, so that it cannot forge the list it stands in', () => {
    const { definition } = withFields(`initialPrompt: x`);
    expect(definition?.description).toBe('helps');
    const long = parse(`---\nname: a\ndescription: "one\\n- two: three ${'x'.repeat(2000)}"\n---\n`).definition;
    expect(long?.description).toMatch(/^one - two: three x+…$/);
    expect(long?.description).toHaveLength(700);
  });

  it('takes its name from the file when it has none, and its prompt from its description when it has no text', () => {
    expect(parse('---\ndescription: reads logs\n---\n').definition).toMatchObject({
      name: 'helper',
      prompt: 'You are helper. reads logs',
    });
  });

  it('limits whom it may delegate to', () => {
    expect(read('tools: Read, Agent(Explore, schema-guard)')).toMatchObject({
      tools: ['Read', 'Agent'],
      agentTypes: { only: ['Explore', 'schema-guard'], never: [] },
    });
    expect(read('tools: Task(Explore), Read').agentTypes).toEqual({ only: ['Explore'], never: [] });
    expect(read('tools: Task(*), Read')).not.toHaveProperty('agentTypes');
    expect(read('disallowedTools: Agent(Plan)')).toMatchObject({
      disallowedTools: [],
      agentTypes: { only: undefined, never: ['Plan'] },
    });
  });

  it('is understood in the names of older versions', () => {
    expect(read('tools: Task, LS, MultiEdit, NotebookRead, AskUserQuestion, BashOutput, KillShell').tools).toEqual([
      'Agent',
      'Glob',
      'Edit',
      'Read',
      'AskUser',
      'TaskOutput',
      'TaskStop',
    ]);
  });

  it('may name tools that Offshoot lacks: they are passed over, and that is told', () => {
    const parsed = withFields('tools: Read, TodoWrite, WebSearch, NotebookEdit, mcp__db__query, mcp__files__*');
    expect(parsed.definition?.tools).toEqual(['Read']);
    expect(told(parsed)).toEqual([
      '4 warning Offshoot has no TodoWrite, WebSearch, NotebookEdit, mcp__db__query, mcp__files__*; passed over.',
    ]);
  });

  it('may use wildcards, also for what it must not use', () => {
    expect(read('tools: G*, Read')).toMatchObject({ tools: ['G*', 'Read'] });
    expect(read('tools: "*"', 'disallowedTools: Write, E*')).toMatchObject({
      tools: ['*'],
      disallowedTools: ['Write', 'E*'],
    });
    expect(read('tools: *').tools).toEqual(['*']);
  });

  it('shows what hides', () => {
    const parsed = parse(
      '---\nname: helper\ndescription: helps\u202E\n---\nYou help.\n\nDo \u{e0041}this ✅ 👩‍💻 ⚠️.\n',
    );
    expect(parsed.definition).toMatchObject({
      description: 'helps\\u{202e}',
      prompt: 'You help.\n\nDo \\u{e0041}this ✅ 👩‍💻 ⚠️.',
    });
    expect(told(parsed)).toEqual(['7 warning there are invisible characters here; the agent sees them as escapes.']);
  });
});

describe('a file in the format of Copilot', () => {
  const copilot = (text: string) => parse(text, '/w/.github/agents/db-expert.agent.md');

  it('loads with its names of tools, and says what it does without', () => {
    const parsed = copilot(`---
description: 'Knows the database: its tables and its habits.'
tools: ['search', 'read', 'edit/editFiles', 'execute/runInTerminal', 'problems', 'web', 'todo', 'some.extension/look', 'db-server/*', 'github']
model: Claude Sonnet 4.5 (copilot)
target: vscode
argument-hint: which table
user-invocable: true
handoffs:
  - label: Go on
    agent: planner
---
You know it.
`);
    expect(parsed.definition).toEqual({
      name: 'db-expert',
      description: 'Knows the database: its tables and its habits.',
      tools: ['Grep', 'Glob', 'Read', 'Edit', 'Write', 'Bash', 'Diagnostics', 'WebFetch'],
      disallowedTools: [],
      prompt: 'You know it.',
      hasInstructions: true,
      modelRole: 'parent',
    });
    expect(told(parsed)).toEqual([
      '8 warning handoffs is not supported yet and is passed over.',
      '3 warning Offshoot has no todo, some.extension/look, db-server/*, github; passed over.',
      expect.stringMatching(/^4 warning model Claude Sonnet 4\.5 \(copilot\) .* runs on the model of whoever calls it/),
    ]);
  });

  it('may list its tools over lines, name its agents, and have a name with blanks', () => {
    const { definition, problems } = copilot(`---
name: "C#/.NET Expert"
description: Writes C#
tools:
  - read
  - agent
agents: ['Plan Reviewer']
model: sonnet
---
`);
    expect(problems).toEqual([]);
    expect(definition).toMatchObject({
      name: 'C#/.NET Expert',
      tools: ['Read', 'Agent'],
      agentTypes: { only: ['Plan Reviewer'], never: [] },
      model: 'sonnet',
    });
  });

  it('is not offered when only a person may choose it', () => {
    for (const field of ['disable-model-invocation: true', 'infer: false']) {
      const parsed = copilot(`---\ndescription: x\n${field}\n---\n`);
      expect(parsed.definition).toBeUndefined();
      expect(told(parsed)).toEqual([expect.stringMatching(/^3 warning .* not offered/)]);
    }
  });
});

it('takes away what a file in the format of opencode switches off', () => {
  expect(read('tools:', '  write: false', '  bash: false', '  read: true')).toMatchObject({
    tools: ['*'],
    disallowedTools: ['Write', 'Bash'],
  });
  expect(read('tools: read, grep, list, bash').tools).toEqual(['Read', 'Grep', 'Glob', 'Bash']);
});

describe('a field of an agent file', () => {
  it.each([
    ['permissionMode: bypassPermissions', '4 warning permissionMode bypassPermissions gives no more than'],
    ['permissionMode: acceptEdits', '4 warning permissionMode acceptEdits gives no more than'],
    ['permissionMode: manual', '4 warning permissionMode manual is not supported yet'],
    ['effort: enormous', '4 warning effort is low, medium, high, xhigh, max, not enormous'],
    ['memory: everybody', '4 warning memory is user, project, local, not everybody'],
    ['mcpServers: [db]', '4 warning mcpServers is not supported yet'],
    ['colour: red', '4 warning colour is not a field of agent files'],
    ['color: mauve', '4 warning color is one of red'],
    ['model: Some Model (vendor)', '4 warning model Some Model (vendor) is no name'],
  ])('warns: %s', (field, warning) => {
    const parsed = withFields(field);
    expect(parsed.definition).toBeDefined();
    expect(told(parsed)).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ['isolation: remote', '4 error isolation is worktree, not remote.'],
    ['hooks: {PreToolUse: [{matcher: Bash}]}', '4 error hooks: '],
    ['permission: {edit: deny}', '4 error permission: '],
    ['permissionMode: whatever', '4 error permissionMode is default,'],
    ['tools: Read, Wand', '4 error unknown tools Wand. There are: Read, Write,'],
    ['tools: W?nd*', '4 error unknown tools W?nd*.'],
    ['tools:', '4 error tools is empty.'],
    ['tools: []', '4 error this leaves no tool.'],
    ['tools: WebSearch, mcp__a__b', '4 error this leaves no tool. Offshoot has no WebSearch, mcp__a__b.'],
    ['tools: Bash(git log *), Read', '4 error a tool cannot be limited to some uses here: Bash(git log *).'],
    ['disallowedTools: Bassh', '4 error unknown tools Bassh.'],
    ['disallowedTools: "*"', '1 error this leaves no tool.'],
    ['maxTurns: many', '4 error maxTurns must be a number.'],
    ['maxTurns: 0', '4 error maxTurns must be 1 or more.'],
    ['background: perhaps', '4 error background must be true or false.'],
    ['name: two', '4 error name is there twice; keep one of them.'],
  ])('keeps the agent from being used: %s', (field, error) => {
    const parsed = withFields(field);
    expect(parsed.definition).toBeUndefined();
    expect(told(parsed)).toEqual([expect.stringContaining(error)]);
  });

  it('is found at its line, whatever stands before it', () => {
    const parsed = withFields('', '# a comment', 'mcpServers: |', '  db', '"tools": Wand');
    expect(told(parsed)).toEqual([
      expect.stringMatching(/^6 warning mcpServers/),
      expect.stringMatching(/^8 error unknown tools Wand/),
    ]);
  });

  it('that is no YAML is read as text, never dropped', () => {
    expect(told(withFields('hooks: {Stop: [', 'x: y'))).toEqual([expect.stringMatching(/^4 error hooks: /)]);
    expect(told(withFields('disallowedTools: [Bash'))).toEqual([
      expect.stringMatching(/^4 error unknown tools \[Bash/),
    ]);
    expect(told(withFields('color: [red'))).toEqual([
      expect.stringMatching(/^4 warning color is no YAML/),
      expect.stringMatching(/^4 warning color is one of/),
    ]);
  });
});

describe('a file that is no agent', () => {
  it.each([
    ['no front matter', '# Notes\n', ['1 warning this is no agent: an agent file begins with front matter']],
    ['an open front matter', '---\nname: x\n', ['1 error the front matter has no end: close it']],
    ['no description', '---\nname: x\n---\n', ['2 error description is missing']],
    ['a list for fields', '---\n- a\n---\n', ['2 error the front matter must hold fields']],
    ['nothing at all', '', ['1 warning this is no agent']],
  ])('says so: %s', (_, text, messages) => {
    const parsed = parse(text);
    expect(parsed.definition).toBeUndefined();
    expect(told(parsed)).toEqual(messages.map((message) => expect.stringContaining(message)));
  });

  it('says nothing when it is a README, or switched off', () => {
    expect(parse('# Our agents\n', '/w/.claude/agents/README.md')).toMatchObject({
      definition: undefined,
      problems: [],
    });
    expect(withFields('disabled: true', 'tools: Wand')).toMatchObject({ definition: undefined, problems: [] });
  });
});

it('knows the tools for delegation as they are', () => {
  const { name, aliases } = createAgentTool(
    [],
    () => Promise.reject(new Error('not called')),
    () => {},
  );
  expect(delegationTools[0]).toEqual({ name, aliases });
});
