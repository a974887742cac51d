import * as vscode from 'vscode';
import {
  createNodeFiles,
  type Encoding,
  FileError,
  type FileErrorKind,
  type FileStat,
  type Files,
  type TextFile,
  textCodec,
} from '../../agent/index.ts';
import { openDocument, replaceText } from './openDocument.ts';

const maxTextBytes = 50 * 1024 * 1024;

/**
 * Files as the user sees them: unsaved text wins over the disk, and an open editor is changed through its buffer. What is not
 * open is written by replacing the file as a whole, which the editor's own file system does not offer.
 */
export function createEditorFiles(): Files {
  const disk = createNodeFiles();
  const inTurn = createTurns();

  async function readText(path: string, signal: AbortSignal): Promise<TextFile> {
    signal.throwIfAborted();
    const document = await openDocument(path);
    if (document?.isDirty) return unsavedFile(path, document);
    return diskFile(path, await readBytes(path, maxTextBytes, signal));
  }

  async function write(path: string, text: string, expected: string, signal: AbortSignal): Promise<TextFile> {
    const document = expected === 'absent' ? undefined : await openDocument(path);
    if (!document) return disk.writeText(path, text, expected, signal);
    const wasUnsaved = document.isDirty;
    const current = await readText(path, signal);
    if (current.version !== expected) throw changed(path);
    // A buffer has one kind of line end and one encoding. Where it cannot hold the text exactly, the file is replaced and the editor follows.
    const isExact = document.getText() === current.text && hasLineEndsOf(document, text);
    if (!wasUnsaved && !isExact) return disk.writeText(path, text, expected, signal);
    signal.throwIfAborted();
    if (!(await replaceText(document, text))) throw failed(path, 'The editor did not take the change. Try again.');
    if (wasUnsaved) return unsavedFile(path, document);
    if (!(await document.save()))
      throw failed(path, 'The change is in the editor but could not be saved. Ask the user to save it.');
    return readText(path, signal);
  }

  return {
    readText,
    readBytes,
    writeText: (path, text, expected, signal) => inTurn(path, () => write(path, text, expected, signal)),
    async stat(path, signal) {
      const found = await statOf(path, signal);
      return found && toFileStat(found);
    },
    async list(path, signal) {
      signal.throwIfAborted();
      try {
        const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.file(path));
        return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
      } catch (error) {
        throw fileErrorOf(error, path);
      }
    },
  };
}

/** Runs what is asked for one path one after another. */
function createTurns(): <Value>(path: string, action: () => Promise<Value>) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return async (path, action) => {
    const turn = (last.get(path) ?? Promise.resolve()).then(action);
    const settled = turn.catch(() => undefined);
    last.set(path, settled);
    try {
      return await turn;
    } finally {
      if (last.get(path) === settled) last.delete(path);
    }
  };
}

async function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const found = await statOf(path, signal);
  if (!found) throw new FileError('not_found', path, `${path} does not exist. Check the path, or find it with Glob.`);
  if (kindOf(found.type) === 'directory')
    throw new FileError('not_a_file', path, `${path} is a folder. Name a file in it.`);
  if (kindOf(found.type) === 'other') {
    throw new FileError('not_a_file', path, `${path} is no regular file and cannot be read.`);
  }
  if (found.size > maxBytes) throw tooLarge(path, found.size, maxBytes);
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
    signal.throwIfAborted();
    if (bytes.byteLength > maxBytes) throw tooLarge(path, bytes.byteLength, maxBytes);
    return bytes;
  } catch (error) {
    signal.throwIfAborted();
    throw fileErrorOf(error, path);
  }
}

async function statOf(path: string, signal: AbortSignal): Promise<vscode.FileStat | undefined> {
  signal.throwIfAborted();
  try {
    return await vscode.workspace.fs.stat(vscode.Uri.file(path));
  } catch (error) {
    const known = fileErrorOf(error, path);
    if (known.kind === 'not_found') return undefined;
    throw known;
  }
}

function toFileStat(found: vscode.FileStat): FileStat {
  const kind = kindOf(found.type) === 'directory' ? 'directory' : 'file';
  return { kind, size: found.size, modifiedAt: found.mtime };
}

function kindOf(type: vscode.FileType): 'file' | 'directory' | 'other' {
  if (type & vscode.FileType.Directory) return 'directory';
  return type & vscode.FileType.File ? 'file' : 'other';
}

function diskFile(path: string, bytes: Uint8Array): TextFile {
  const decoded = textCodec.decodeText(bytes);
  if (!decoded) {
    throw new FileError('binary', path, `${path} is not a text file. Look at it with a command that knows its format.`);
  }
  return { path, ...decoded, version: textCodec.textVersion(decoded.text), isUnsaved: false };
}

function unsavedFile(path: string, document: vscode.TextDocument): TextFile {
  const text = document.getText();
  return { path, text, encoding: encodingOf(document), version: textCodec.textVersion(text), isUnsaved: true };
}

function encodingOf(document: vscode.TextDocument): Encoding {
  switch (document.encoding) {
    case 'utf8bom':
    case 'utf16le':
    case 'utf16be':
      return document.encoding;
    case 'iso88591':
    case 'windows1252':
      return 'latin1';
    default:
      return 'utf8';
  }
}

function hasLineEndsOf(document: vscode.TextDocument, text: string): boolean {
  const end = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return text.replace(/\r\n|\r|\n/g, end) === text;
}

const kinds: Readonly<Record<string, readonly [FileErrorKind, string]>> = {
  FileNotFound: ['not_found', 'does not exist. Check the path, or find it with Glob.'],
  FileNotADirectory: ['not_found', 'does not exist: a part of the path is a file. Find it with Glob.'],
  FileIsADirectory: ['not_a_file', 'is a folder. Name a file in it.'],
  NoPermissions: ['no_permission', 'may not be opened by this user. Change its permissions or choose another file.'],
};

function fileErrorOf(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  const code = error instanceof vscode.FileSystemError ? error.code : '';
  const reason = error instanceof Error ? error.message : String(error);
  const [kind, text] = kinds[code] ?? (['io', `could not be used (${reason}). Try again.`] as const);
  return new FileError(kind, path, `${path} ${text}`, error);
}

function tooLarge(path: string, size: number, maxBytes: number): FileError {
  const message = `${path} has ${size} bytes; at most ${maxBytes} can be read. Search in it, or cut out a part with a command.`;
  return new FileError('too_large', path, message);
}

function changed(path: string): FileError {
  return new FileError(
    'changed',
    path,
    `${path} has changed since it was read. Read it again, then repeat the change.`,
  );
}

function failed(path: string, what: string): FileError {
  return new FileError('io', path, `${path}: ${what}`);
}
