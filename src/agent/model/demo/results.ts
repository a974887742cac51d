/** Reads what the tools write. Anything unexpected is skipped: a demo must survive every result. */
import type { Call } from './conversation.ts';

export type Match = { readonly path: string; readonly line: number; readonly text: string };
export type Line = { readonly line: number; readonly text: string };

/** Paths of a Glob or of a Grep for files. */
export function pathsIn(call: Call): readonly string[] {
  if (call.isError) return [];
  return linesIn(call.output)
    .map((line) => line.replace(/^\.\//, ''))
    .filter((line) => !isNote(line) && !line.endsWith('/'));
}

/** Lines of a Grep in content mode. */
export function matchesIn(call: Call): readonly Match[] {
  if (call.isError) return [];
  return linesIn(call.output).flatMap((line) => {
    const found = /^(?:\.\/)?(.+?):(\d+):(.*)$/.exec(line);
    if (found !== null) return [matchOf(found[1] ?? '', found[2] ?? '', found[3] ?? '')];
    const inFile = /^(\d+):(.*)$/.exec(line);
    const { path } = call.input;
    return inFile !== null && typeof path === 'string' ? [matchOf(path, inFile[1] ?? '', inFile[2] ?? '')] : [];
  });
}

/** Numbered lines of a Read. */
export function numberedLinesIn(call: Call): readonly Line[] {
  if (call.isError) return [];
  return call.output.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)(?:\t|→)(.*?)\r?$/.exec(line);
    return found === null ? [] : [{ line: Number(found[1]), text: found[2] ?? '' }];
  });
}

/** The tool says in a note that there is more. */
export function isTruncated(call: Call): boolean {
  const notes = linesIn(call.output).filter((line) => /^[[(]/.test(line));
  return notes.some((line) => /truncat|limit|more|first|narrow|omitted|cut/i.test(line) && !/\.\w{1,5}$/.test(line));
}

/** The child's own words inside the frame of the harness. */
export function reportIn(output: string): string {
  const framed = /<report\b[^>]*>\n?([\s\S]*)<\/report>/.exec(output);
  return (framed?.[1] ?? output).trim();
}

export function reportStatusIn(output: string): string {
  return /<report\b[^>]*\bstatus="?(\w+)/.exec(output)?.[1] ?? 'completed';
}

function matchOf(path: string, line: string, text: string): Match {
  return { path, line: Number(line), text };
}

function linesIn(output: string): readonly string[] {
  return output.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function isNote(line: string): boolean {
  return /^\[.*\s.*\]\.?$/.test(line) || /^\(.*\s.*\)\.?$/.test(line) || /^no (files?|match)/i.test(line);
}
