import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, PermissionAnswer, PermissionAsk } from '../../../src/agent/index.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import { createDoor } from '../../support/door.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const run = (command: string): Script => {
  return ({ step, lastResults }) =>
    step === 0 ? say(call('Bash', { command })) : say(text(lastResults[0]?.text ?? ''));
};

/** A user who gives one answer to all, and the questions that were put. */
function user(answer: Partial<PermissionAnswer>) {
  const asks: PermissionAsk[] = [];
  const permission = async (ask: PermissionAsk): Promise<PermissionAnswer> => {
    asks.push(ask);
    return { decision: 'allow', scope: 'once', by: 'user', ...answer };
  };
  return { asks, prompts: { permission } };
}

const decisions = (events: readonly AgentEvent[]) =>
  ofType(events, 'permission-decide').map(({ decision, by, rule, source }) => ({ decision, by, rule, source }));

describe('an answer that lasts', () => {
  it('offers the narrowest rule and says it', async () => {
    const { asks, prompts } = user({});
    const { session } = await startSession({ script: run('make all 2>&1 | tail -5'), prompts });
    await session.send('go');
    expect(asks).toMatchObject([{ rule: 'Bash(make all)' }]);
  });

  it.each(['echo $HOME; make', 'make && gmake', 'cd src && make', 'touch .git/x', 'make > out'])(
    'offers no rule for %s',
    async (command) => {
      const { asks, prompts } = user({ decision: 'deny' });
      const { session } = await startSession({ script: run(command), files: { 'src/a': '' }, prompts });
      await session.send('go');
      expect(asks).toHaveLength(1);
      expect(asks[0]?.rule).toBeUndefined();
    },
  );

  it('always: holds after a restart, in every folder, and only for that command', async () => {
    const { asks, prompts } = user({ scope: 'always' });
    const { session, events, state, reopen } = await startSession({ script: run('touch "a b"'), prompts });
    await session.send('one');
    await session.close();
    const kept = JSON.parse(await readFile(join(state, 'permissions.json'), 'utf8'));
    expect(kept).toEqual({ version: 1, always: ["Bash(touch 'a b')"], workspaces: {} });
    const later = await reopen();
    await later.send('two');
    expect(asks).toHaveLength(1);
    expect(decisions(events)).toEqual([
      { decision: 'allow', by: 'user' },
      { decision: 'allow', by: 'rule', rule: "Bash(touch 'a b')", source: 'always' },
    ]);
  });

  it('for the workspace: holds in that folder', async () => {
    const { asks, prompts } = user({ scope: 'workspace' });
    const { session, workspace, state } = await startSession({ script: run('touch out'), prompts });
    await session.send('one');
    await session.send('two');
    expect(asks).toHaveLength(1);
    const kept = JSON.parse(await readFile(join(state, 'permissions.json'), 'utf8'));
    expect(kept).toEqual({ version: 1, always: [], workspaces: { [workspace]: ['Bash(touch out)'] } });
  });

  it('is asked again once its rule is taken back', async () => {
    const { asks, prompts } = user({ scope: 'always' });
    const { session, state } = await startSession({ script: run('touch out'), prompts });
    await session.send('one');
    await writeFile(join(state, 'permissions.json'), JSON.stringify({ version: 1, always: [], workspaces: {} }));
    await session.send('two');
    expect(asks).toHaveLength(2);
  });

  it('gives way to a rule that denies', async () => {
    const { asks, prompts } = user({ scope: 'session' });
    const settings = { 'permissions.deny': [] as string[] };
    const { session, events } = await startSession({ script: run('touch out'), prompts, settings });
    await session.send('one');
    await session.send('two');
    expect(asks).toHaveLength(1);
    expect(decisions(events).map(({ by }) => by)).toEqual(['user', 'session']);
  });

  it('is not kept for a protected file, and the question says so', async () => {
    const { asks, prompts } = user({ scope: 'always' });
    const { session, state } = await startSession({ script: run('mkdir .vscode'), prompts });
    await session.send('one');
    await session.send('two');
    expect(asks).toMatchObject([{ isOnceOnly: true }, { isOnceOnly: true }]);
    await expect(readFile(join(state, 'permissions.json'))).rejects.toThrow('ENOENT');
  });

  it('that is damaged on disk counts as none, is kept aside and told', async () => {
    const { asks, prompts } = user({});
    const { session, state, events } = await startSession({ script: run('touch out'), prompts });
    await session.send('one');
    await writeFile(join(state, 'permissions.json'), '{"version":1,"always":["Bash"');
    await session.send('two');
    expect(asks).toHaveLength(2);
    expect(await readFile(join(state, 'permissions.json.damaged'), 'utf8')).toContain('Bash');
    expect(ofType(events, 'notice').map((notice) => notice.text)).toEqual([expect.stringContaining('was damaged')]);
  });
});

