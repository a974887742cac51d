/** The form in which an explorer of the demo reports; the lead reads it back. Every list holds one markdown line each. */

export type AreaReport = {
  readonly area: string;
  readonly size: string;
  readonly about: readonly string[];
  readonly files: readonly string[];
  readonly matches: readonly string[];
  readonly start: readonly string[];
};

const headings = {
  about: 'What it says about itself',
  files: 'Key files',
  matches: 'Matches',
  start: 'Start reading',
} as const;

export function writeAreaReport(report: AreaReport): string {
  const sections = [
    section(headings.about, report.about),
    section(headings.matches, report.matches),
    section(headings.files, report.files),
    section(headings.start, report.start),
  ];
  return [`## ${report.area}\n\n${report.size}`, ...sections].filter((part) => part !== '').join('\n\n');
}

/** undefined when another kind of agent wrote the text */
export function readAreaReport(text: string): AreaReport | undefined {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.startsWith('## '));
  const size = lines.slice(from + 1).find((line) => line.trim() !== '');
  if (from === -1 || size === undefined) return undefined;
  const list = (heading: string): readonly string[] => {
    const start = lines.indexOf(`### ${heading}`);
    if (start === -1) return [];
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => /^##/.test(line));
    return rest.slice(0, end === -1 ? rest.length : end).filter((line) => /^\s*- /.test(line));
  };
  return {
    area: (lines[from] ?? '').slice(3).trim(),
    size: size.trim(),
    about: list(headings.about),
    matches: list(headings.matches),
    files: list(headings.files),
    start: list(headings.start),
  };
}

export function place(path: string, line: number): string {
  return `\`${path}:${line}\``;
}

/** The file that a line of a report points to. */
export function placeIn(line: string): string | undefined {
  return /`([^`]+):\d+`/.exec(line)?.[1];
}

export function plural(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  const many = /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString('en')} ${many}`;
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `### ${heading}\n\n${lines.join('\n')}`;
}
