import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../../support/answers.ts';
import type { Script } from '../../../support/scriptedModel.ts';
import { ofType, type StartOptions, startSession } from '../../../support/startSession.ts';
import { bash, both, type HookSettings, on, one, printing, specific } from './hooked.ts';

const denying: NonNullable<StartOptions['prompts']> = {
  permission: async () => ({ decision: 'deny', scope: 'once', by: 'user' }),
};
const start = (hooks: HookSettings, script: Script, more: StartOptions = {}) =>
  startSession({ script, ...more, settings: { hooks, ...more.settings } });
const decision = (permissionDecision: string, more: object = {}) => specific({ permissionDecision, ...more });
const read = call('Read', { file_path: 'a.txt' });
const files = { 'a.txt': 'alpha\n' };

describe('a hook before a call', () => {
  it('is told who calls what, in which mode, and what was used so far', async () => {
    const hooks = on('PreToolUse', 'cat > input.json', { matcher: 'Read' });
    const { session, workspace } = await start(hooks, one(read), { files });
    await session.send('go');
    const input: unknown = JSON.parse(await readFile(join(workspace, 'input.json'), 'utf8'));
    expect(input).toMatchObject({
      session_id: session.id,
      cwd: workspace,
      hook_event_name: 'PreToolUse',
      agent_id: 'lead',
      agent_name: 'lead',
      agent_type: 'lead',
      parent_agent_id: null,
      permission_mode: 'default',
      tool_name: 'Read',
      tool_input: { file_path: 'a.txt' },
      tool_use_id: expect.any(String),
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number), cost_usd: expect.any(Number) },
    });
  });

  it('blocks with exit code 2, with its error output as the reason', async () => {
    const hooks = on('PreToolUse', 'echo "not that file" >&2; exit 2');
    const { session, events } = await start(hooks, one(read), { files });
    expect((await session.send('go')).text).toMatch(/hook of the user blocks this call.*not that file/s);
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'deny', by: 'hook' }]);
    expect(ofType(events, 'tool-end')).toMatchObject([{ status: 'denied' }]);
    expect(ofType(events, 'hook-run')).toMatchObject([
      { event: 'PreToolUse', origin: 'settings', outcome: 'ok', decision: 'deny', reason: 'not that file' },
    ]);
    expect(ofType(events, 'notice').map((notice) => notice.text)).toEqual([
      expect.stringMatching(/^The hook .* \(PreToolUse\) blocked: not that file/),
    ]);
  });

  it.each([
    ['permissionDecision', decision('deny', { permissionDecisionReason: 'no way' })],
    ['decision', printing({ decision: 'block', reason: 'no way' })],
  ])('blocks by %s in its JSON', async (_, command) => {
    const { session } = await start(on('PreToolUse', command), one(read), { files });
    expect((await session.send('go')).text).toContain('no way');
  });

  it('allows what only the mode would ask about', async () => {
    const { session, events } = await start(on('PreToolUse', decision('allow')), one(bash('touch out')));
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toEqual([]);
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'allow', by: 'hook' }]);
  });

  it.each([
    ['a deny rule', bash('touch out'), { 'permissions.deny': ['Bash(touch *)'] }, 'rule'],
    ['plan mode', bash('touch out'), { 'permissions.mode': 'plan' }, 'mode'],
    ['a protected file', call('Write', { file_path: '.git/config', content: 'x' }), {}, 'user'],
    ['an ask rule', bash('touch out'), { 'permissions.ask': ['Bash(touch *)'] }, 'user'],
  ])('does not allow what %s holds back', async (_, block, settings, by) => {
    const options = { settings, prompts: denying };
    const { session, events } = await start(on('PreToolUse', decision('allow')), one(block), options);
    await session.send('go');
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'deny', by }]);
  });

  it('has the user asked, with its words, whatever rules allow', async () => {
    const hooks = on('PreToolUse', decision('ask', { permissionDecisionReason: 'look twice' }));
    const settings = { 'permissions.allow': ['Bash'] };
    const { session, events } = await start(hooks, one(bash('touch out')), { settings, prompts: denying });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toMatchObject([{ reason: expect.stringContaining('look twice') }]);
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'deny', by: 'user' }]);
  });

  it('changes the input; what it makes of it is what is asked about and run', async () => {
    const hooks = on('PreToolUse', specific({ updatedInput: { command: 'echo changed > out' } }));
    const { session, events, workspace } = await start(hooks, one(bash('echo first > out')));
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toMatchObject([
      { detail: 'echo changed > out', reason: expect.stringContaining('A hook has changed this call') },
    ]);
    expect(await readFile(join(workspace, 'out'), 'utf8')).toBe('changed\n');
    expect(ofType(events, 'hook-run')).toMatchObject([{ input: { command: 'echo changed > out' } }]);
    expect(ofType(events, 'notice')).toMatchObject([{ text: expect.stringContaining('echo changed > out') }]);
  });

  it('cannot slip what a rule denies into an allowed call', async () => {
    const command = decision('allow', { updatedInput: { command: 'touch secret' } });
    const settings = { 'permissions.deny': ['Bash(touch secret)'] };
    const { session, events } = await start(on('PreToolUse', command), one(bash('touch out')), { settings });
    await session.send('go');
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'deny', by: 'rule' }]);
  });

  it('that changes the input to one that does not fit stops the call', async () => {
    const hooks = on('PreToolUse', specific({ updatedInput: { nothing: true } }));
    const { session } = await start(hooks, one(read), { files });
    expect((await session.send('go')).text).toMatch(/one that does not fit.*file_path/s);
  });

  it('adds context to the result', async () => {
    const hooks = on('PreToolUse', specific({ additionalContext: 'alpha is old' }));
    const { session } = await start(hooks, one(read), { files });
    expect((await session.send('go')).text).toMatch(/alpha\n[\s\S]*<hook event="PreToolUse">\nalpha is old\n<\/hook>/);
  });

  it.each([
    ['ends with another exit code', 'echo "no jq here" >&2; exit 1', 'exit code 1: no jq here'],
    ['is not there', './nowhere.sh', 'exit code 127'],
    ['prints broken JSON', 'echo "{oops"', 'begins like JSON'],
    ['prints another shape', specific({ permissionDecision: 'maybe' }), 'cannot be used'],
    ['kills itself', 'kill -9 $$', 'killed'],
  ])('that %s has the user asked, and is told', async (_, command, words) => {
    const { session, events } = await start(on('PreToolUse', command), one(read), { files, prompts: denying });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toMatchObject([{ reason: expect.stringContaining(words) }]);
    expect(ofType(events, 'hook-run')).toMatchObject([{ outcome: 'failed', reason: expect.stringContaining(words) }]);
    expect(ofType(events, 'notice')).toMatchObject([{ level: 'warning', text: expect.stringContaining(words) }]);
  });

  it('that hangs is ended with all it has started, and the user is asked', async () => {
    // What stays alive goes on writing: a process that only waits to be collected looks alive from outside.
    const command = '(while true; do echo x >> alive; sleep 0.02; done) & sleep 600';
    const hooks = on('PreToolUse', command, { timeout: 1 });
    const { session, events, workspace } = await start(hooks, one(read), { files, prompts: denying });
    await session.send('go');
    expect(ofType(events, 'hook-run')).toMatchObject([{ outcome: 'timed_out' }]);
    expect(ofType(events, 'permission-ask')).toMatchObject([{ reason: expect.stringContaining('within 1 s') }]);
    const written = await readFile(join(workspace, 'alive'), 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await readFile(join(workspace, 'alive'), 'utf8')).toBe(written);
  });

  it('that cannot be written down right has its calls asked about', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'prompt', prompt: 'fine?' }] }] };
    const { session, events } = await start(hooks, one(read), { files, prompts: denying });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toHaveLength(1);
  });

  it('of several, deny goes before ask before allow; identical ones are run once', async () => {
    const hooks = both(
      on('PreToolUse', `echo x >> runs; ${decision('allow')}`),
      on('PreToolUse', `echo x >> runs; ${decision('allow')}`, { matcher: 'Read' }),
      on('PreToolUse', decision('deny', { permissionDecisionReason: 'mine counts' })),
      on('PreToolUse', decision('ask')),
      on('PreToolUse', 'touch never', { matcher: 'Bash' }),
    );
    const { session, workspace } = await start(hooks, one(read), { files });
    expect((await session.send('go')).text).toContain('mine counts');
    expect(await readFile(join(workspace, 'runs'), 'utf8')).toBe('x\n');
    await expect(readFile(join(workspace, 'never'))).rejects.toThrow('ENOENT');
  });

  it('ends the agent with continue: false', async () => {
    const hooks = on('PreToolUse', printing({ continue: false, stopReason: 'enough for today' }));
    const { session, events, model } = await start(hooks, one(read), { files });
    expect((await session.send('go')).status).toBe('stopped');
    expect(model.bodies()).toHaveLength(1);
    expect(ofType(events, 'notice')).toMatchObject([{ text: expect.stringContaining('enough for today') }]);
  });

  it('S42: sees no key of the environment', async () => {
    process.env.SECRET_API_KEY = 'canary';
    const { session, workspace } = await start(on('PreToolUse', 'env > seen'), one(read), { files });
    await session.send('go');
    delete process.env.SECRET_API_KEY;
    const seen = await readFile(join(workspace, 'seen'), 'utf8');
    expect(seen).toContain(`CLAUDE_PROJECT_DIR=${workspace}`);
    expect(seen).not.toContain('canary');
  });

  it('S37: holds two levels down, with the child’s name', async () => {
    const script: Script = (request) => {
      if (request.firstText === 'below') return one(bash('touch out'))(request);
      const task = request.firstText === 'middle' ? 'below' : 'middle';
      const next = delegate(task, { subagent_type: 'general-purpose', name: task });
      return request.step === 0 ? say(next) : say(text(request.lastResults[0]?.text ?? ''));
    };
    const hooks = on('PreToolUse', 'cat > input.json; echo "not here" >&2; exit 2', { matcher: 'Bash' });
    const settings = { 'agents.maxDepth': 2, 'permissions.mode': 'bypassPermissions' };
    const definitions = () => [nesting];
    const { session, workspace } = await start(hooks, script, { settings, definitions });
    expect((await session.send('go')).text).toContain('not here');
    expect(JSON.parse(await readFile(join(workspace, 'input.json'), 'utf8'))).toMatchObject({
      agent_name: 'below',
      agent_type: 'general-purpose',
      agent_depth: 2,
      usage: { output_tokens: expect.any(Number) },
    });
    await expect(readFile(join(workspace, 'out'))).rejects.toThrow('ENOENT');
  });
});

