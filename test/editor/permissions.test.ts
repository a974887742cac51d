import assert from 'node:assert/strict';
import type { PermissionAsk } from '../../src/agent/index.ts';
import { createPermissions } from '../../src/editor/asking/permissions.ts';
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

/** A user who sees one modal after another and clicks when the test says so. */
function scriptedUser() {
  const modals: Modal[] = [];
  return {
    modals,
    showModal: (title: string, detail: string, buttons: readonly string[]) =>
      new Promise<string | undefined>((click) => modals.push({ title, detail, buttons, click })),
  };
}

describe('permission questions', () => {
  const { signal } = new AbortController();
  const unexpected = (text: string) => assert.fail(text);

  it('name agent, tool, directory, reason and the whole command, with nothing invisible', async () => {
    const user = scriptedUser();
    const permissions = createPermissions(() => 'modal', unexpected, user.showModal);
    const answer = permissions.ask(ask('1'), signal);
    await until(() => user.modals.length === 1, 'a modal is there');
    const { title, detail, click } = user.modals[0] ?? assert.fail();
    assert.equal(title, 'bench: Run a command?');
    for (const part of ['bench', 'Bash', '/code/app', 'protected file', 'echo a\\u{202e}b']) {
      assert.ok(detail.includes(part), `${part} in ${detail}`);
    }
    click('Allow for this session');
    assert.deepEqual(await answer, { decision: 'allow', scope: 'session', by: 'user' });
  });

  it('offer the rule that would be kept, and nothing that would not hold', async () => {
    const user = scriptedUser();
    const permissions = createPermissions(() => 'modal', unexpected, user.showModal);
    const answer = permissions.ask({ ...ask('1'), rule: 'Bash(npm test)' }, signal);
    await until(() => user.modals.length === 1, 'a modal is there');
    const first = user.modals.pop() ?? assert.fail();
    assert.deepEqual(first.buttons, ['Allow once', 'Allow for this session', 'Always allow Bash(npm test)', 'Deny']);
    assert.ok(first.detail.includes('Bash(npm test)'));
    first.click('Always allow Bash(npm test)');
    assert.deepEqual(await answer, { decision: 'allow', scope: 'always', by: 'user' });
    const once = permissions.ask({ ...ask('2'), isOnceOnly: true }, signal);
    await until(() => user.modals.length === 1, 'the next modal is there');
    assert.deepEqual(user.modals[0]?.buttons, ['Allow once', 'Deny']);
    user.modals[0]?.click('Deny');
    await once;
  });

  it('are denied by the button and by leaving the modal', async () => {
    const user = scriptedUser();
    const permissions = createPermissions(() => 'modal', unexpected, user.showModal);
    for (const [button, by] of [
      ['Deny', 'user'],
      [undefined, 'dismissed'],
    ] as const) {
      const answer = permissions.ask(ask('1'), signal);
      await until(() => user.modals.length === 1, 'a modal is there');
      user.modals.pop()?.click(button);
      assert.deepEqual(await answer, { decision: 'deny', scope: 'once', by });
    }
  });

  it('come one at a time, and one that its card has answered does not come', async () => {
    const user = scriptedUser();
    const permissions = createPermissions(() => 'modal', unexpected, user.showModal);
    const answers = ['1', '2', '3'].map((id) => permissions.ask(ask(id), signal));
    await until(() => user.modals.length === 1, 'the first modal is there');
    assert.equal(permissions.answer('2', 'deny', 'once', ' not now '), true);
    user.modals[0]?.click('Allow once');
    await until(() => user.modals.length === 2, 'the last modal is there');
    user.modals[1]?.click('Allow once');
    const allowed = { decision: 'allow', scope: 'once', by: 'user' };
    assert.deepEqual(await Promise.all(answers), [
      allowed,
      { decision: 'deny', scope: 'once', by: 'user', reason: 'not now' },
      allowed,
    ]);
    assert.equal(user.modals.length, 2);
  });

  it('end with the signal, and a click that comes later counts for nothing', async () => {
    const user = scriptedUser();
    const controller = new AbortController();
    const permissions = createPermissions(() => 'modal', unexpected, user.showModal);
    const answer = permissions.ask(ask('1'), controller.signal);
    await until(() => user.modals.length === 1, 'a modal is there');
    controller.abort();
    assert.deepEqual(await answer, { decision: 'deny', scope: 'once', by: 'stopped' });
    assert.equal(permissions.answer('1', 'allow', 'session', ''), false);
    user.modals[0]?.click('Allow once');
  });

  it('show no modal where the user wants the sidebar alone', async () => {
    const user = scriptedUser();
    const permissions = createPermissions(() => 'sidebar', unexpected, user.showModal);
    const answer = permissions.ask(ask('1'), signal);
    assert.equal(permissions.answer('other', 'allow', 'once', ''), false);
    assert.equal(permissions.answer('1', 'allow', 'once', ''), true);
    assert.deepEqual(await answer, { decision: 'allow', scope: 'once', by: 'user' });
    assert.equal(user.modals.length, 0);
  });

  it('are denied when the editor cannot show them', async () => {
    const faults: string[] = [];
    const permissions = createPermissions(
      () => 'modal',
      (text) => faults.push(text),
      async () => {
        throw new Error('refused');
      },
    );
    assert.deepEqual(await permissions.ask(ask('1'), signal), { decision: 'deny', scope: 'once', by: 'dismissed' });
    assert.equal(faults.length, 1);
  });
});
