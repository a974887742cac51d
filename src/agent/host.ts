/**
 * What the agent needs from the place it runs in. Two implementations: `src/agent/node` (headless, tests, benchmarks)
 * and `src/editor` (workspace APIs). All paths are absolute, native to the platform, and already resolved by `gate/places/paths.ts`.
 */
import type { Git } from './host/git.ts';
import type { Worktrees } from './host/worktrees.ts';
import type { ImageBlock } from './messages/types.ts';

export type { DirtyFile, Git, GitState } from './host/git.ts';
export {
  type TakeOver,
  type WorktreeBase,
  WorktreeError,
  type WorktreePlace,
  type WorktreeState,
  type Worktrees,
} from './host/worktrees.ts';

export type Encoding = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be' | 'latin1';

/** A text file as a person would see it in the editor: an unsaved buffer wins over the disk. */
export type TextFile = {
  readonly path: string;
  /** Line ends as they are in the file, without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** Changes whenever the content changes; compared, never parsed. */
  readonly version: string;
  /** The user has changes in the editor that are not on disk. */
  readonly isUnsaved: boolean;
};

export type FileStat = { readonly kind: 'file' | 'directory'; readonly size: number; readonly modifiedAt: number };
export type DirectoryEntry = { readonly name: string; readonly kind: 'file' | 'directory' | 'other' };

export type FileErrorKind =
  | 'not_found'
  | 'not_a_file'
  | 'binary'
  | 'too_large'
  | 'changed'
  | 'exists'
  | 'no_permission'
  | 'io';

/** A file operation that failed; the message names the path and says what to try next. Nothing was written. */
export class FileError extends Error {
  readonly kind: FileErrorKind;
  readonly path: string;
  constructor(kind: FileErrorKind, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileError';
    this.kind = kind;
    this.path = path;
  }
}

export interface Files {
  /** @throws FileError `not_found`, `not_a_file`, `binary`, `too_large` (over 50 MB), `no_permission`, `io` */
  readText(path: string, signal: AbortSignal): Promise<TextFile>;
  /** @throws FileError as `readText`, over `maxBytes`: `too_large` */
  readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Replaces the text, keeping encoding, byte order mark and permissions; creates parent folders for a new file.
   * An open editor is changed through its buffer, so that undo works; a buffer that was clean is saved, one that held the
   * user's unsaved changes stays unsaved.
   * @param expected the version that the new text is based on, or `absent` for a file that must not exist
   * @throws FileError `changed` when the file is another by now, `exists` when it should be absent; nothing is written
   */
  writeText(path: string, text: string, expected: string | 'absent', signal: AbortSignal): Promise<TextFile>;
  /** undefined when nothing is there */
  stat(path: string, signal: AbortSignal): Promise<FileStat | undefined>;
  list(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]>;
}

/** Changes a text that comes in pieces; what it held back comes with its end. */
export type OutputFilter = { add(text: string): string; end(): string };

export type ShellRequest = {
  readonly command: string;
  readonly directory: string;
  readonly timeoutMs: number;
  /** At most this many characters of output are kept in memory, head and tail; the whole goes to `outputFile`. */
  readonly maxOutputChars: number;
  /** Where the whole output is written once it no longer fits; left out: the middle of it is lost. */
  readonly outputFile?: string;
  /** For its standard input; left out: it has none. */
  readonly input?: string;
  /** Beside what the environment holds. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The error output is kept apart; else it stands in `output`, in the order in which both were written. */
  readonly isErrorApart?: boolean;
  readonly onOutput: (text: string) => void;
  /** What the output passes before anybody sees it. */
  readonly filter?: OutputFilter;
};

export type ShellResult = {
  /** undefined when the command was ended by a signal, the time-out or the user. */
  readonly exitCode: number | undefined;
  readonly output: string;
  /** Where it was kept apart. */
  readonly errorOutput?: string;
  /** Characters of output in all. */
  readonly outputChars: number;
  readonly isTruncated: boolean;
  readonly ending: 'exited' | 'killed' | 'timed_out' | 'cancelled';
  readonly durationMs: number;
};

export interface Shell {
  /** Runs in a fresh shell and an own process group with an allow-listed environment; nothing of it is alive afterwards. */
  run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>;
}

export type TextQuery = {
  /** A regular expression as ripgrep understands it. */
  readonly pattern: string;
  /** A folder or one file. */
  readonly path: string;
  readonly glob?: string;
  readonly fileType?: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly mode: 'content' | 'files_with_matches' | 'count';
  readonly before: number;
  readonly after: number;
  readonly lineNumbers: boolean;
  /** Stop after so many output lines. */
  readonly limit: number;
};

