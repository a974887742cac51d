import { type AreaReport, place, placeIn, plural } from './areaReport.ts';
import { languageSummary } from './explorerReport.ts';
import { fileOf } from './imports.ts';
import { demoNote } from './words.ts';

export type LeadFindings = {
  readonly paths: readonly string[];
  readonly isPartial: boolean;
  readonly reports: readonly AreaReport[];
  /** Agents that did not come to their end, with the reason. */
  readonly unfinished: readonly string[];
};

/** A large project gets fewer lines for each area, so that the map stays a map. */
const amounts = { few: { files: 5, details: 4 }, many: { files: 3, details: 3 } } as const;
const mostPlaces = 12;
const mostStarts = 7;

export function describeProject(findings: LeadFindings): string {
  const { reports } = findings;
  const about = reports.flatMap((report) => report.about);
  const [top] = [...reports].sort((a, b) => depthOf(a) - depthOf(b));
  const title = /\*\*(\S+)( [^*]*)?\*\*/.exec((top?.about ?? about).join('\n'))?.[1];
  return joined([
    `# ${title === undefined ? 'A map of this folder' : `${title}: a map of the code`}`,
    section('What it is', [...(top?.about ?? []), `- ${sizeOf(findings)}`]),
    section('Where to start reading', startLines(findings)),
    '## Map of the code',
    ...reports
      .filter(({ files, size }) => files.length > 0 || size !== '')
      .map((report) => areaSection(report, report === top, findings)),
    unfinishedLine(findings),
    demoNote,
  ]);
}

export function answerSearch(keywords: readonly string[], findings: LeadFindings): string {
  const words = keywords.map((word) => `\`${word}\``).join(', ');
  const places = findings.reports.flatMap(({ matches }) => matches).map(scoredPlace);
  places.sort((a, b) => b.score - a.score);
  const agents = plural(findings.reports.length, 'agent');
  if (places.length === 0) {
    return joined([
      `I found no line with ${words}. ${agents} searched ${plural(findings.paths.length, 'file')}.`,
      'Try a name as the code writes it, a shorter word, or “Explore this codebase” for an overview.',
      unfinishedLine(findings),
      demoNote,
    ]);
  }
  return joined([
    `# Places for ${words}`,
    `${agents} searched ${plural(findings.paths.length, 'file')} for these words. This is matching of words, not an answer to the question; what defines or combines them comes first.`,
    section(
      'Best matches',
      places.slice(0, mostPlaces).map(({ line }) => line),
    ),
    section(
      'By area',
      findings.reports.map(({ area, size }) => `- **${area}**: ${size}`),
    ),
    section(
      'Key files around them',
      keyFilesNear(
        findings.reports,
        places.map(({ line }) => line),
      ),
    ),
    unfinishedLine(findings),
    demoNote,
  ]);
}

function sizeOf({ paths, isPartial, reports }: LeadFindings): string {
  const count = `${isPartial ? 'At least ' : ''}${plural(paths.length, 'file')}`;
  return `${count}: ${languageSummary(paths)}. Explored by ${plural(reports.length, 'agent')}.`;
}

function areaSection(report: AreaReport, isTop: boolean, { paths, reports }: LeadFindings): string {
  const amount = reports.length > 2 ? amounts.many : amounts.few;
  const about = isTop ? [] : report.about.filter((line) => line.includes('“')).slice(0, 2);
  return joined([
    `### ${report.area}`,
    report.size,
    [...about, ...linkUses(shorten(report.files, amount), new Set(paths))].join('\n'),
  ]);
}

/** The first files with their first details. */
function shorten(lines: readonly string[], amount: { files: number; details: number }): readonly string[] {
  let files = 0;
  let details = 0;
  return lines.filter((line) => {
    if (line.startsWith('- ')) {
      files += 1;
      details = 0;
    } else details += 1;
    const isRemainder = /^ {2}- (also|uses) /.test(line);
    return files <= amount.files && (details <= amount.details || isRemainder);
  });
}

