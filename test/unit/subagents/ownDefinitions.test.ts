import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentDefinition, DefinitionProblem, Mode } from '../../../src/agent/index.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { AnswerBlock, Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const define = (more: Partial<AgentDefinition>): AgentDefinition => ({
  name: 'helper',
  description: 'helps',
  tools: ['*'],
  disallowedTools: [],
  prompt: 'You help.',
  hasInstructions: true,
  modelRole: 'parent',
  ...more,
});

/** The lead delegates once to the type and says what came back; agents below do one call each and say what came back. */
const chain =
  (type: string, calls: Readonly<Record<string, AnswerBlock>>): Script =>
  ({ step, prompt, lastResults }) => {
    if (step > 0) return say(text(lastResults[0]?.text ?? ''));
    if (prompt === 'go') return say(delegate('task', { subagent_type: type }));
    const block = Object.entries(calls).find(([key]) => prompt.endsWith(key))?.[1];
    return say(block ?? text('nothing to do'));
  };

describe('an agent type of the user', () => {
  it.each<[session: Mode, own: Mode, isWritten: boolean, isAsked: boolean]>([
    ['acceptEdits', 'plan', false, false],
    ['acceptEdits', 'default', true, true],
    ['default', 'acceptEdits', true, true],
    ['default', 'bypassPermissions', true, true],
    ['plan', 'bypassPermissions', false, false],
    ['bypassPermissions', 'acceptEdits', true, false],
  ])('in mode %s with permissionMode %s has the stricter one', async (mode, permissionMode, isWritten, isAsked) => {
    let asked = 0;
    const { session, workspace } = await startSession({
      script: chain('helper', { task: call('Write', { file_path: 'a.txt', content: 'x' }) }),
      settings: { 'permissions.mode': mode },
      definitions: () => [define({ permissionMode })],
      prompts: {
        async review({ after }) {
          asked += 1;
          return { decision: 'accept', text: after };
        },
      },
    });
    await session.send('go');
    const written = await readFile(join(workspace, 'a.txt'), 'utf8').catch(() => undefined);
    expect([written !== undefined, asked > 0]).toEqual([isWritten, isAsked]);
  });

  it('binds the agents below it to its mode', async () => {
    const { session, workspace } = await startSession({
      script: chain('planner', {
        task: delegate('below', { subagent_type: 'general-purpose' }),
        below: call('Write', { file_path: 'a.txt', content: 'x' }),
      }),
      settings: { 'permissions.mode': 'bypassPermissions', 'agents.maxDepth': 2 },
      definitions: () => [define({ name: 'planner', permissionMode: 'plan' })],
    });
    expect((await session.send('go')).text).toContain('Plan mode');
    await expect(readFile(join(workspace, 'a.txt'))).rejects.toThrow('ENOENT');
  });

  it('cannot get through a child what it may not use itself', async () => {
    const { session, events } = await startSession({
      script: chain('reader', {
        task: delegate('below', { subagent_type: 'general-purpose' }),
        below: call('Bash', { command: 'touch out' }),
      }),
      settings: { 'permissions.mode': 'bypassPermissions', 'agents.maxDepth': 2 },
      definitions: () => [define({ name: 'reader', tools: ['Read', 'Agent'] })],
    });
    expect((await session.send('go')).text).toContain('Bash is not in your toolset (Read)');
    expect(
      ofType(events, 'agent-start')
        .map(({ tools }) => tools)
        .slice(1),
    ).toEqual([['Read', 'Agent'], ['Read']]);
  });

  it('delegates to the types that it names, and to no others', async () => {
    const ask = (type: string) => delegate('below', { subagent_type: type });
    const definitions = () => [define({ agentTypes: { only: ['explore'], never: [] } })];
    const settings = { 'agents.maxDepth': 2 };
    const allowed = await startSession({ script: chain('helper', { task: ask('Explore') }), settings, definitions });
    expect((await allowed.session.send('go')).text).toContain('nothing to do');
    const refused = await startSession({
      script: chain('helper', { task: ask('general-purpose') }),
      settings,
      definitions,
    });
    expect((await refused.session.send('go')).text).toContain(
      'There is no agent type general-purpose. There are: Explore.',
    );
    const child = refused.model.bodies().find((body) => JSON.stringify(body.system).includes('You help.'));
    const list = child?.tools?.find(({ name }) => name === 'Agent')?.description ?? '';
    expect([list.includes('- Explore:'), list.includes('- Plan:')]).toEqual([true, false]);
  });

  it('is refused where its definition leaves it no tools', async () => {
    const { session, events } = await startSession({
      script: chain('boss', {}),
      definitions: () => [define({ name: 'boss', tools: ['Agent'] })],
    });
    expect((await session.send('go')).text).toContain('An agent of type boss has no tools here');
    expect(ofType(events, 'agent-start')).toHaveLength(1);
  });

  it('begins every task with its initial prompt, and its card has its color', async () => {
    const { session, model, events } = await startSession({
      script: chain('helper', {}),
      definitions: () => [define({ initialPrompt: 'Look around first.', color: 'blue' })],
    });
    await session.send('go');
    const child = model.bodies().find((body) => JSON.stringify(body.system).includes('You help.'));
    expect(JSON.stringify(child?.messages)).toContain('Look around first.\\n\\ntask');
    expect(ofType(events, 'agent-start')[1]).toMatchObject({ agentType: 'helper', color: 'blue', prompt: 'task' });
  });

  it('takes the place of a built-in one of its name', async () => {
    const { session, model } = await startSession({
      script: chain('Explore', {}),
      definitions: () => [define({ name: 'explore', description: 'explores its own way' })],
    });
    await session.send('go');
    const list = model.bodies()[0]?.tools?.find(({ name }) => name === 'Agent')?.description ?? '';
    expect(list.match(/^- explore:.*$/gim)).toEqual(['- explore: explores its own way']);
  });

  it('that changes while a turn runs is another one with the next turn', async () => {
    let name = 'before';
    const { session, model } = await startSession({
      script: ({ step }) => {
        if (step === 0) name = 'after';
        return step === 0 ? say(call('Glob', { pattern: '*' })) : say(text('done'));
      },
      definitions: () => [define({ name })],
    });
    await session.send('one');
    const lists = () => model.bodies().map((body) => /- (before|after): helps/.exec(JSON.stringify(body.tools))?.[1]);
    expect(lists()).toEqual(['before', 'before']);
    await session.send('two');
    expect(lists().slice(2)).toEqual(['after', 'after']);
  });
});

describe('a problem in an agent file', () => {
  it('is told in the conversation once, until it changes, also after a restart', async () => {
    let problems: readonly DefinitionProblem[] = [];
    const { session, events, workspace, reopen } = await startSession({
      script: () => say(text('hello')),
      definitionProblems: () => problems,
    });
    const notices = () => ofType(events, 'notice').map((event) => event.text);
    await session.send('one');
    expect(notices()).toEqual([]);
    const file = join(workspace, '.claude/agents/bad.md');
    problems = [{ file, line: 4, severity: 'error', message: 'unknown tools Wand. There are: Read, Write.' }];
    await session.send('two');
    await session.send('three');
    expect(notices()).toEqual([
      'Agent files: an agent cannot be used as written.\n- .claude/agents/bad.md:4: unknown tools Wand.',
    ]);
    await session.close();
    const again = await reopen(session.id);
    await again.send('four');
    expect(notices()).toHaveLength(1);
    problems = [{ file, line: 5, severity: 'warning', message: 'effort is not supported yet.' }];
    await again.send('five');
    expect(notices().slice(1)).toEqual([
      'Agent files: not everything they ask for is done.\n- .claude/agents/bad.md:5: effort is not supported yet.',
    ]);
  });
});
