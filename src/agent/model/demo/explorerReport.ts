import { type AreaReport, place, plural } from './areaReport.ts';
import { commentOn, headerOf, introductionOf, isManifest, isReadme, manifestOf, type Quote } from './documents.ts';
import { type Definition, type Findings, isEntryName, rankFiles } from './findings.ts';
import { importsOf } from './imports.ts';
import { definitionName, isCode, isTest, languageOf } from './languages.ts';
import type { Line, Match } from './results.ts';
import type { ExploreTask } from './task.ts';

const amounts = {
  quick: { files: 3, definitions: 3, matches: 6 },
  medium: { files: 5, definitions: 5, matches: 10 },
  'very thorough': { files: 8, definitions: 8, matches: 16 },
} as const;
const mostMatchesPerFile = 3;

export function describeArea(task: ExploreTask, findings: Findings): AreaReport {
  const ranked = rankFiles(findings, task.keywords);
  const amount = amounts[task.thoroughness];
  return {
    area: task.area,
    size: sizeOf(task, findings),
    about: aboutLines(findings, ranked),
    files: ranked
      .slice(0, amount.files)
      .flatMap((path) => fileLines(path, findings, amount.definitions, task.keywords)),
    matches: matchLines(task, findings, amount.matches),
    start: startLines(findings, ranked),
  };
}

export function languageSummary(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of files) {
    const name = languageOf(path)?.name ?? 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const order = (name: string) => (name === 'other' ? -1 : (counts.get(name) ?? 0));
  const names = [...counts.keys()].sort((a, b) => order(b) - order(a) || (a < b ? -1 : 1));
  return names
    .slice(0, 5)
    .map((name) => `${counts.get(name)} ${name}`)
    .join(', ');
}

function sizeOf(task: ExploreTask, findings: Findings): string {
  const { files, definitions, matches } = findings;
  const least = findings.isSearchPartial ? 'at least ' : '';
  const failures = [...new Set(findings.failures)].slice(0, 2);
  const failed = failures.length === 0 ? '' : ` Some tools failed (${failures.join('; ')}).`;
  if (files.length === 0) return `No files found here.${failed}`;
  const defined = [...definitions.entries()]
    .filter(([path]) => isCode(path))
    .reduce((sum, [, own]) => sum + own.length, 0);
  const parts = [
    `${plural(files.length, 'file')} (${languageSummary(files)})`,
    ...(defined > 0 ? [`${least}${plural(defined, 'definition')}`] : []),
    ...(task.keywords.length > 0
      ? [
          `${plural(matches.length, 'line')} with the words in ${plural(new Set(matches.map(({ path }) => path)).size, 'file')}`,
        ]
      : []),
  ];
  return `${findings.isListPartial ? 'At least ' : ''}${parts.join(', ')}.${failed}`;
}

function aboutLines(findings: Findings, ranked: readonly string[]): readonly string[] {
  const introductions = [...findings.read].flatMap(([path, lines]) =>
    isReadme(path) ? (introductionOf(lines)?.text ?? []) : [],
  );
  const documents = [...findings.read].flatMap(([path, lines]) => {
    if (isManifest(path)) return manifestLines(path, lines, introductions.join(' '));
    const introduction = isReadme(path) ? introductionOf(lines) : undefined;
    return introduction === undefined ? [] : [`- “${introduction.text}” (${place(path, introduction.line)})`];
  });
  const headers = ranked.flatMap((path) => {
    const header = headerOf(path, findings.read.get(path) ?? []);
    return header === undefined || !isCode(path) ? [] : [`- “${header.text}” (${place(path, header.line)})`];
  });
  return [...documents, ...headers.slice(0, 3)];
}

/** A description that the README repeats is left to the README. */
function manifestLines(path: string, lines: readonly Line[], said: string): readonly string[] {
  const { name, version, description: written, scripts, dependencies } = manifestOf(lines);
  const isSaid = name !== undefined && written !== undefined && said.includes(written.text.replace(/[.…]+$/, ''));
  const description = isSaid ? undefined : written;
  const title = name === undefined ? '' : `**${name.text}${version === undefined ? '' : ` ${version}`}**`;
  const at = description ?? name;
  if (at === undefined) return [];
  const told: readonly string[] = [
    [title, ...(description === undefined ? [] : [`“${description.text}”`])].filter((part) => part !== '').join(': '),
  ];
  return [
    `- ${told.join('')} (${place(path, at.line)})`,
    ...listLine(
      'Depends on',
      dependencies.map((text) => ({ text, line: 0 })),
      undefined,
    ),
    ...listLine('Scripts', scripts, path),
  ];
}

function listLine(label: string, items: readonly Quote[], path: string | undefined): readonly string[] {
  const [first] = items;
  if (first === undefined) return [];
  const names = items.slice(0, 8).map(({ text }) => `\`${text}\``);
  const rest = items.length > 8 ? ` and ${items.length - 8} more` : '';
  return [`- ${label}: ${names.join(', ')}${rest}${path === undefined ? '' : ` (${place(path, first.line)})`}`];
}

