import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { FileError } from '../../src/agent/index.ts';
import { createEditorFiles } from '../../src/editor/host/files.ts';
import { useFolder } from './folders.ts';

const { signal } = new AbortController();

async function openEditor(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

async function type(editor: vscode.TextEditor, text: string): Promise<void> {
  assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text)));
}

describe('files of the editor', () => {
  const folder = useFolder();
  const files = createEditorFiles();

  it('read what the user has typed and not saved', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'disk\n');
    await type(await openEditor(path), 'typed ');
    const read = await files.readText(path, signal);
    assert.deepEqual({ text: read.text, isUnsaved: read.isUnsaved }, { text: 'typed disk\n', isUnsaved: true });
  });

  it('change unsaved text in the editor and leave it unsaved', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'one\ntwo\n');
    const editor = await openEditor(path);
    await type(editor, 'typed ');
    const { version } = await files.readText(path, signal);
    const written = await files.writeText(path, 'typed one\nTWO\n', version, signal);
    assert.deepEqual([editor.document.getText(), editor.document.isDirty], ['typed one\nTWO\n', true]);
    assert.deepEqual([written.text, written.isUnsaved], ['typed one\nTWO\n', true]);
    assert.equal(await readFile(path, 'utf8'), 'one\ntwo\n');
  });

  it('change an open file through its editor, save it, and leave cursor and undo', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'one\ntwo\nthree\n');
    const editor = await openEditor(path);
    editor.selection = new vscode.Selection(2, 3, 2, 3);
    const { version } = await files.readText(path, signal);
    const written = await files.writeText(path, 'one\nzwei\nthree\n', version, signal);
    assert.equal(await readFile(path, 'utf8'), 'one\nzwei\nthree\n');
    assert.deepEqual([editor.document.isDirty, written.isUnsaved], [false, false]);
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [2, 3]);
    assert.equal((await files.readText(path, signal)).version, written.version);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  it('refuse a write over text that the user typed since it was read', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'one\n');
    const { version } = await files.readText(path, signal);
    await type(await openEditor(path), 'typed ');
    await assert.rejects(
      files.writeText(path, 'other\n', version, signal),
      (error) => error instanceof FileError && error.kind === 'changed',
    );
    assert.equal((await files.readText(path, signal)).text, 'typed one\n');
  });

  it('keep mixed line ends of a file that is open', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'one\r\ntwo\nthree\r\n');
    await openEditor(path);
    const read = await files.readText(path, signal);
    assert.equal(read.text, 'one\r\ntwo\nthree\r\n');
    await files.writeText(path, 'one\r\nTWO\nthree\r\n', read.version, signal);
    assert.equal(await readFile(path, 'utf8'), 'one\r\nTWO\nthree\r\n');
  });

  it('keep the encoding of a file that is open', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, Buffer.from('caf\xe9 one\n', 'latin1'));
    await openEditor(path);
    const read = await files.readText(path, signal);
    assert.deepEqual([read.text, read.encoding], ['café one\n', 'latin1']);
    await files.writeText(path, 'café two\n', read.version, signal);
    assert.deepEqual(await readFile(path), Buffer.from('caf\xe9 two\n', 'latin1'));
  });

  it('know a file that was opened through a link', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'one\n');
    await symlink(folder.path, folder.at('link'));
    await type(await openEditor(folder.at('link', 'a.txt')), 'typed ');
    assert.equal((await files.readText(path, signal)).text, 'typed one\n');
  });
});
