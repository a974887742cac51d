/** Plays a subagent: lists its area, searches it, reads the most telling files, reports. */
import { writeAreaReport } from './areaReport.ts';
import { type Conversation, failedListings, offers, type PlannedCall, planCall, type Reply } from './conversation.ts';
import { describeArea } from './explorerReport.ts';
import { documentsIn, type Findings, findingsOf, keywordPattern, rankFiles } from './findings.ts';
import { isCode, languageOf } from './languages.ts';
import { type ExploreTask, folderOf, isIn, taskOf } from './task.ts';

const effort = {
  quick: { documents: 1, files: 1, rounds: 1, lines: 150 },
  medium: { documents: 2, files: 3, rounds: 1, lines: 400 },
  'very thorough': { documents: 3, files: 3, rounds: 2, lines: 800 },
} as const;
const mostSearches = 6;
const mostSingleFiles = 5;
const largeFolder = 25;

export function playExplorer(conversation: Conversation): Reply {
  const task = taskOf(conversation.prompt);
  const findings = findingsOf(conversation, task);
  if (!conversation.isTextOnly) {
    const failed = failedListings(conversation);
    const stage = failed === conversation.steps.length && failed > 1 ? undefined : conversation.steps.length - failed;
    const next = stage === undefined ? undefined : stages(conversation, task, findings)[stage];
    if (next !== undefined && next.calls.length > 0) return next;
  }
  return { text: writeAreaReport(describeArea(task, findings)), calls: [] };
}

/** What to do in each step; a stage without calls ends the work early. */
function stages(conversation: Conversation, task: ExploreTask, findings: Findings): readonly Reply[] {
  const { files, rounds } = effort[task.thoroughness];
  const ranked = rankFiles(findings, task.keywords);
  const notRead = [...findings.entries, ...ranked].filter((path) => !findings.read.has(path));
  const reading = (text: string): Reply => ({
    text,
    calls: readCalls(conversation, task, [...new Set(notRead)].slice(0, files)),
  });
  return [
    { text: `I list the files of ${task.area}.`, calls: listCalls(conversation, task) },
    { text: 'Now the definitions, and what the documents say.', calls: searchCalls(conversation, task, findings) },
    reading('These files look most telling.'),
    ...(rounds > 1 ? [reading('A few more, to be thorough.')] : []),
  ];
}

function listCalls(conversation: Conversation, task: ExploreTask): readonly PlannedCall[] {
  if (!offers(conversation, 'Glob')) return [];
  return task.patterns.map((pattern) => planCall(conversation, 'Glob', { pattern }));
}

function searchCalls(conversation: Conversation, task: ExploreTask, findings: Findings): readonly PlannedCall[] {
  const documents = documentsIn(findings.files).slice(0, effort[task.thoroughness].documents);
  const reads = readCalls(conversation, task, documents);
  if (!offers(conversation, 'Grep') || findings.files.length === 0) return reads;
  const hasCode = findings.files.some(isCode);
  const definitionSearches = placesToSearch(
    task,
    findings.files.filter((path) => !hasCode || isCode(path)),
  );
  const wordSearches = task.keywords.length > 0 ? placesToSearch(task, findings.files) : [];
  return [
    ...definitionSearches.flatMap(({ path, files }) => {
      const pattern = definitionPattern(files);
      return pattern === ''
        ? []
        : [grep(conversation, { pattern, path, glob: path === files[0] ? undefined : globOf(files) })];
    }),
    ...wordSearches.map(({ path }) => grep(conversation, { pattern: keywordPattern(task.keywords), path, '-i': true })),
    ...reads,
  ];
}

function grep(conversation: Conversation, input: PlannedCall['input']): PlannedCall {
  return planCall(conversation, 'Grep', { ...input, output_mode: 'content', '-n': true, head_limit: 400 });
}

function readCalls(conversation: Conversation, task: ExploreTask, paths: readonly string[]): readonly PlannedCall[] {
  if (!offers(conversation, 'Read')) return [];
  const { lines } = effort[task.thoroughness];
  return paths.map((path) => planCall(conversation, 'Read', { file_path: path, limit: lines }));
}

type SearchPlace = { readonly path: string; readonly files: readonly string[] };

/**
 * Folders to search. The few files directly in a folder are searched one by one, so that its subfolders stay out; a large
 * folder is searched by subfolder, so that one result does not cut off the rest.
 */
function placesToSearch(task: ExploreTask, files: readonly string[]): readonly SearchPlace[] {
  const places = task.patterns.flatMap((pattern) => {
    const folder = folderOf(pattern);
    const isDeep = pattern.endsWith('**/*');
    const own = files.filter((path) => isIn(path, [pattern]));
    if (own.length === 0) return [];
    if (!isDeep && own.length <= mostSingleFiles) return own.map((path) => ({ path, files: [path] }));
    return isDeep && own.length > largeFolder ? subfolders(folder, own) : [{ path: folder || '.', files: own }];
  });
  return places.sort((a, b) => b.files.length - a.files.length).slice(0, mostSearches);
}

function subfolders(folder: string, files: readonly string[]): readonly SearchPlace[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const byPath = new Map<string, readonly string[]>();
  for (const file of files) {
    const end = file.indexOf('/', start);
    const path = end === -1 ? file : file.slice(0, end);
    byPath.set(path, [...(byPath.get(path) ?? []), file]);
  }
  if (byPath.size > mostSearches || byPath.size < 2) return [{ path: folder || '.', files }];
  return [...byPath].map(([path, own]) => ({ path, files: own }));
}

function definitionPattern(files: readonly string[]): string {
  const definitions = files.map((path) => languageOf(path)?.definition ?? '').filter((pattern) => pattern !== '');
  return [...new Set(definitions)].sort().join('|');
}

function globOf(files: readonly string[]): string {
  const extensions = files.flatMap((path) =>
    languageOf(path) === undefined ? [] : [/\.([^./]+)$/.exec(path)?.[1] ?? ''],
  );
  const distinct = [...new Set(extensions)].sort();
  return distinct.length === 1 ? `*.${distinct[0]}` : `*.{${distinct.join(',')}}`;
}
