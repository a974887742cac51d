import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import manifest from '../../package.json' with { type: 'json' };

describe('the editor', () => {
  it('is at least the version that the manifest asks for', () => {
    const [major, minor] = vscode.version.split('.').map(Number);
    const [wantedMajor, wantedMinor] = manifest.engines.vscode.replace('^', '').split('.').map(Number);
    assert.equal(major, wantedMajor);
    assert.ok((minor ?? 0) >= (wantedMinor ?? 0), vscode.version);
  });
});
