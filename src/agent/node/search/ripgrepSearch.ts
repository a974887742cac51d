import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileQuery, SearchResult, TextQuery } from '../../host.ts';
import { ToolError } from '../../tools/toolError.ts';
import { type GlobPlan, planFilter, planGlob } from './globs.ts';
import { type RipgrepEnd, runRipgrep } from './ripgrep.ts';
import { formatLines, parseRecord, type SearchLine, sortByPath, splitRecords } from './searchLines.ts';

/** Over so many lines the sorted search, which can stop early, is quicker than a whole one. */
const maxUnsortedLines = 2000;
const maxListedFiles = 500_000;

const common = ['--color=never', '--no-messages', '--hidden', '--null', '--glob', '!.git'];

export async function searchTextWithRipgrep(
  file: string,
  query: TextQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  const plan = query.glob === undefined ? undefined : planFilter(query.glob);
  const [place, ignoring] = await Promise.all([placeOf(query.path, plan?.base ?? ''), ignoreOptions(query.path)]);
  const args = [...common, ...ignoring, ...textOptions(query, plan), `--regexp=${query.pattern}`, '--', place.target];
  // In parallel first; the order is ours. Too much for that: one file after another, until the limit.
  const many = Math.max(maxUnsortedLines, 4 * query.limit);
  const whole = await collectLines(file, args, place.directory, query, plan, many, signal);
  if (!whole.isTruncated) {
    const sorted = sortByPath(whole.lines, ({ path }) => path);
    return toResult(sorted, query);
  }
  const sorted = await collectLines(
    file,
    ['--sort=path', ...args],
    place.directory,
    query,
    plan,
    query.limit + 1,
    signal,
  );
  return toResult(sorted.lines, query);
}

export async function searchFilesWithRipgrep(
  file: string,
  query: FileQuery,
  signal: AbortSignal,
): Promise<SearchResult> {
  const plan = planGlob(query.pattern);
  const [place, ignoring] = await Promise.all([placeOf(query.path, plan.base), ignoreOptions(query.path)]);
  // A glob given to ripgrep would bring back ignored files; a file type does not.
  const args = [...common, ...ignoring, ...nameOptions(plan)];
  if (plan.depth !== undefined) args.push('--max-depth', String(place.isBase ? plan.depth : depthFromTop(plan)));
  const found: string[] = [];
  let count = 0;
  const split = splitRecords('\0', (record) => {
    const path = toRelative(record);
    count++;
    if (plan.isMatch(path)) found.push(path);
  });
  const run = { file, args: [...args, '--files', '--', place.target], directory: place.directory };
  const end = await runRipgrep({ ...run, onText: (text) => split(text) && count < maxListedFiles }, signal);
  if (!end.isStopped) checkEnd(end, query.pattern, found.length > 0);
  const sorted = sortByPath(found, (path) => path);
  return { lines: sorted.slice(0, query.limit), isTruncated: end.isStopped || found.length > query.limit };
}

/**
 * As git does it: in a repository its own ignore files hold, up to the folder with `.git`. Outside of one ripgrep is told to
 * heed them all the same, but not those of the folders above, one of which may be a home folder that ignores everything.
 */
async function ignoreOptions(path: string): Promise<readonly string[]> {
  // Most often it is the top of a repository.
  if (await isTop(path)) return [];
  const above: string[] = [];
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) above.push(dirname(folder));
  const found = await Promise.all(above.map(isTop));
  return found.includes(true) ? [] : ['--no-require-git', '--no-ignore-parent'];
}

function isTop(folder: string): Promise<boolean> {
  return access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}

function depthFromTop(plan: GlobPlan): number {
  return (plan.depth ?? 0) + (plan.base === '' ? 0 : plan.base.split('/').length);
}

type Place = { readonly directory: string; readonly target: string; readonly isBase: boolean };

/** Where to start: the query's folder, or at once the folder in it that the pattern names. */
async function placeOf(path: string, base: string): Promise<Place> {
  const found = await stat(path).catch((cause) => {
    throw new ToolError(`${path} does not exist. Check the path, or leave it out to search everywhere.`, { cause });
  });
  if (!found.isDirectory()) return { directory: dirname(path), target: `./${basename(path)}`, isBase: false };
  if (base === '') return { directory: path, target: './', isBase: true };
  const folder = join(path, base);
  // Not through a link: what ripgrep is told to search it follows, and the link may lead out of the workspace.
  const isReal = (await realpath(folder).catch(() => undefined)) === folder;
  return isReal
    ? { directory: path, target: `./${base}`, isBase: true }
    : { directory: path, target: './', isBase: false };
}

