import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import { commandNames } from '../../src/editor/commandNames.ts';

describe('the extension', () => {
  it('activates and registers exactly the commands of its manifest', async () => {
    const extension = vscode.extensions.getExtension('offshoot.offshoot');
    assert.ok(extension);
    await extension.activate();
    const registered = await vscode.commands.getCommands(true);
    const own = manifest.contributes.commands.map(({ command }) => command).sort();
    assert.deepEqual(own, commandNames.map((name) => `offshoot.${name}`).sort());
    assert.deepEqual(
      own.filter((command) => !registered.includes(command)),
      [],
    );
  });

  it('opens its sidebar by command', async () => {
    await vscode.commands.executeCommand('offshoot.focus');
  });
});
