import {
  contracts,
  extensionLineLimit,
  knownCircles,
  type Layer,
  layers,
  lineLimit,
  longFiles,
  looseFiles,
  openTypes,
  zones,
} from './rules.ts';
import type { Import, SourceFile } from './source.ts';

const agentFolder = 'src/agent/';

/** One line for each import, file or type that breaks a rule. */
export function violations(files: readonly SourceFile[]): readonly string[] {
  return [...files.flatMap(ofFile), ...cycles(files)];
}

function ofFile(file: SourceFile): readonly string[] {
  const faults = file.imports.flatMap((entry) => {
    const fault = ofImport(file.path, entry);
    return fault ? [`${file.path}:${entry.line} imports ${entry.specifier}: ${fault}`] : [];
  });
  const limit = file.path === 'src/extension.ts' ? extensionLineLimit : lineLimit;
  if (file.lines > limit && !longFiles[file.path]) faults.push(`${file.path} has ${file.lines} lines, over ${limit}`);
  const isBarrel = file.reExports > 0 && file.declarations === 0;
  if (isBarrel && file.path !== `${agentFolder}index.ts`) faults.push(`${file.path} only passes on what others export`);
  return looseFiles[file.path] ? faults : [...faults, ...file.looseTypes];
}

function ofImport(path: string, entry: Import): string | undefined {
  if (entry.specifier === '(computed)') return 'a computed import cannot be checked';
  return path.startsWith(agentFolder) ? inAgent(path.slice(agentFolder.length), entry) : outside(path, entry);
}

function inAgent(path: string, entry: Import): string | undefined {
  const own = layerOf(path);
  if (!own) return 'its folder has no row in test/unit/layers/rules.ts';
  const refusal = `not in the row of ${own.holds.join(', ')} (${own.why})`;
  if (entry.file === undefined) return isPackage(own.packages, entry.specifier) ? undefined : refusal;
  if (!entry.file.startsWith(agentFolder)) return `src/agent imports nothing outside of it`;
  const target = entry.file.slice(agentFolder.length);
  if (contracts.includes(target) || layerOf(target) === own) return undefined;
  if (matches(own.uses, target)) return undefined;
  if (!matches([...own.knows, ...openTypes], target)) return refusal;
  return entry.isTypeOnly ? undefined : `only its types; ${refusal}`;
}

function outside(path: string, entry: Import): string | undefined {
  const zone = zones.find(({ holds }) => path.startsWith(holds));
  if (!zone) return 'its place has no row in test/unit/layers/rules.ts';
  const refusal = `not in the row of ${zone.holds} (${zone.why})`;
  const { file } = entry;
  if (file === undefined) return isPackage(zone.packages, entry.specifier) ? undefined : refusal;
  const isPage = file.startsWith('src/webview/app/') && zone.holds !== 'src/webview/app/';
  if (isPage) return 'nothing but the page imports the page';
  if (zone.uses.some((start) => file.startsWith(start))) return undefined;
  return entry.isTypeOnly && zone.knows.includes(file) ? undefined : refusal;
}

export function layerOf(path: string): Layer | undefined {
  let best: { readonly layer: Layer; readonly length: number } | undefined;
  for (const layer of layers) {
    for (const entry of layer.holds) {
      if (matches([entry], path) && entry.length > (best?.length ?? 0)) best = { layer, length: entry.length };
    }
  }
  return best?.layer;
}

function matches(entries: readonly string[], path: string): boolean {
  return entries.some((entry) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry));
}

function isPackage(allowed: readonly string[], specifier: string): boolean {
  return allowed.some((name) => specifier === name || specifier.startsWith(name === 'node:' ? name : `${name}/`));
}

/** Imports, of types too, that lead back to where they started; each circle once. */
function cycles(files: readonly SourceFile[]): readonly string[] {
  const imports = new Map(
    files.map((file) => [file.path, file.imports.flatMap((entry) => (entry.file ? [entry.file] : []))]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    const circle = trail.slice(start);
    if (start >= 0 && !circle.some((member) => knownCircles[member]))
      found.push(`circle: ${[...circle, path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const file of files) visit(file.path, []);
  return found;
}