function fileLines(path: string, findings: Findings, most: number, keywords: readonly string[]): readonly string[] {
  const definitions = findings.definitions.get(path) ?? [];
  const lines = findings.read.get(path) ?? [];
  const described = definitions.map((definition) => ({
    ...definition,
    comment: commentOn(path, lines, definition.line),
  }));
  const [first] = definitions;
  const noun = languageOf(path)?.isDocument === true ? 'heading' : 'definition';
  const count = first === undefined ? '' : ` — ${plural(definitions.length, noun)}`;
  const chosen = choose(described, most, keywords);
  const others = definitions.filter((definition) => !chosen.some(({ line }) => line === definition.line));
  return [
    `- ${place(path, first?.line ?? 1)}${count}`,
    ...chosen.map(({ name, line, comment }) => {
      const quote = comment === undefined ? '' : ` — “${comment}”`;
      return `  - \`${name}\` ${place(path, line)}${quote}`;
    }),
    ...alsoLine(others),
    ...usesLine(importsOf(path, lines)),
  ];
}

function alsoLine(others: readonly Definition[]): readonly string[] {
  const names = [...new Set(others.map(({ name }) => `\`${name}\``))];
  if (names.length === 0) return [];
  return [`  - also ${names.slice(0, 8).join(', ')}${names.length > 8 ? ` and ${names.length - 8} more` : ''}`];
}

/** The lead knows all paths and turns these into places. */
function usesLine(targets: readonly string[]): readonly string[] {
  if (targets.length === 0) return [];
  return [
    `  - uses ${targets
      .slice(0, 8)
      .map((target) => `\`${target}\``)
      .join(', ')}`,
  ];
}

/** Definitions that are looked for first, then those that someone described, then public ones; in the order of the file. */
function choose<Item extends Definition & { readonly comment: string | undefined }>(
  items: readonly Item[],
  most: number,
  keywords: readonly string[],
): readonly Item[] {
  const named = (item: Item) => keywords.filter((word) => item.name.toLowerCase().includes(word.toLowerCase())).length;
  const rank = (item: Item) => named(item) * 4 + (item.comment === undefined ? 0 : 2) + (item.isPublic ? 1 : 0);
  const best = items.toSorted((a, b) => rank(b) - rank(a) || a.line - b.line).slice(0, most);
  return best.sort((a, b) => named(b) - named(a) || a.line - b.line);
}

function startLines(findings: Findings, ranked: readonly string[]): readonly string[] {
  const lineOf = (path: string) => findings.definitions.get(path)?.[0]?.line ?? 1;
  const isThere = (path: string) => findings.files.includes(path) || findings.read.has(path);
  const readme = [...findings.read.keys()].find(isReadme);
  const entries = findings.entries.filter(isThere).slice(0, 2);
  const named = ranked.filter((path) => isEntryName(path) && !isTest(path) && !entries.includes(path)).slice(0, 1);
  const core = ranked.find((path) => isCode(path) && !isTest(path) && !entries.includes(path) && !named.includes(path));
  const mostDefined = core === undefined ? 0 : (findings.definitions.get(core)?.length ?? 0);
  return [
    ...(readme === undefined ? [] : [`- ${place(readme, 1)} — the README`]),
    ...entries.map((path) => `- ${place(path, 1)} — the entry that the manifest names`),
    ...named.map((path) => `- ${place(path, lineOf(path))} — an entry, by its name`),
    ...(core === undefined || mostDefined < 2
      ? []
      : [`- ${place(core, lineOf(core))} — ${plural(mostDefined, 'definition')}`]),
  ];
}

function matchLines(task: ExploreTask, findings: Findings, most: number): readonly string[] {
  const scored = findings.matches.map((match) => {
    const found = task.keywords.filter((word) => match.text.toLowerCase().includes(word.toLowerCase()));
    const inPath = task.keywords.filter((word) => match.path.toLowerCase().includes(word.toLowerCase()));
    const name = definitionName(match.path, match.text)?.toLowerCase() ?? '';
    const defined = isCode(match.path) ? found.filter((word) => name.includes(word.toLowerCase())) : [];
    const penalty =
      (isTest(match.path) ? 4 : 0) + (isCode(match.path) ? 0 : 2) + (/^\s*(\/\/|\*|#|\/\*)/.test(match.text) ? 1 : 0);
    return { match, found, score: found.length * 3 + defined.length * 4 + inPath.length * 2 - penalty };
  });
  scored.sort((a, b) => b.score - a.score || comparePlaces(a.match, b.match));
  const perFile = new Map<string, number>();
  const chosen = scored.filter(({ match }) => {
    const count = (perFile.get(match.path) ?? 0) + 1;
    perFile.set(match.path, count);
    return count <= mostMatchesPerFile;
  });
  return chosen.slice(0, most).map(({ match, found, score }) => {
    const text = match.text.trim().replaceAll('`', "'").slice(0, 120);
    return `- ${place(match.path, match.line)} \`${text}\` — ${found.join(', ')} (${Math.max(score, 0)})`;
  });
}

function comparePlaces(a: Match, b: Match): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}
