/** What an explorer knows, worked out anew from its calls: there is no other memory. */
import type { Conversation } from './conversation.ts';
import { isManifest, isReadme, manifestOf } from './documents.ts';
import { definitionName, isCode, isTest } from './languages.ts';
import { isTruncated, type Line, type Match, matchesIn, numberedLinesIn, pathsIn } from './results.ts';
import { type ExploreTask, isIn } from './task.ts';

export type Definition = { readonly name: string; readonly line: number; readonly isPublic: boolean };

export type Findings = {
  readonly files: readonly string[];
  /** By file, in the order of lines. */
  readonly definitions: ReadonlyMap<string, readonly Definition[]>;
  readonly matches: readonly Match[];
  readonly read: ReadonlyMap<string, readonly Line[]>;
  /** Files that a manifest names as entries. */
  readonly entries: readonly string[];
  /** Some listing or search stopped early, so counts are lower bounds. */
  readonly isListPartial: boolean;
  readonly isSearchPartial: boolean;
  /** What tools answered that failed. */
  readonly failures: readonly string[];
};

export function findingsOf(conversation: Conversation, task: ExploreTask): Findings {
  const globs = conversation.calls.filter((call) => call.name === 'Glob');
  const greps = conversation.calls.filter((call) => call.name === 'Grep');
  const isOwn = ({ path }: { path: string }) => isIn(path, task.patterns);
  const matches = greps.flatMap(matchesIn).filter(isOwn);
  const listed = globs.flatMap(pathsIn).filter((path) => isOwn({ path }));
  const read = new Map<string, readonly Line[]>();
  for (const call of conversation.calls) {
    const { file_path: path } = call.input;
    const lines = numberedLinesIn(call);
    if (call.name === 'Read' && typeof path === 'string' && lines.length > 0) read.set(path, lines);
  }
  const pattern = keywordPattern(task.keywords);
  const isKeywordSearch = (input: Readonly<Record<string, unknown>>) => pattern !== '' && input.pattern === pattern;
  const files = [...new Set([...listed, ...matches.map(({ path }) => path)])];
  return {
    files,
    definitions: definitionsIn(matches),
    matches: unique(
      greps
        .filter(({ input }) => isKeywordSearch(input))
        .flatMap(matchesIn)
        .filter(isOwn),
    ),
    read,
    entries: entriesIn(read, new Set(files)),
    isListPartial: globs.some(isTruncated),
    isSearchPartial: greps.some((call) => isTruncated(call) || call.isError),
    failures: conversation.calls.flatMap(({ name, isError, output }) =>
      isError && name !== 'Read' ? [`${name}: ${output.replace(/\s+/g, ' ').slice(0, 160)}`] : [],
    ),
  };
}

export function keywordPattern(keywords: readonly string[]): string {
  return keywords.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll('\\/', '/')).join('|');
}

/** The most telling first: entries, then what defines or mentions most; tests and small print last. */
export function rankFiles(findings: Findings, keywords: readonly string[]): readonly string[] {
  const mentions = new Map<string, number>();
  for (const { path } of findings.matches) mentions.set(path, (mentions.get(path) ?? 0) + 1);
  const score = (path: string) => {
    const own = findings.definitions.get(path) ?? [];
    const definitions = own.reduce((sum, definition) => sum + (definition.isPublic ? 1 : 0.3), 0);
    const mentioned = mentions.get(path) ?? 0;
    const named = keywords.filter((word) => path.toLowerCase().includes(word.toLowerCase())).length;
    const isFound = keywords.length > 0 ? Math.min(mentioned, 20) * 2 + named * 15 : 0;
    const entry = findings.entries.includes(path) ? 25 : isEntryName(path) ? 10 : 0;
    return (
      (isCode(path) ? Math.min(definitions, 30) + entry : Math.min(definitions, 5)) + isFound - (isTest(path) ? 20 : 0)
    );
  };
  const candidates = findings.files.filter(
    (path) => isCode(path) || findings.definitions.has(path) || mentions.has(path),
  );
  return candidates
    .map((path) => ({ path, score: score(path) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** The READMEs and manifests nearest to the root. */
export function documentsIn(files: readonly string[]): readonly string[] {
  const depthOf = (path: string) => path.split('/').length;
  const documents = files.filter((path) => isReadme(path) || isManifest(path));
  const least = Math.min(...documents.map(depthOf));
  return documents
    .filter((path) => depthOf(path) === least)
    .sort((a, b) => Number(isReadme(b)) - Number(isReadme(a)) || (a < b ? -1 : 1));
}

export function isEntryName(path: string): boolean {
  return /(^|\/)(index|main|app|server|cli|extension|program|__main__|__init__|lib|mod|manage|setup)\.\w+$/i.test(path);
}

function definitionsIn(matches: readonly Match[]): ReadonlyMap<string, readonly Definition[]> {
  const byFile = new Map<string, Definition[]>();
  for (const { path, line, text } of unique(matches)) {
    const name = definitionName(path, text);
    if (name === undefined || name === '') continue;
    const own = byFile.get(path) ?? [];
    own.push({ name, line, isPublic: isPublic(text) && !/(^|\.)_/.test(name) });
    byFile.set(path, own);
  }
  for (const own of byFile.values()) own.sort((a, b) => a.line - b.line);
  return byFile;
}

function isPublic(text: string): boolean {
  return (
    /\b(export|pub|public)\b|^[\w$]+\.[\w$.]+ *=|^(class|def|async def) /.test(text) ||
    /^(func (\([^)]*\) )?|type )[A-Z]/.test(text)
  );
}

/** What is built from the sources is no place to start reading, unless there is nothing else. */
function entriesIn(read: ReadonlyMap<string, readonly Line[]>, files: ReadonlySet<string>): readonly string[] {
  return [...read].flatMap(([path, lines]) => {
    if (!isManifest(path)) return [];
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    const entries = manifestOf(lines).entries.map(({ text }) => folder + text.replace(/^\.\//, ''));
    return entries.filter((entry) => files.has(entry) || !/(^|\/)(dist|build|out|target)\/|[*]/.test(entry));
  });
}

function unique(matches: readonly Match[]): readonly Match[] {
  return [...new Map(matches.map((match) => [`${match.path}:${match.line}`, match])).values()];
}
