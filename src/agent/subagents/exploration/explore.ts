/**
 * What the command "Explore Codebase" asks for: the workspace divided into areas of like size, and the prompt that sends
 * one Explore agent into each.
 */
import { type Group, groupFiles, weightOf } from './areas.ts';

export type Thoroughness = 'quick' | 'medium' | 'very thorough';

export type Area = {
  /** For people: a folder, or a few. */
  readonly name: string;
  /** Globs from the workspace root that find the files of the area, and few others. */
  readonly patterns: readonly string[];
  readonly files: readonly string[];
};

const fewestPatterns = 1;
const mostPatterns = 12;
const mostPromptBytes = 1450;

/**
 * @param paths files relative to the workspace, with `/`
 * @returns areas of like size, the one with the manifest and the README first; fewer than two only for a folder that cannot be divided
 */
export function exploreAreas(paths: readonly string[], most = 6): readonly Area[] {
  return groupFiles(paths, Math.max(1, most)).map((group) => ({
    name: nameOf(group),
    patterns: group.parts.map((part) => part.pattern),
    files: group.files,
  }));
}

/** Under 1.5 kB for any areas; an area with many folders names its largest. */
export function explorePrompt(thoroughness: Thoroughness, areas: readonly Area[]): string {
  for (let limit = mostPatterns; limit > fewestPatterns; limit--) {
    const prompt = compose(thoroughness, areas, limit, 200);
    if (new TextEncoder().encode(prompt).length <= mostPromptBytes) return prompt;
  }
  for (const length of [60, 30]) {
    const prompt = compose(thoroughness, areas, fewestPatterns, length);
    if (new TextEncoder().encode(prompt).length <= mostPromptBytes) return prompt;
  }
  return compose(thoroughness, [], fewestPatterns, 0);
}

function compose(thoroughness: Thoroughness, areas: readonly Area[], patterns: number, nameLength: number): string {
  const listed = areas.map((area, index) => {
    const globs = area.patterns.slice(0, patterns).map((pattern) => `\`${pattern}\``);
    const name = area.name.length > nameLength ? `${area.name.slice(0, nameLength)}…` : area.name;
    return `${index + 1}. ${name}: ${globs.join(', ')} (${countOf(area.files.length)})`;
  });
  const areaLines =
    listed.length > 0
      ? ['Areas:', ...listed]
      : ['List the files first and divide them into two to five areas of like size.'];
  return [
    `Explore this codebase. Thoroughness: ${thoroughness}.`,
    '',
    ...areaLines,
    '',
    'Delegate in one message to one Explore agent per area, so that they work in parallel. Ask each for the purpose of its area, the key files and definitions, and how it connects to the others, every statement with its place as `path:line`.',
    '',
    'Then write one report from their reports: what the project is, a map of the code by area, how the parts work together, and where to start reading. Give places as `path:line`. Say what stayed unclear.',
  ].join('\n');
}

function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

/** The folder that the parts share, then the heaviest of them. */
function nameOf({ parts, suffix }: Group): string {
  const common = commonFolder(parts.map(({ folder }) => folder));
  const [first, ...others] = parts
    .toSorted((a, b) => Number(b.folder === '') - Number(a.folder === '') || weightOf(b.files) - weightOf(a.files))
    .map(({ folder }) => folder)
    .filter((folder) => folder === '' || folder !== common)
    .map((folder) => (folder === '' ? 'top-level files' : folder.slice(common === '' ? 0 : common.length + 1)));
  if (first === undefined || parts.length === 1) {
    return [parts[0]?.folder || 'top-level files', suffix].filter((word) => word !== '').join(' ');
  }
  if (others.length === 0) return common;
  const listed = [first, ...others.slice(0, others.length > 2 ? 1 : 2)];
  const rest = others.length + 1 - listed.length;
  const last = rest > 0 ? `${rest} more` : listed.pop();
  const names = listed.length > 0 ? `${listed.join(', ')} and ${last}` : last;
  return common === '' ? `${names}` : `${common}: ${names}`;
}

function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split('/'));
  const end = first.findIndex((segment, index) => others.some((segments) => segments[index] !== segment));
  return first.slice(0, end === -1 ? first.length : end).join('/');
}
