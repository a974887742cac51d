import { sep } from 'node:path';
import type { Search, SearchResult } from '../host.ts';
import { ToolError } from '../tools/toolError.ts';
import { findRipgrep } from './search/ripgrep.ts';
import { searchFilesWithRipgrep, searchTextWithRipgrep } from './search/ripgrepSearch.ts';
import { runScan } from './search/scan.ts';

const timeLimitMs = 20_000;

export { ripgrepCandidates } from './search/ripgrep.ts';

export type SearchOptions = {
  /** Where ripgrep may be, best first; then PATH; then a scan in JavaScript. */
  readonly ripgrep: readonly string[];
  /** The bundle of `scanWorker.ts`; by default it is looked for beside this code. */
  readonly scanWorker?: URL;
  /** Whether a program may be started now; while it may not, the scan searches. Left out: always. */
  readonly mayStart?: () => boolean;
  /** No ripgrep at all: for tests of the scan. */
  readonly onlyScan?: boolean;
};

const nothing: SearchResult = { lines: [], isTruncated: false };

/**
 * Searches with ripgrep, or by a scan of its own where there is none. What git ignores is left out, but a folder that the query
 * names is searched. @throws ToolError after 20 s, and for a pattern that cannot be used; the signal's reason when it aborts
 */
export function createSearch(options: SearchOptions): Search {
  let finding: Promise<string | undefined> | undefined;
  const find = async () => {
    if (options.mayStart?.() === false) return undefined;
    finding ??= options.onlyScan ? Promise.resolve(undefined) : findRipgrep(options.ripgrep);
    return finding;
  };
  return {
    async text(query, signal) {
      if (query.pattern.includes('\0')) throw new ToolError('The pattern holds a NUL character. Leave it out.');
      if (isInGitFolder(query.path, query.glob)) return nothing;
      const ripgrep = await find();
      return withTimeLimit(signal, (limited) =>
        ripgrep === undefined
          ? runScan({ kind: 'text', query }, options.scanWorker, limited)
          : searchTextWithRipgrep(ripgrep, query, limited),
      );
    },
    async files(query, signal) {
      if (isInGitFolder(query.path, query.pattern)) return nothing;
      const ripgrep = await find();
      return withTimeLimit(signal, (limited) =>
        ripgrep === undefined
          ? runScan({ kind: 'files', query }, options.scanWorker, limited)
          : searchFilesWithRipgrep(ripgrep, query, limited),
      );
    },
  };
}

function isInGitFolder(path: string, glob: string | undefined): boolean {
  return (
    path.split(sep).includes('.git') || (glob !== undefined && /(^|\/)\.git\//.test(glob) && !glob.startsWith('!'))
  );
}

async function withTimeLimit<Result>(
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeLimitMs);
  const forward = () => limit.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  try {
    return await work(limit.signal);
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) {
      throw new ToolError(
        `The search took over ${timeLimitMs / 1000} s. Name a folder or a glob, or use a simpler pattern.`,
        {
          cause: error,
        },
      );
    }
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forward);
  }
}
