import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { OffshootApi, OffshootHookInput } from '../../src/editor/hooks/api.ts';
import { until, useFolder } from './folders.ts';

/** The extension as it is installed, not the modules of this suite. */
async function activate(): Promise<OffshootApi> {
  const extension = vscode.extensions.getExtension<OffshootApi>('offshoot.offshoot');
  assert.ok(extension);
  return extension.activate();
}

describe('hooks in the editor', () => {
  const folder = useFolder();
  const registrations: { dispose(): void }[] = [];
  const set = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration('offshoot').update(key, value, vscode.ConfigurationTarget.Global);

  afterEach(async () => {
    for (const registration of registrations.splice(0)) registration.dispose();
    await vscode.commands.executeCommand('offshoot.stop');
    await vscode.commands.executeCommand('offshoot.newChat');
    await set('hooks', undefined);
    await set('provider', undefined);
  });

  it('of another extension and of the settings are run for every agent of the window', async () => {
    const { version, hooks } = await activate();
    assert.equal(version, 1);
    const seen: OffshootHookInput[] = [];
    const ended: OffshootHookInput[] = [];
    registrations.push(
      hooks.register('PreToolUse', 'Glob|Grep|Read', (input) => {
        seen.push(input);
        return input.agent_depth === 0 ? undefined : { decision: 'block', reason: 'not in this test' };
      }),
      hooks.register('Stop', async (input) => {
        ended.push(input);
        return undefined;
      }),
    );
    const prompts = folder.at('prompt.json');
    const command = `cat > '${prompts}'`;
    await set('provider', 'demo');
    await set('hooks', { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] });
    await vscode.commands.executeCommand('offshoot.explore', 'quick');
    await until(() => ended.length > 0, 'the lead has answered');
    const [first] = seen;
    assert.equal(first?.hook_event_name, 'PreToolUse');
    assert.ok(
      seen.some(({ parent_agent_id }) => parent_agent_id === 'lead'),
      'a subagent passes them too',
    );
    assert.equal(ended[0]?.agent_id, 'lead');
    const told: unknown = JSON.parse(await readFile(prompts, 'utf8'));
    assert.equal((told as OffshootHookInput).session_id, first?.session_id);
  });

  it('are refused at once when they cannot be called', async () => {
    const { hooks } = await activate();
    assert.throws(() => hooks.register('PreTool' as 'PreToolUse', () => undefined), /no hook event PreTool/);
    assert.throws(() => hooks.register('PreToolUse', 'Bash', undefined as never), /needs a handler/);
  });

  it('end with their registration', async () => {
    const { hooks } = await activate();
    let calls = 0;
    hooks
      .register('UserPromptSubmit', () => {
        calls += 1;
        return undefined;
      })
      .dispose();
    const ended: OffshootHookInput[] = [];
    registrations.push(
      hooks.register('Stop', (input) => {
        ended.push(input);
        return undefined;
      }),
    );
    await set('provider', 'demo');
    await vscode.commands.executeCommand('offshoot.explore', 'quick');
    await until(() => ended.length > 0, 'the lead has answered');
    assert.equal(calls, 0);
  });
});
