import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../../support/answers.ts';
import type { Script } from '../../../support/scriptedModel.ts';
import { ofType, type StartOptions, startSession } from '../../../support/startSession.ts';
import { bash, both, type HookSettings, on, one, printing, specific } from './hooked.ts';

const start = (hooks: HookSettings, script: Script, more: StartOptions = {}) =>
  startSession({ script, ...more, settings: { hooks, ...more.settings } });
const answers: Script = () => say(text('done'));
const readJson = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, name), 'utf8'));
const linesOf = async (folder: string, name: string) =>
  (await readFile(join(folder, name), 'utf8').catch(() => '')).trim().split('\n');
/** One line for each run, with this field of its input. */
const noting = (field: string, file = 'notes') => `sed -n 's/.*"${field}":"\\([^"]*\\)".*/\\1/p' >> ${file}`;

describe('hooks of a turn', () => {
  it('begin with the session, once, and add what they print', async () => {
    const hooks = both(
      on('SessionStart', `${noting('source')}; echo "mind the gap"`),
      on('UserPromptSubmit', 'echo later'),
    );
    const { session, model, workspace, reopen } = await start(hooks, answers);
    await session.send('one');
    await session.send('two');
    await session.close();
    await (await reopen(session.id)).send('three');
    expect(await linesOf(workspace, 'notes')).toEqual(['startup', 'resume']);
    expect(model.bodies()[0]?.messages[0]?.content).toMatchObject([
      { text: 'one' },
      { text: '<hook event="SessionStart">\nmind the gap\n</hook>' },
      { text: '<hook event="UserPromptSubmit">\nlater\n</hook>' },
    ]);
  });

  it('are chosen by how the session begins', async () => {
    const hooks = on('SessionStart', 'touch resumed', { matcher: 'resume' });
    const { session, workspace, reopen } = await start(hooks, answers);
    await session.send('one');
    expect(await linesOf(workspace, 'resumed')).toEqual(['']);
    await session.close();
    await (await reopen(session.id)).send('two');
    await expect(readFile(join(workspace, 'resumed'), 'utf8')).resolves.toBe('');
  });

  it('see the prompt, and block it before anything is sent', async () => {
    const hooks = on('UserPromptSubmit', 'grep -q secret && { echo "no secrets, please" >&2; exit 2; }; exit 0');
    const { session, model } = await start(hooks, answers);
    const refused = await session.send('the secret is 42');
    expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('no secrets, please') });
    expect(model.bodies()).toEqual([]);
    expect((await session.send('hello')).status).toBe('completed');
    expect(JSON.stringify(model.bodies()[0]?.messages)).not.toContain('42');
  });

  it('send the lead back to work until they are content', async () => {
    const command = 'cat > input.json; test -e out && exit 0; echo "make out first" >&2; exit 2';
    const script: Script = ({ step, body }) => {
      if (!JSON.stringify(body.messages).includes('make out first')) return say(text('answer 0'));
      return say(step === 0 ? bash('touch out') : text('answer 1'));
    };
    const { session, workspace, events } = await start(on('Stop', command), script);
    expect(await session.send('go')).toMatchObject({ status: 'completed', text: 'answer 1' });
    expect(await readJson(workspace, 'input.json')).toMatchObject({
      hook_event_name: 'Stop',
      stop_hook_active: true,
      last_assistant_message: 'answer 1',
    });
    expect(ofType(events, 'hook-run')).toHaveLength(2);
  });

  it('that are never content do not hold it for ever', async () => {
    const { session, model, events } = await start(on('Stop', 'echo "again" >&2; exit 2'), answers);
    expect((await session.send('go')).status).toBe('completed');
    expect(model.bodies()).toHaveLength(9);
    expect(ofType(events, 'notice').at(-1)?.text).toContain('sent lead back to work 8 times');
  });

  it('say something to the user', async () => {
    const { session, events } = await start(on('Stop', printing({ systemMessage: 'tea time' })), answers);
    await session.send('go');
    expect(ofType(events, 'notice')).toMatchObject([{ level: 'info', text: expect.stringContaining('tea time') }]);
  });

  it('hear when the user is wanted', async () => {
    const { session, workspace } = await start(on('Notification', noting('notification_type')), one(bash('touch out')));
    await session.send('go');
    await expect.poll(() => linesOf(workspace, 'notes')).toEqual(['permission_prompt']);
  });

  it('keep a history from being summarised on demand', async () => {
    const hooks = on('PreCompact', `${noting('trigger')}; echo "not now" >&2; exit 2`, { matcher: 'manual' });
    const { session, workspace, events } = await start(hooks, answers);
    await session.send('go');
    await session.compact();
    expect(await linesOf(workspace, 'notes')).toEqual(['manual']);
    expect(ofType(events, 'context-compact')).toEqual([]);
  });
});

