import { ToolError } from '../../tools/toolError.ts';

/** The common ones of ripgrep's file types, for searches without it. */
const endings: Readonly<Record<string, string>> = {
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh hxx h',
  cs: 'cs',
  css: 'css scss',
  go: 'go',
  html: 'html htm',
  java: 'java',
  js: 'js jsx mjs cjs vue',
  json: 'json',
  kotlin: 'kt kts',
  md: 'md markdown mdx',
  php: 'php',
  py: 'py pyi',
  ruby: 'rb',
  rust: 'rs',
  sh: 'sh bash zsh',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  ts: 'ts tsx mts cts',
  xml: 'xml',
  yaml: 'yaml yml',
};

/** @throws ToolError for a type that is not known */
export function fileTypeFilter(type: string): (name: string) => boolean {
  const known = Object.hasOwn(endings, type) ? endings[type]?.split(' ') : undefined;
  if (!known) {
    throw new ToolError(
      `\`type\`: ${type} is no known file type. Use \`glob\` instead, or one of ${Object.keys(endings).join(', ')}.`,
    );
  }
  return (name) => known.includes(name.slice(name.lastIndexOf('.') + 1));
}
