import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileQuery, SearchResult, TextQuery } from '../../host.ts';
import { ToolError } from '../../tools/toolError.ts';
import { decodeText } from '../text.ts';
import { fileTypeFilter } from './fileTypes.ts';
import { planFilter, planGlob } from './globs.ts';
import { compilePattern, matchText } from './scanText.ts';
import { formatLines, type SearchLine } from './searchLines.ts';
import { walkFiles } from './walk.ts';

export type ScanRequest =
  | { readonly kind: 'text'; readonly query: TextQuery }
  | { readonly kind: 'files'; readonly query: FileQuery };

const maxScannedBytes = 50 * 1024 * 1024;

/** What ripgrep would find, one file after another. */
export function scanFolder(request: ScanRequest, onFile: () => void): SearchResult {
  return request.kind === 'text' ? scanText(request.query, onFile) : scanNames(request.query, onFile);
}

function scanNames(query: FileQuery, onFile: () => void): SearchResult {
  const plan = planGlob(query.pattern);
  const lines: string[] = [];
  for (const file of walkFiles(query.path, plan.base)) {
    onFile();
    if (plan.isMatch(file.relative)) lines.push(file.relative);
    if (lines.length > query.limit) break;
  }
  return { lines: lines.slice(0, query.limit), isTruncated: lines.length > query.limit };
}

function scanText(query: TextQuery, onFile: () => void): SearchResult {
  const pattern = compilePattern(query);
  const lines: SearchLine[] = [];
  for (const file of filesOf(query)) {
    onFile();
    const text = readWhole(file.path);
    if (text !== undefined)
      lines.push(...matchText(text, file.relative, pattern, query, query.limit + 1 - lines.length));
    if (lines.length > query.limit) break;
  }
  const hasContext = query.mode === 'content' && (query.before > 0 || query.after > 0);
  const formatted = formatLines(lines, query.lineNumbers, hasContext);
  return { lines: formatted.slice(0, query.limit), isTruncated: formatted.length > query.limit };
}

function* filesOf(query: TextQuery): Generator<{ readonly path: string; readonly relative: string }> {
  const isFolder = statSync(query.path, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined)
    throw new ToolError(`${query.path} does not exist. Check the path, or leave it out to search everywhere.`);
  if (!isFolder) {
    yield { path: query.path, relative: basename(query.path) };
    return;
  }
  const plan = query.glob === undefined ? undefined : planFilter(query.glob);
  const isOfType = query.fileType === undefined ? () => true : fileTypeFilter(query.fileType);
  for (const file of walkFiles(query.path, plan?.base ?? '')) {
    if (isOfType(basename(file.relative)) && (plan?.isMatch(file.relative) ?? true)) yield file;
  }
}

function readWhole(path: string): string | undefined {
  try {
    if (statSync(path).size > maxScannedBytes) return undefined;
    return decodeText(readFileSync(path))?.text;
  } catch {
    // Unreadable files are passed over, as ripgrep does.
    return undefined;
  }
}
