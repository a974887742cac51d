import assert from 'node:assert/strict';
import type { PermissionAsk } from '../../src/agent/index.ts';
import { createPermissions, type PermissionParts } from '../../src/editor/asking/permissions.ts';
import { until } from './folders.ts';

const ask = (id: string): PermissionAsk => ({
  id,
  agent: 'a1',
  agentName: 'bench',
  call: 'call',
  tool: 'Bash',
  title: 'Run a command',
  detail: 'echo a\u202eb',
  directory: '/code/app',
  reason: 'protected file',
});

type Modal = {
  readonly title: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  click(button: string | undefined): void;
};

/** A user who sees one modal after another and clicks when the test says so, having read it for a second. */
function scriptedUser(more: Partial<PermissionParts> = {}) {
  const modals: Modal[] = [];
  const words: ((value: string | undefined) => void)[] = [];
  const time = { now: 0, reading: 1000 };
  const parts: PermissionParts = {
    preference: () => 'modal',
    report: (text) => assert.fail(text),
    explain: async () => undefined,
    showAll: async () => undefined,
    now: () => time.now,
    dialogs: {
      modal: (title, detail, buttons) =>
        new Promise((resolve) => {
          const click = (button: string | undefined) => {
            time.now += time.reading;
            resolve(button);
          };
          modals.push({ title, detail, buttons, click });
        }),
      words: () => new Promise((resolve) => words.push(resolve)),
    },
    ...more,
  };
  /** The modal that comes next; it is taken off the list. */
  const next = async (): Promise<Modal> => {
    await until(() => modals.length > 0, 'a modal is there');
    return modals.shift() ?? assert.fail();
  };
  const say = async (value: string | undefined) => {
    await until(() => words.length > 0, 'a reason is asked for');
    words.shift()?.(value);
  };
  return { modals, time, next, say, permissions: createPermissions(parts) };
}

const allowed = { decision: 'allow', scope: 'once', by: 'user' } as const;

