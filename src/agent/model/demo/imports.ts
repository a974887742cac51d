/** Which files of the workspace a file names in its imports. */
import { languageOf } from './languages.ts';
import type { Line } from './results.ts';

/** Paths from the workspace root as far as the text tells them; often without extension. */
export function importsOf(path: string, lines: readonly Line[]): readonly string[] {
  const folder = path.split('/').slice(0, -1);
  const found = lines.flatMap(({ text }) => importIn(path, text)).flatMap((target) => resolve(folder, target) ?? []);
  return [...new Set(found)].filter((target) => target !== path);
}

/** The file that an import means, if it is among the paths. */
export function fileOf(target: string, paths: ReadonlySet<string>): string | undefined {
  const bare = target.replace(/\.[cm]?jsx?$/, '');
  const extensions = ['ts', 'tsx', 'js', 'jsx', 'mjs', 'cjs', 'mts', 'py', 'rs', 'rb', 'php', 'vue'];
  const candidates = [
    target,
    ...extensions.map((extension) => `${bare}.${extension}`),
    ...extensions.map((extension) => `${bare}/index.${extension}`),
    `${bare}/__init__.py`,
    `${bare}/mod.rs`,
  ];
  return candidates.find((candidate) => paths.has(candidate));
}

function importIn(path: string, text: string): readonly string[] {
  switch (languageOf(path)?.name) {
    case 'TypeScript':
    case 'JavaScript':
    case 'Vue':
    case 'Svelte': {
      const target = /(?:from|require\(|import\(|^import)\s*['"](\.{1,2}\/[^'"]+)['"]/.exec(text)?.[1];
      return target === undefined || /^\s*import\s+type\b/.test(text) ? [] : [target];
    }
    case 'Python': {
      const target = /^\s*from\s+(\.+)(\w[\w.]*)?\s+import\s+(\w+)/.exec(text);
      if (target === null) return [];
      const up = '../'.repeat((target[1] ?? '.').length - 1);
      return [`./${up}${(target[2] ?? target[3] ?? '').replaceAll('.', '/')}`];
    }
    case 'Rust': {
      const target = /^\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+);/.exec(text)?.[1];
      return target === undefined ? [] : [`./${target}`];
    }
    case 'C':
    case 'C++': {
      const target = /^\s*#include\s+"([^"]+)"/.exec(text)?.[1];
      return target === undefined ? [] : [`./${target}`];
    }
    default:
      return [];
  }
}

function resolve(folder: readonly string[], target: string): string | undefined {
  const segments = [...folder];
  for (const segment of target.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.length === 0 ? undefined : segments.join('/');
}
