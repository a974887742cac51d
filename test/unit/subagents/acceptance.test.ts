import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionAsk } from '../../../src/agent/host.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script, ScriptedRequest } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';
import { untilThere } from '../../support/untilThere.ts';

/** Says what it was given; fails until the file `good` is there. */
const command = 'echo checking; test -e good';
const isChild = ({ tools }: ScriptedRequest) => !tools.includes('Agent');
const worker = { subagent_type: 'general-purpose' };

function leadOf(child: Script, more: Readonly<Record<string, unknown>> = { acceptance: command }): Script {
  return (request) => {
    if (isChild(request)) return child(request);
    if (request.step === 0) return say(delegate('work', { ...worker, ...more }));
    return say(text(request.lastResults.map((result) => result.text).join('\n')));
  };
}

const write = call('Write', { file_path: 'good', content: '' });
const childBodies = (bodies: readonly ScriptedRequest['body'][]) =>
  bodies.filter(({ tools }) => !tools?.some(({ name }) => name === 'Agent'));

describe('an acceptance command', () => {
  it('that passes is said in the receipt, and counted as a command', async () => {
    const { session, model, events } = await startSession({
      script: leadOf(() => say(text('done'))),
      files: { good: '' },
    });
    const { text: answer } = await session.send('go');
    expect(answer).toMatch(/status="completed">\ndone\n<\/report>\n<receipt>.* · acceptance passed<\/receipt>$/);
    expect(childBodies(model.bodies())).toHaveLength(1);
    const end = ofType(events, 'agent-end').find(({ agent }) => agent !== 'lead');
    expect(end).toMatchObject({ status: 'completed', receipt: { calls: 1, commands: [{ command, exitCode: 0 }] } });
  });

  it('that fails is told to the agent, which mends and reports again', async () => {
    const child: Script = ({ prompt, step }) => {
      if (prompt === 'work') return say(text('too early'));
      return step === 0 ? say(write) : say(text(`mended after: ${prompt}`));
    };
    const { session, events } = await startSession({
      script: leadOf(child),
      settings: { 'permissions.mode': 'acceptEdits' },
    });
    const { text: answer } = await session.send('go');
    expect(answer).toContain(
      'status="completed">\nmended after: The acceptance command fails: echo checking; test -e good',
    );
    expect(answer).toContain('checking\n(Exit code 1)');
    expect(answer).toContain('round 1 of 3');
    expect(answer).toContain('2 commands (exit 1, 0)');
    expect(answer).toMatch(/ · acceptance passed<\/receipt>$/);
    expect(ofType(events, 'tool-end').map(({ tool, status }) => [tool, status])).toEqual([
      ['Bash', 'error'],
      ['Write', 'ok'],
      ['Bash', 'ok'],
      ['Agent', 'ok'],
    ]);
  });

  it('that never passes ends after three rounds, as failed', async () => {
    const { session, model } = await startSession({
      script: leadOf(({ prompt }) => say(text(`tried: ${prompt.slice(-20)}`))),
    });
    const { text: answer, status } = await session.send('go');
    expect(status).toBe('completed');
    expect(childBodies(model.bodies())).toHaveLength(4);
    expect(answer).toMatch(/status="failed">\ntried: .*round 3 of 3/);
    expect(answer).toContain('[The acceptance command fails (exit 1, 3 rounds): echo checking; test -e good]');
    expect(answer).toContain('4 commands (exit 1, 1, 1, 1)');
    expect(answer).toMatch(/ · acceptance failed<\/receipt>$/);
  });

  it('is not taken for a circle of the agent that runs it too', async () => {
    const child: Script = ({ prompt, step }) => {
      if (step === 0) return say(call('Bash', { command }));
      return prompt.includes('round 2') && step === 1 ? say(write) : say(text('done'));
    };
    const { session } = await startSession({ script: leadOf(child), settings: { 'permissions.mode': 'acceptEdits' } });
    expect((await session.send('go')).text).toMatch(/ · acceptance passed<\/receipt>$/);
  });

  it('goes on within the limit of steps, and says how it stands there', async () => {
    const child: Script = ({ body }) => say(text(body.tool_choice?.type === 'none' ? 'forced' : 'tried'));
    const script = leadOf(child, { acceptance: command, max_turns: 2 });
    const { session, model } = await startSession({ script });
    const { text: answer } = await session.send('go');
    expect(childBodies(model.bodies())).toHaveLength(3);
    expect(answer).toMatch(/status="limit_reached">\nforced/);
    expect(answer).toMatch(/ · acceptance failed<\/receipt>$/);
  });

  it('is asked about like a command of the agent, and its denial is no failure of the work', async () => {
    const asks: PermissionAsk[] = [];
    const asked = 'echo x > mark; test -e good';
    const { session, model } = await startSession({
      script: leadOf(() => say(text('done')), { acceptance: asked }),
      prompts: {
        permission: async (ask) => {
          asks.push(ask);
          return { decision: 'deny', scope: 'once', by: 'user', reason: 'not here' };
        },
      },
    });
    const { text: answer } = await session.send('go');
    expect(asks).toMatchObject([{ tool: 'Bash', detail: asked, agentName: 'do-a-part' }]);
    expect(childBodies(model.bodies())).toHaveLength(1);
    expect(answer).toMatch(/status="completed">\ndone\n\[The acceptance command was not run: .*not here/);
    expect(answer).toMatch(/ · acceptance not run<\/receipt>$/);
  });

  it('is not run in plan mode', async () => {
    const { session } = await startSession({
      script: leadOf(() => say(text('done')), { acceptance: 'touch ran' }),
      settings: { 'permissions.mode': 'plan' },
    });
    expect((await session.send('go')).text).toMatch(/ · acceptance not run<\/receipt>$/);
  });

  it('gives the agent the end of a long output only', async () => {
    const child: Script = ({ prompt }) => say(text(`heard ${prompt.length} ${prompt.includes('the last line')}`));
    const long = 'seq 1 20000; echo the last line; exit 3';
    const { session } = await startSession({ script: leadOf(child, { acceptance: long }) });
    const { text: answer } = await session.send('go');
    const heard = /heard (\d+) true/.exec(answer);
    expect(Number(heard?.[1])).toBeLessThan(9000);
    expect(answer).toContain('(exit 3, 3 rounds)');
  });

  it('ends with the agent that is stopped while it runs', async () => {
    const { session, workspace, events } = await startSession({
      script: leadOf(() => say(text('done')), { acceptance: 'echo on > began; sleep 20; echo x > ended' }),
    });
    session.subscribe((event) => {
      if (event.type !== 'tool-start' || event.tool !== 'Bash') return;
      void untilThere(join(workspace, 'began'), 3).then(() => session.stop(event.agent));
    });
    const startedAt = Date.now();
    const { text: answer } = await session.send('go');
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(answer).toContain('status="stopped"');
    expect(answer).toMatch(/ · acceptance not run<\/receipt>$/);
    expect(await readFile(join(workspace, 'began'), 'utf8')).toBe('on\n');
    expect(ofType(events, 'tool-end')[0]).toMatchObject({ tool: 'Bash', status: 'cancelled' });
  });

  it('is not run for an agent that failed', async () => {
    const fault = { type: 'status', status: 400, errorType: 'invalid_request_error', message: 'no' } as const;
    const { session, events } = await startSession({ script: leadOf(() => ({ ...say(text('')), fault })) });
    expect((await session.send('go')).text).toMatch(/status="failed"[\s\S]* · acceptance not run<\/receipt>$/);
    expect(ofType(events, 'tool-start').map(({ tool }) => tool)).toEqual(['Agent']);
  });

  it('is refused before anything starts for a type that runs no commands', async () => {
    const script = leadOf(() => say(text('done')), { acceptance: command, subagent_type: 'Explore' });
    const { session, model } = await startSession({ script });
    expect((await session.send('go')).text).toContain('Explore has no Bash to run it with. Leave acceptance out');
    expect(childBodies(model.bodies())).toHaveLength(0);
  });

  it('hears what was told to the agent while it ran', async () => {
    const child: Script = ({ prompt }) => say(text(`answer to ${prompt}`));
    const acceptance = 'touch began; while ! test -e told; do sleep 0.05; done';
    const { session, workspace } = await startSession({ script: leadOf(child, { acceptance }) });
    const end = session.subscribe((event) => {
      if (event.type !== 'tool-start' || event.tool !== 'Bash') return;
      end();
      void untilThere(join(workspace, 'began')).then(() => {
        session.tell(event.agent, 'also this');
        return writeFile(join(workspace, 'told'), '');
      });
    });
    expect((await session.send('go')).text).toContain('also this');
  });
});