describe('permission questions', () => {
  const { signal } = new AbortController();

  it('name agent, tool, directory, reason and the whole command, with nothing invisible', async () => {
    const { permissions, next } = scriptedUser();
    const answer = permissions.ask(ask('1'), signal);
    const { title, detail, click } = await next();
    assert.equal(title, 'bench: Run a command?');
    for (const part of ['bench', 'Bash', '/code/app', 'protected file', 'echo a\\u{202e}b']) {
      assert.ok(detail.includes(part), `${part} in ${detail}`);
    }
    click('Allow for this session');
    assert.deepEqual(await answer, { ...allowed, scope: 'session' });
  });

  it('show a rule before it is kept, and let it be kept for the workspace, always, or not at all', async () => {
    for (const [button, scope] of [
      ['In This Workspace', 'workspace'],
      ['Everywhere', 'always'],
    ] as const) {
      const { permissions, next } = scriptedUser();
      const answer = permissions.ask({ ...ask('1'), rule: 'Bash(npm test)' }, signal);
      const first = await next();
      assert.ok(first.detail.includes('Bash(npm test)'));
      first.click('Always allow Bash(npm test)…');
      const back = await next();
      assert.ok(back.detail.startsWith('Bash(npm test)\n'));
      back.click('Back');
      (await next()).click('Always allow Bash(npm test)…');
      (await next()).click(button);
      assert.deepEqual(await answer, { ...allowed, scope });
    }
  });

  it('offer nothing that would not hold', async () => {
    const { permissions, next } = scriptedUser();
    const answer = permissions.ask({ ...ask('1'), isOnceOnly: true }, signal);
    const { buttons, click } = await next();
    assert.deepEqual(buttons, ['Allow once', 'Why was this asked?', 'Deny with a reason…', 'Deny']);
    click('Allow once');
    assert.deepEqual(await answer, allowed);
  });

  it('are denied by the button and by leaving the modal', async () => {
    for (const [button, by] of [
      ['Deny', 'user'],
      [undefined, 'dismissed'],
    ] as const) {
      const { permissions, next } = scriptedUser();
      const answer = permissions.ask(ask('1'), signal);
      (await next()).click(button);
      assert.deepEqual(await answer, { decision: 'deny', scope: 'once', by });
    }
  });

  it('are denied with a reason; who leaves that box is asked again', async () => {
    const { permissions, next, say } = scriptedUser();
    const answer = permissions.ask(ask('1'), signal);
    (await next()).click('Deny with a reason…');
    await say(undefined);
    (await next()).click('Deny with a reason…');
    await say(' use make ');
    assert.deepEqual(await answer, { decision: 'deny', scope: 'once', by: 'user', reason: 'use make' });
  });

  it('are explained, and come again', async () => {
    const explained: string[] = [];
    const { permissions, next } = scriptedUser({ explain: async (id) => void explained.push(id) });
    const answer = permissions.ask(ask('1'), signal);
    (await next()).click('Why was this asked?');
    (await next()).click('Allow once');
    await answer;
    assert.deepEqual(explained, ['1']);
  });

  it('come again when the answer was sooner than anybody reads, and wait as cards in the end', async () => {
    const { permissions, next, time, modals } = scriptedUser();
    time.reading = 499;
    const answer = permissions.ask(ask('1'), signal);
    (await next()).click('Allow once');
    (await next()).click(undefined);
    time.reading = 500;
    (await next()).click('Allow once');
    assert.deepEqual(await answer, allowed);
    time.reading = 0;
    const other = permissions.ask(ask('2'), signal);
    for (let round = 0; round < 5; round += 1) (await next()).click('Allow once');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(modals.length, 0);
    assert.equal(permissions.answer('2', 'deny', 'once', ''), true);
    assert.equal((await other).decision, 'deny');
  });

  it('come one at a time, and one that its card has answered does not come', async () => {
    const { permissions, next, modals } = scriptedUser();
    const answers = ['1', '2', '3'].map((id) => permissions.ask(ask(id), signal));
    const first = await next();
    assert.equal(permissions.answer('2', 'deny', 'once', ' not now '), true);
    first.click('Allow once');
    (await next()).click('Allow once');
    assert.deepEqual(await Promise.all(answers), [
      allowed,
      { decision: 'deny', scope: 'once', by: 'user', reason: 'not now' },
      allowed,
    ]);
    assert.equal(modals.length, 0);
  });

  it('S32 cannot be answered by an id that is not open: forged, answered before, or of another', async () => {
    const { permissions, next } = scriptedUser();
    const answer = permissions.ask(ask('1'), signal);
    for (const id of ['', '2', '1 ', '__proto__', 'constructor']) {
      assert.equal(permissions.answer(id, 'allow', 'always', ''), false, id);
    }
    (await next()).click('Allow once');
    assert.deepEqual(await answer, allowed);
    assert.equal(permissions.answer('1', 'allow', 'always', ''), false);
  });

  it('can all be answered by their cards, when there are several', async () => {
    let shown = 0;
    const { permissions, next, modals } = scriptedUser({
      showAll: async () => {
        shown += 1;
      },
    });
    const answers = ['1', '2', '3'].map((id) => permissions.ask(ask(id), signal));
    (await next()).click('Show all (3)…');
    await until(() => shown === 1, 'the cards are shown');
    for (const id of ['1', '2', '3']) assert.equal(permissions.answer(id, 'allow', 'once', ''), true);
    assert.deepEqual(await Promise.all(answers), [allowed, allowed, allowed]);
    assert.equal(modals.length, 0);
    const later = permissions.ask(ask('4'), signal);
    (await next()).click('Allow once');
    await later;
  });

  it('of background agents wait as cards', async () => {
    const { permissions, next, modals } = scriptedUser();
    const behind = permissions.ask({ ...ask('1'), isBackground: true }, signal);
    const front = permissions.ask(ask('2'), signal);
    (await next()).click('Allow once');
    await front;
    assert.equal(modals.length, 0);
    assert.equal(permissions.answer('1', 'allow', 'session', ''), true);
    assert.deepEqual(await behind, { ...allowed, scope: 'session' });
  });

  it('end with the signal, and a click that comes later counts for nothing', async () => {
    const { permissions, next } = scriptedUser();
    const controller = new AbortController();
    const answer = permissions.ask(ask('1'), controller.signal);
    const { click } = await next();
    controller.abort();
    assert.deepEqual(await answer, { decision: 'deny', scope: 'once', by: 'stopped' });
    assert.equal(permissions.answer('1', 'allow', 'session', ''), false);
    click('Allow once');
  });

  it('show no modal where the user wants the sidebar alone', async () => {
    const { permissions, modals } = scriptedUser({ preference: () => 'sidebar' });
    const answer = permissions.ask(ask('1'), signal);
    assert.equal(permissions.answer('other', 'allow', 'once', ''), false);
    assert.equal(permissions.answer('1', 'allow', 'once', ''), true);
    assert.deepEqual(await answer, allowed);
    assert.equal(modals.length, 0);
  });

  it('are denied when the editor cannot show them', async () => {
    const faults: string[] = [];
    const { permissions } = scriptedUser({
      report: (text) => faults.push(text),
      dialogs: {
        modal: async () => {
          throw new Error('refused');
        },
        words: async () => undefined,
      },
    });
    assert.deepEqual(await permissions.ask(ask('1'), signal), { decision: 'deny', scope: 'once', by: 'dismissed' });
    assert.equal(faults.length, 1);
  });
});