function nameOptions(plan: GlobPlan | undefined): readonly string[] {
  return plan?.nameGlob === undefined ? [] : ['--type-add', `offshoot:${plan.nameGlob}`, '--type', 'offshoot'];
}

function textOptions(query: TextQuery, plan: GlobPlan | undefined): string[] {
  const options = ['--with-filename', '--no-heading'];
  if (query.fileType !== undefined) options.push(`--type=${query.fileType}`);
  else options.push(...nameOptions(plan));
  if (query.ignoreCase) options.push('--ignore-case');
  if (query.multiline) options.push('--multiline', '--multiline-dotall');
  if (query.mode === 'files_with_matches') options.push('--files-with-matches');
  if (query.mode === 'count') options.push('--count');
  if (query.mode === 'content') {
    options.push('--line-number', `--max-count=${Math.max(1, query.limit + 1)}`);
    options.push(`--before-context=${query.before}`, `--after-context=${query.after}`);
  }
  return options;
}

type Collected = { readonly lines: readonly SearchLine[]; readonly isTruncated: boolean };

async function collectLines(
  file: string,
  args: readonly string[],
  directory: string,
  query: TextQuery,
  plan: GlobPlan | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<Collected> {
  const lines: SearchLine[] = [];
  const accepts = acceptor(query.path, directory, plan);
  const split = splitRecords(query.mode === 'files_with_matches' ? '\0' : '\n', (record) => {
    const line = parseRecord(record, query.mode);
    if (line && lines.length <= limit && accepts(toRelative(line.path)))
      lines.push({ ...line, path: toRelative(line.path) });
  });
  const end = await runRipgrep(
    { file, args, directory, onText: (text) => split(text) && lines.length <= limit },
    signal,
  );
  if (!end.isStopped) checkEnd(end, query.pattern, lines.length > 0);
  return { lines, isTruncated: end.isStopped || lines.length > limit };
}

function acceptor(path: string, directory: string, plan: GlobPlan | undefined): (path: string) => boolean {
  // A filter says which files of a folder are searched; a file that is named is searched in any case.
  if (!plan || path !== directory) return () => true;
  let last: string | undefined;
  let isAccepted = false;
  return (candidate) => {
    if (candidate !== last) {
      last = candidate;
      isAccepted = plan.isMatch(candidate);
    }
    return isAccepted;
  };
}

function toResult(lines: readonly SearchLine[], query: TextQuery): SearchResult {
  const hasContext = query.mode === 'content' && (query.before > 0 || query.after > 0);
  const formatted = formatLines(lines, query.lineNumbers, hasContext);
  return { lines: formatted.slice(0, query.limit), isTruncated: formatted.length > query.limit };
}

function toRelative(path: string): string {
  const relative = path.startsWith('./') || path.startsWith('.\\') ? path.slice(2) : path;
  return process.platform === 'win32' ? relative.replaceAll('\\', '/') : relative;
}

function checkEnd(end: RipgrepEnd, pattern: string, hasResults: boolean): void {
  if (end.exitCode === 0 || end.exitCode === 1 || (hasResults && end.exitCode === 2)) return;
  if (end.exitCode === 2 && end.errors.trim() === '') return;
  const unknownType = /unrecognized file type: (\S+)/.exec(end.errors)?.[1];
  if (unknownType)
    throw new ToolError(`\`type\`: ${unknownType} is no file type that ripgrep knows. Use \`glob\` instead.`);
  const reason = end.errors.trim().split('\n').slice(-1)[0] ?? '';
  if (/regex|pattern|look-around|the literal/i.test(end.errors)) {
    throw new ToolError(
      `\`${pattern}\` is not a regular expression (${reason}). Escape its special characters with \\.`,
    );
  }
  throw new ToolError(`The search failed: ${reason || `ripgrep ended with ${end.exitCode}`}. Try a simpler search.`);
}
