/** What the demo's lead tells an explorer, and how the explorer understands it. */
import type { Area, Thoroughness } from '../../subagents/exploration/explore.ts';
import { keywordsOf, thoroughnessOf } from './intent.ts';

export type ExploreTask = {
  readonly area: string;
  readonly patterns: readonly string[];
  readonly keywords: readonly string[];
  readonly thoroughness: Thoroughness;
};

export function taskPrompt(area: Area, keywords: readonly string[], thoroughness: Thoroughness): string {
  return [
    `Explore the area "${area.name}" of this workspace (${area.files.length} files).`,
    `Where: ${area.patterns.map((pattern) => `\`${pattern}\``).join(', ')}`,
    ...(keywords.length > 0 ? [`Look for: ${keywords.map((word) => `\`${word}\``).join(', ')}`] : []),
    `Thoroughness: ${thoroughness}.`,
    'Report what the area says about itself, its key files and definitions with their places as `path:line`, and where to start reading. Change nothing.',
  ].join('\n');
}

/** Any other prompt is a search for its words in the whole workspace. */
export function taskOf(prompt: string): ExploreTask {
  const area = /^Explore the area "(.*)" of this workspace/m.exec(prompt)?.[1];
  const thoroughness = /^Thoroughness: (quick|medium|very thorough)/m.exec(prompt)?.[1] ?? prompt;
  if (area === undefined) {
    const words = prompt.replace(/^Thoroughness: .*$/gm, '');
    return {
      area: 'the workspace',
      patterns: ['**/*'],
      keywords: keywordsOf(words),
      thoroughness: thoroughnessOf(thoroughness),
    };
  }
  return {
    area,
    patterns: quotedIn(prompt, 'Where'),
    keywords: quotedIn(prompt, 'Look for'),
    thoroughness: thoroughnessOf(thoroughness),
  };
}

export function isExploreTask(prompt: string): boolean {
  return /^Explore the area "/m.test(prompt);
}

/** Areas that a prompt lists as `explorePrompt` writes them. */
export function areasNamedIn(prompt: string, paths: readonly string[]): readonly Area[] {
  return [...prompt.matchAll(/^\d+\. (.+): ((?:`[^`\n]+`(?:, )?)+) \(\d[\d,]* files?\)$/gm)].map((found) => {
    const patterns = [...(found[2] ?? '').matchAll(/`([^`]+)`/g)].map((quoted) => quoted[1] ?? '');
    return { name: found[1] ?? '', patterns, files: paths.filter((path) => isIn(path, patterns)) };
  });
}

/** Patterns have the forms that `exploreAreas` makes: what is below a folder, or directly in it. */
export function isIn(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const source = pattern
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('[!', '[^')
      .replaceAll('?', '[^/]')
      .replaceAll('**/*', '\0')
      .replaceAll('*', '[^/]*')
      .replaceAll('\0', '.+');
    return new RegExp(`^${source}$`).test(path);
  });
}

/** The folder that a pattern searches; empty for the top. */
export function folderOf(pattern: string): string {
  return pattern.includes('/') ? pattern.replace(/\/(\*\*\/)?[^/]*$/, '') : '';
}

function quotedIn(prompt: string, label: string): readonly string[] {
  const line = new RegExp(`^${label}: (.*)$`, 'm').exec(prompt)?.[1] ?? '';
  return [...line.matchAll(/`([^`]+)`/g)].map((quoted) => quoted[1] ?? '');
}
