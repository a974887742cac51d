/** Divides a tree of files into groups of like weight that follow its folders. */

/** One glob: all below a folder, or what lies directly in it. */
export type Part = { readonly folder: string; readonly pattern: string; readonly files: readonly string[] };

export type Group = {
  readonly parts: readonly Part[];
  readonly files: readonly string[];
  /** Distinguishes groups of one folder. */
  readonly suffix: string;
};

const foreignFolders = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.yarn',
  '.vscode-test',
  '.cache',
  '__pycache__',
  '.venv',
  'venv',
  'bower_components',
]);
const builtFolders = new Set([
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  'vendor',
  'third_party',
  '.next',
  '.cache',
]);
const assetFile =
  /\.(png|jpe?g|gif|webp|ico|svg|woff2?|ttf|eot|mp[34]|wav|pdf|zip|t?gz|jar|wasm|map|snap|lock|sum|min\.(js|css)|po|mo|csv|bin|exe|dll|so|dylib)$|(^|\/)(package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|LICEN[CS]E[^/]*)$/i;
const documentFile =
  /\.(md|mdx|rst|txt|adoc|json|jsonc|ya?ml|toml|ini|cfg|xml|html?|css|scss|less)$|(^|\/)[.]?[^./]+$/i;

export function groupFiles(paths: readonly string[], most: number): readonly Group[] {
  const files = relevantFiles(paths);
  if (files.length === 0) return [];
  const parts = divide(files, most);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return divideByName(only, most);
  return merge(parts, most).map((group) => ({ parts: group, files: filesOf(group), suffix: '' }));
}

export function weightOf(files: readonly string[]): number {
  let weight = 0;
  for (const file of files) weight += weightOfFile(file);
  return weight;
}

/** Code counts most; hidden folders and pictures hardly. */
function weightOfFile(file: string): number {
  if (assetFile.test(file) || /(^|\/)\.[^/]+\//.test(file)) return 0.05;
  return documentFile.test(file) ? 0.4 : 1;
}

/** What people wrote here; built or vendored files only when there is hardly anything else. */
function relevantFiles(paths: readonly string[]): readonly string[] {
  const own = [...new Set(paths)].filter((path) => !hasFolder(path, foreignFolders)).sort(compare);
  const written = own.filter((path) => !hasFolder(path, builtFolders));
  return weightOf(written) >= 3 || weightOf(written) >= weightOf(own) / 2 ? written : own;
}

function hasFolder(path: string, folders: ReadonlySet<string>): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((segment) => folders.has(segment));
}

function divide(files: readonly string[], most: number): readonly Part[] {
  const target = weightOf(files) / most;
  let parts = split('', files);
  for (let round = 0; round < 60; round++) {
    const candidates = parts.filter((part) => part.pattern.endsWith('**/*') && hasSubfolder(part));
    const heaviest = candidates.sort((a, b) => weightOf(b.files) - weightOf(a.files) || compare(a.folder, b.folder))[0];
    if (heaviest === undefined) break;
    if (parts.length > 1 && weightOf(heaviest.files) <= Math.max(target * 1.6, 4)) break;
    parts = parts.flatMap((part) => (part === heaviest ? split(part.folder, part.files) : [part]));
  }
  return parts;
}

function hasSubfolder(part: Part): boolean {
  return part.files.some((file) => file.slice(part.folder.length + 1).includes('/'));
}

/** The files of a folder, by subfolder; those directly in it come first. */
function split(folder: string, files: readonly string[]): readonly Part[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const bySubfolder = new Map<string, string[]>();
  for (const file of files) {
    const end = file.indexOf('/', Math.max(start, 1));
    const name = end === -1 ? folder : file.slice(0, end);
    const own = bySubfolder.get(name);
    if (own === undefined) bySubfolder.set(name, [file]);
    else own.push(file);
  }
  return [...bySubfolder]
    .map(([name, own]) => ({ folder: name, pattern: patternOf(name, name !== folder), files: own }))
    .sort((a, b) => compare(a.folder, b.folder));
}

function patternOf(folder: string, isDeep: boolean): string {
  const prefix = folder === '' ? '' : `${folder.replace(/[[\]{}()*?!\\`]/g, '?')}/`;
  return `${prefix}${isDeep ? '**/*' : '*'}`;
}

/** Small groups join the lightest of their nearest relatives, until there are few enough and none is tiny. */
function merge(parts: readonly Part[], most: number): readonly (readonly Part[])[] {
  let groups: readonly (readonly Part[])[] = parts.map((part) => [part]);
  const tiny = Math.max((weightOf(filesOf(parts)) / most) * 0.25, 2.5);
  while (groups.length > 2 || groups.length > most) {
    const smallest = groups
      .filter((group) => !group.some(isTopLevel))
      .sort((a, b) => weightOf(filesOf(a)) - weightOf(filesOf(b)))[0];
    if (smallest === undefined) break;
    if (groups.length <= most && weightOf(filesOf(smallest)) >= tiny) break;
    const partner = partnerOf(smallest, groups);
    if (partner === undefined) break;
    groups = groups
      .filter((group) => group !== smallest)
      .map((group) =>
        group === partner ? [...partner, ...smallest].sort((a, b) => compare(a.folder, b.folder)) : group,
      );
  }
  return groups.map((group) => [...group]);
}

function isTopLevel(part: Part): boolean {
  return part.folder === '';
}

/** The nearest relative by folder; of equally near ones the top-level files, which take what fits nowhere else, or the lightest. */
function partnerOf(group: readonly Part[], groups: readonly (readonly Part[])[]): readonly Part[] | undefined {
  const others = groups.filter((other) => other !== group);
  const isHome = (other: readonly Part[]) => Number(other.some(isTopLevel));
  const depth = (other: readonly Part[]) => commonDepth([...group, ...other]);
  const weight = (other: readonly Part[]) => weightOf(filesOf(other));
  return others.sort((a, b) => depth(b) - depth(a) || isHome(b) - isHome(a) || weight(a) - weight(b))[0];
}

/** How many folders from the root all parts share. */
function commonDepth(parts: readonly Part[]): number {
  const [first = [], ...others] = parts.map(({ folder }) => (folder === '' ? [] : folder.split('/')));
  let depth = 0;
  while (depth < first.length && others.every((segments) => segments[depth] === first[depth])) depth++;
  return depth;
}

/** A folder without subfolders: two groups by the first letter. */
function divideByName(part: Part, most: number): readonly Group[] {
  const whole = [{ parts: [part], files: part.files, suffix: '' }];
  if (most < 2 || part.files.length < 8) return whole;
  const prefixLength = part.folder === '' ? 0 : part.folder.length + 1;
  const initialOf = (file: string) => file.slice(prefixLength, prefixLength + 1).toLowerCase();
  const initials = part.files.map(initialOf).sort(compare);
  const last = initials[Math.floor(initials.length / 2) - 1] ?? '';
  if (!/^[a-y]$/.test(last)) return whole;
  const isFirst = (file: string) => /^[a-z]$/.test(initialOf(file)) && initialOf(file) <= last;
  const prefix = part.pattern.slice(0, -1);
  const range = `a-${last}A-${last.toUpperCase()}`;
  const first = part.files.filter(isFirst);
  const second = part.files.filter((file) => !isFirst(file));
  if (first.length === 0 || second.length === 0) return whole;
  return [
    { parts: [{ ...part, pattern: `${prefix}[${range}]*` }], files: first, suffix: `(a–${last})` },
    { parts: [{ ...part, pattern: `${prefix}[!${range}]*` }], files: second, suffix: '(the rest)' },
  ];
}

function filesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => part.files);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