describe('ten agents that ask for the same', () => {
  const script =
    (count: number, command: string): Script =>
    (request) => {
      if (request.firstText.startsWith('part')) return run(command)(request);
      const parts = Array.from({ length: count }, (_, index) =>
        delegate(`part ${index}`, { subagent_type: 'general-purpose' }),
      );
      return request.step === 0 ? say(...parts) : say(text('done'));
    };

  it.each(['allow', 'deny'] as const)('get one question, and one answer for all: %s', async (decision) => {
    const asks: PermissionAsk[] = [];
    let answer: (value: PermissionAnswer) => void = () => undefined;
    const prompts = {
      permission: (ask: PermissionAsk) => {
        asks.push(ask);
        return new Promise<PermissionAnswer>((resolve) => (answer = resolve));
      },
    };
    const settings = { 'agents.maxConcurrent': 10 };
    const { session, events } = await startSession({ script: script(10, 'touch out'), prompts, settings });
    session.subscribe(() => {
      const waiting = ofType(events, 'agent-status').filter(({ activity }) => activity === 'waiting_user').length;
      if (waiting === 10) setTimeout(() => answer({ decision, scope: 'once', by: 'user' }), 50);
    });
    await session.send('go');
    expect(asks).toHaveLength(1);
    expect(ofType(events, 'permission-ask')).toHaveLength(1);
    expect(ofType(events, 'permission-answer')).toHaveLength(1);
    const bash = decisions(events).filter(({ by }) => by === 'user');
    expect(bash).toHaveLength(10);
    expect(new Set(bash.map((entry) => entry.decision))).toEqual(new Set([decision]));
    const ends = ofType(events, 'tool-end').filter(({ tool }) => tool === 'Bash');
    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill(decision === 'allow' ? 'ok' : 'denied'));
  });

  it('still get their answer when the one in whose name it stands is stopped', async () => {
    const asks: PermissionAsk[] = [];
    const prompts = {
      permission: (ask: PermissionAsk, signal: AbortSignal) =>
        new Promise<PermissionAnswer>((resolve) => {
          asks.push(ask);
          if (asks.length > 1) setTimeout(() => resolve({ decision: 'allow', scope: 'once', by: 'user' }), 20);
          signal.addEventListener('abort', () => resolve({ decision: 'deny', scope: 'once', by: 'stopped' }));
        }),
    };
    const { session, events } = await startSession({ script: script(2, 'touch out'), prompts });
    let isStopped = false;
    session.subscribe(() => {
      const waiting = ofType(events, 'agent-status').filter(({ activity }) => activity === 'waiting_user');
      if (waiting.length < 2 || isStopped) return;
      isStopped = true;
      setTimeout(() => session.stop(asks[0]?.agent), 20);
    });
    await session.send('go');
    expect(new Set(asks.map(({ agent }) => agent)).size).toBe(2);
    const ends = ofType(events, 'tool-end').filter(({ tool }) => tool === 'Bash');
    expect(ends.map(({ status }) => status).sort()).toEqual(['cancelled', 'ok']);
  });

  it('that ask for different things are answered by a rule that came meanwhile', async () => {
    const asks: PermissionAsk[] = [];
    const bothAsk = createDoor();
    const prompts = {
      permission: (ask: PermissionAsk, signal: AbortSignal) =>
        new Promise<PermissionAnswer>((resolve) => {
          asks.push(ask);
          if (asks.length === 2) bothAsk.open();
          const isFirst = ask.detail === 'touch out';
          if (isFirst) void bothAsk.wait.then(() => resolve({ decision: 'allow', scope: 'always', by: 'user' }));
          signal.addEventListener('abort', () => resolve({ decision: 'deny', scope: 'once', by: 'stopped' }));
        }),
    };
    const both: Script = (request) => {
      if (request.firstText === 'part 0') return run('touch out')(request);
      if (request.firstText === 'part 1') return run('touch out; ls')(request);
      return script(2, '')(request);
    };
    const { session, events } = await startSession({ script: both, prompts });
    await session.send('go');
    expect(asks).toHaveLength(2);
    expect(
      ofType(events, 'permission-answer')
        .map(({ by }) => by)
        .sort(),
    ).toEqual(['rule', 'user']);
  });
});