/** The README, then what manifests name, what is named as an entry, what those use, and the largest. */
function startLines({ reports, paths }: LeadFindings): readonly string[] {
  const order = (line: string) =>
    [/the README$/, /manifest names$/, /by its name$/, /^- `[^`]*` — used by/].findIndex((kind) => kind.test(line));
  const rank = (line: string) => (order(line) === -1 ? 4 : order(line));
  const size = (line: string) => Number(/— (\d+) definitions?$/.exec(line)?.[1] ?? 0);
  const sorted = reports
    .flatMap(({ start, files }) => [...start, ...usedByEntries(start, files, new Set(paths))])
    .sort((a, b) => rank(a) - rank(b) || depthOfLine(a) - depthOfLine(b) || size(b) - size(a));
  const seen = new Set<string | undefined>();
  const ofKind = [0, 0, 0, 0, 0];
  const distinct = sorted.filter((line) => {
    const path = placeIn(line);
    const kind = rank(line);
    const count = ofKind[kind] ?? 0;
    if (seen.has(path) || count >= (kind === 0 ? 1 : 2)) return false;
    seen.add(path);
    ofKind[kind] = count + 1;
    return true;
  });
  return distinct.slice(0, mostStarts).map((line, index) => line.replace(/^- /, `${index + 1}. `));
}

/** An entry often only passes on: what it uses first is where the work begins. */
function usedByEntries(
  start: readonly string[],
  files: readonly string[],
  paths: ReadonlySet<string>,
): readonly string[] {
  const entries = start.filter((line) => /manifest names$|by its name$/.test(line)).map(placeIn);
  let current: string | undefined;
  return files.flatMap((line) => {
    if (line.startsWith('- ')) current = placeIn(line);
    if (current === undefined || !entries.includes(current) || !line.startsWith('  - uses ')) return [];
    return usedFiles(line, paths)
      .slice(0, 1)
      .map((path) => `- ${place(path, 1)} — used by \`${current}\``);
  });
}

/** Turns what a file uses into places, and leaves out what is no file here. */
function linkUses(lines: readonly string[], paths: ReadonlySet<string>): readonly string[] {
  return lines.flatMap((line) => {
    if (!line.startsWith('  - uses ')) return [line];
    const used = usedFiles(line, paths).slice(0, 6);
    return used.length === 0 ? [] : [`  - uses ${used.map((path) => place(path, 1)).join(', ')}`];
  });
}

function usedFiles(line: string, paths: ReadonlySet<string>): readonly string[] {
  return [...line.matchAll(/`([^`]+)`/g)].flatMap((quoted) => fileOf(quoted[1] ?? '', paths) ?? []);
}

function depthOfLine(line: string): number {
  return (placeIn(line) ?? '').split('/').length;
}

/** How near to the root the documents of an area lie. */
function depthOf(report: AreaReport): number {
  const depths = report.about.flatMap((line) => placeIn(line)?.split('/').length ?? []);
  return Math.min(99, ...depths);
}

function scoredPlace(line: string): { readonly line: string; readonly score: number } {
  return { line: line.replace(/ \(\d+\)$/, ''), score: Number(/\((\d+)\)$/.exec(line)?.[1] ?? 0) };
}

/** The definitions around the places, the file of the best place first. */
function keyFilesNear(reports: readonly AreaReport[], places: readonly string[]): readonly string[] {
  const byFile = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of reports.flatMap(({ files }) => files)) {
    if (line.startsWith('- ')) {
      current = [];
      byFile.set(placeIn(line) ?? '', current);
    }
    if (!line.startsWith('  - uses ')) current.push(line);
  }
  const near = new Set(places.map((line) => placeIn(line) ?? ''));
  const blocks = [...near].map((path) => byFile.get(path) ?? []).filter((block) => block.length > 1);
  return shorten(blocks.flat(), amounts.many);
}

function unfinishedLine({ unfinished }: LeadFindings): string {
  return unfinished.length === 0 ? '' : `Not everything was looked at: ${unfinished.join('; ')}.`;
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${heading}\n\n${lines.join('\n')}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