const nesting = {
  name: 'general-purpose',
  description: 'anything',
  tools: ['*'],
  disallowedTools: [],
  prompt: 'You work.',
  hasInstructions: false,
  modelRole: 'parent' as const,
};

describe('a hook behind a call', () => {
  it('is told the result, and adds context', async () => {
    const hooks = on(
      'PostToolUse',
      `cat > input.json; printf '%s' '{"hookSpecificOutput":{"additionalContext":"checked"}}'`,
    );
    const { session, workspace } = await start(hooks, one(read), { files });
    expect((await session.send('go')).text).toMatch(/alpha[\s\S]*<hook event="PostToolUse">\nchecked/);
    expect(JSON.parse(await readFile(join(workspace, 'input.json'), 'utf8'))).toMatchObject({
      tool_name: 'Read',
      tool_response: { content: expect.stringContaining('alpha'), is_error: false },
    });
  });

  it('puts another result in its place', async () => {
    const hooks = on('PostToolUse', specific({ updatedToolOutput: 'nothing to see' }));
    const { session, events } = await start(hooks, one(read), { files });
    expect((await session.send('go')).text).toBe('nothing to see');
    expect(ofType(events, 'hook-run')).toMatchObject([{ isOutputReplaced: true }]);
  });

  it('tells the model what to mend when it blocks', async () => {
    const { session } = await start(on('PostToolUse', 'echo "lint fails" >&2; exit 2'), one(read), { files });
    expect((await session.send('go')).text).toMatch(/alpha[\s\S]*lint fails/);
  });

  it('that fails is told once a turn, and the result stands', async () => {
    const script: Script = ({ step }) =>
      step < 2 ? say(call('Read', { file_path: `${step}.txt` })) : say(text('done'));
    const some = { '0.txt': 'x', '1.txt': 'y' };
    const { session, events } = await start(on('PostToolUse', 'exit 3'), script, { files: some });
    expect((await session.send('go')).text).toBe('done');
    expect(ofType(events, 'hook-run')).toHaveLength(2);
    expect(ofType(events, 'notice')).toHaveLength(1);
  });

  it('of another event is run when the call fails', async () => {
    const hooks = both(on('PostToolUse', 'touch good'), on('PostToolUseFailure', 'cat > input.json; echo "{}"'));
    const { session, workspace } = await start(hooks, one(read));
    await session.send('go');
    expect(JSON.parse(await readFile(join(workspace, 'input.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
      error: expect.stringContaining('a.txt'),
    });
    await expect(readFile(join(workspace, 'good'))).rejects.toThrow('ENOENT');
  });

  it('is told the input that was run, not the one that was asked for', async () => {
    const hooks = both(
      on('PreToolUse', specific({ updatedInput: { file_path: 'b.txt' } })),
      on('PostToolUse', 'cat > input.json'),
    );
    const { session, workspace } = await start(hooks, one(read), { files: { ...files, 'b.txt': 'beta\n' } });
    expect((await session.send('go')).text).toContain('beta');
    expect(JSON.parse(await readFile(join(workspace, 'input.json'), 'utf8'))).toMatchObject({
      tool_input: { file_path: 'b.txt' },
    });
  });
});

describe('a hook of a question', () => {
  const behavior = (value: string, message?: string) => specific({ decision: { behavior: value, message } });

  it('answers in the user’s place', async () => {
    const { session, events } = await start(on('PermissionRequest', behavior('allow')), one(bash('touch out')));
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toEqual([]);
    expect(ofType(events, 'permission-decide')).toMatchObject([{ decision: 'allow', by: 'hook' }]);
  });

  it('denies with its reason', async () => {
    const { session } = await start(
      on('PermissionRequest', behavior('deny', 'not on Fridays')),
      one(bash('touch out')),
    );
    expect((await session.send('go')).text).toContain('not on Fridays');
  });

  it('does not answer what protection or an ask rule put to the user', async () => {
    for (const block of [bash('touch out'), call('Write', { file_path: '.git/config', content: 'x' })]) {
      const options = { settings: { 'permissions.ask': ['Bash'] }, prompts: denying };
      const { session, events } = await start(on('PermissionRequest', behavior('allow')), one(block), options);
      await session.send('go');
      expect(ofType(events, 'permission-ask')).toHaveLength(1);
    }
  });
});

describe('a hook of a question, for a change that is put to the user', () => {
  const behavior = (value: string, message?: string) => specific({ decision: { behavior: value, message } });
  const write = call('Write', { file_path: 'new.txt', content: 'x' });
  const reviewed = (settings: Readonly<Record<string, unknown>> = {}) => {
    const shown: string[] = [];
    const prompts: NonNullable<StartOptions['prompts']> = {
      review: async ({ path }) => {
        shown.push(path);
        return { decision: 'reject' };
      },
    };
    return { shown, options: { prompts, settings } };
  };

  it('denies it before it is shown', async () => {
    const { shown, options } = reviewed();
    const { session } = await start(on('PermissionRequest', behavior('deny', 'generated')), one(write), options);
    expect((await session.send('go')).text).toContain('generated');
    expect(shown).toEqual([]);
  });

  it('accepts it in the user’s place, unless a rule wants the user', async () => {
    const free = reviewed();
    const hooks = on('PermissionRequest', behavior('allow'));
    await (await start(hooks, one(write), free.options)).session.send('go');
    expect(free.shown).toEqual([]);
    const held = reviewed({ 'permissions.ask': ['Write'] });
    await (await start(hooks, one(write), held.options)).session.send('go');
    expect(held.shown).toHaveLength(1);
  });
});

describe('hooks of other extensions', () => {
  const registered = (handler: (input: object) => unknown, more: object = {}): StartOptions => ({
    files,
    registeredHooks: () => [
      {
        event: 'PreToolUse',
        origin: 'extension',
        action: { kind: 'handler', name: 'acme.guard', handler, timeoutMs: 200 },
        ...more,
      },
    ],
  });

  it('block as commands do, by their name', async () => {
    const options = registered(() => ({ decision: 'block', reason: 'not mine' }));
    const { session, events } = await start({}, one(read), options);
    expect((await session.send('go')).text).toContain('not mine');
    expect(ofType(events, 'hook-run')).toMatchObject([{ origin: 'extension', hook: 'acme.guard' }]);
  });

  it.each([
    [
      'throw',
      () => {
        throw new Error('broken inside');
      },
      'broken inside',
    ],
    ['reject', () => Promise.reject(new Error('broken later')), 'broken later'],
    ['never end', () => new Promise(() => undefined), 'within 0.2 s'],
    ['return nonsense', () => 'yes', 'cannot be used'],
  ])('that %s have the user asked', async (_, handler, words) => {
    const { session, events } = await start({}, one(read), { ...registered(handler), prompts: denying });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toMatchObject([{ reason: expect.stringContaining(words) }]);
  });

  it('cannot change what they are shown', async () => {
    const options = registered((input) => {
      Object.assign(input, { tool_input: { file_path: 'b.txt' } });
    });
    const { session } = await start({}, one(read), options);
    expect((await session.send('go')).text).toContain('alpha');
  });
});

it('nothing is run, read or emitted where nothing is hooked', async () => {
  const { session, events, workspace } = await start({}, one(read), { files });
  await writeFile(join(workspace, 'x'), '');
  await session.send('go');
  expect(ofType(events, 'hook-run')).toEqual([]);
});