export type FileQuery = { readonly pattern: string; readonly path: string; readonly limit: number };

/** `lines` hold paths relative to the query's folder, with `/`; sorted by path. */
export type SearchResult = { readonly lines: readonly string[]; readonly isTruncated: boolean };

/** Searches what git would not ignore; `.git` is never searched. */
export interface Search {
  /** @throws ToolError for a pattern that is not a regular expression */
  text(query: TextQuery, signal: AbortSignal): Promise<SearchResult>;
  files(query: FileQuery, signal: AbortSignal): Promise<SearchResult>;
}

export type Diagnostic = {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  readonly source?: string;
};

export interface Diagnostics {
  /** All of the workspace, or of one file or folder. */
  list(path: string | undefined, signal: AbortSignal): Promise<readonly Diagnostic[]>;
}

export type PermissionAsk = {
  /** One use: an answer carries it back. */
  readonly id: string;
  readonly agent: string;
  readonly agentName: string;
  readonly call: string;
  readonly tool: string;
  /** One line, e.g. `Run a command`. */
  readonly title: string;
  /** The whole command or path, with invisible characters shown as escapes. */
  readonly detail: string;
  readonly directory: string;
  /** Why this is asked, e.g. `protected file`. */
  readonly reason: string;
  /** The narrowest rule that would allow it; with one, an answer may hold for the workspace or always. */
  readonly rule?: string;
  /** An answer holds for this call only, whatever its scope. */
  readonly isOnceOnly?: true;
  /** Nobody waits for the agent: the question may wait too, and interrupts nobody. */
  readonly isBackground?: true;
};

export type PermissionAnswer = {
  readonly decision: 'allow' | 'deny';
  /** `session`: the same call is not asked again in this session. The others keep the rule that was asked with. */
  readonly scope: 'once' | 'session' | 'workspace' | 'always';
  /** The user's words to the agent. */
  readonly reason?: string;
  /** Who answered: a person, a flag, a rule that came meanwhile, or nobody (stopped, dismissed). */
  readonly by: 'user' | 'flag' | 'rule' | 'dismissed' | 'stopped';
};

export type EditProposal = {
  readonly id: string;
  readonly agent: string;
  readonly agentName: string;
  readonly call: string;
  readonly path: string;
  /** undefined: the file is new. */
  readonly before: string | undefined;
  readonly after: string;
  readonly isProtected: boolean;
};

export type EditDecision =
  /** `text` is what the user left in the buffer; it is what is written. */
  { readonly decision: 'accept'; readonly text: string } | { readonly decision: 'reject'; readonly reason?: string };

export type UserQuestion = {
  readonly id: string;
  readonly agent: string;
  readonly agentName: string;
  readonly question: string;
  readonly options: readonly string[];
};

/** Everything that waits for a person. Each promise ends when the signal aborts. */
export interface Prompts {
  permission(ask: PermissionAsk, signal: AbortSignal): Promise<PermissionAnswer>;
  review(proposal: EditProposal, signal: AbortSignal): Promise<EditDecision>;
  /** undefined when nobody can answer */
  question(question: UserQuestion, signal: AbortSignal): Promise<string | undefined>;
}

export type WebAnswer =
  | {
      readonly kind: 'page';
      /** Where it is from in the end. */
      readonly url: string;
      /** Empty where there is none. */
      readonly title: string;
      /** HTML as markdown, any other text as it is. */
      readonly text: string;
      /** The page goes on. */
      readonly isCut: boolean;
    }
  /** To another host, or to an unsafe connection: not followed. */
  | { readonly kind: 'redirect'; readonly from: string; readonly to: string };

/** Reads public pages. Sends nothing of the user's: no cookies, no credentials. */
export interface Web {
  /**
   * @param url http or https
   * @throws ToolError for a page that cannot be had, and for every address that is not of the public internet
   */
  fetch(url: string, signal: AbortSignal): Promise<WebAnswer>;
}

export interface Host {
  readonly files: Files;
  readonly shell: Shell;
  readonly search: Search;
  readonly diagnostics: Diagnostics;
  readonly prompts: Prompts;
  readonly git: Git;
  readonly worktrees: Worktrees;
  readonly web: Web;
}

export type Workspace = {
  /** The folders the agent may touch; the first is where commands run. Absolute, real paths. */
  readonly roots: readonly string[];
  readonly isTrusted: boolean;
};

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

export type Attachment = ImageBlock;