describe('hooks of subagents', () => {
  const delegating =
    (child: Script, more: Readonly<Record<string, unknown>> = {}): Script =>
    (request) => {
      if (request.firstText?.startsWith('child')) return child(request);
      return request.step === 0 ? say(delegate('child', more)) : say(text(request.lastResults[0]?.text ?? ''));
    };

  it('begin and end with each, told which; the lead’s end is another event', async () => {
    const hooks = both(
      on('SubagentStart', noting('agent_type'), { matcher: 'Explore' }),
      on('SubagentStart', 'touch never', { matcher: 'Plan' }),
      on('SubagentStop', 'cat > input.json'),
      on('Stop', noting('agent_name', 'stops')),
    );
    const { session, workspace } = await start(hooks, delegating(answers));
    await session.send('go');
    expect(await linesOf(workspace, 'notes')).toEqual(['Explore']);
    await expect(readFile(join(workspace, 'never'))).rejects.toThrow('ENOENT');
    expect(await linesOf(workspace, 'stops')).toEqual(['lead']);
    expect(await readJson(workspace, 'input.json')).toMatchObject({
      hook_event_name: 'SubagentStop',
      agent_name: 'do-a-part',
      agent_type: 'Explore',
      parent_agent_id: 'lead',
      last_assistant_message: 'done',
    });
  });

  it('add to what a child is told', async () => {
    const { session, model } = await start(
      on('SubagentStart', specific({ additionalContext: 'look into lib first' })),
      delegating(answers),
    );
    await session.send('go');
    expect(JSON.stringify(model.bodies()[1]?.messages)).toContain('look into lib first');
  });

  it('send a child back to work', async () => {
    const command = 'grep -q active\\":true && exit 0; echo "name the files" >&2; exit 2';
    const child: Script = ({ body }) => say(text(`report ${body.messages.length}`));
    const { session } = await start(on('SubagentStop', command), delegating(child));
    expect((await session.send('go')).text).toContain('report 3');
  });

  it('end a child before its first step', async () => {
    const hooks = on('SubagentStart', 'echo "not today" >&2; exit 2');
    const { session, model } = await start(hooks, delegating(answers));
    expect((await session.send('go')).text).toMatch(/status="stopped"[\s\S]*not today/);
    expect(model.bodies()).toHaveLength(2);
  });

  it('are asked after the command that the result has to pass', async () => {
    const script = delegating(answers, { subagent_type: 'general-purpose', acceptance: 'echo accepted >> order' });
    const { session, workspace } = await start(on('SubagentStop', 'echo hook >> order'), script);
    await session.send('go');
    expect(await linesOf(workspace, 'order')).toEqual(['accepted', 'hook']);
  });
});

it('Stop ends a hook that runs, with the turn', async () => {
  const { session, events } = await start(
    on('PreToolUse', 'touch begun; sleep 600'),
    one(call('Read', { file_path: 'a' })),
  );
  const turn = session.send('go');
  await expect.poll(() => ofType(events, 'tool-start').length).toBe(1);
  session.stop();
  expect((await turn).status).toBe('stopped');
  expect(ofType(events, 'hook-run').map(({ outcome }) => outcome)).toEqual(['cancelled']);
});
