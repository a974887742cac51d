/** Short quotes from what people wrote about their code: a README, a manifest, a comment. */
import { definitionName, languageOf } from './languages.ts';
import type { Line } from './results.ts';

export type Quote = { readonly text: string; readonly line: number };

export type Manifest = {
  readonly name: Quote | undefined;
  readonly version: string | undefined;
  readonly description: Quote | undefined;
  /** As the manifest writes them. */
  readonly entries: readonly Quote[];
  readonly scripts: readonly Quote[];
  readonly dependencies: readonly string[];
};

const quoteLength = 220;
const manifestFile =
  /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|Cargo\.toml|go\.mod|composer\.json|pom\.xml|build\.gradle(\.kts)?|pubspec\.yaml|mix\.exs|Gemfile|[^/]+\.(gemspec|csproj))$/;

export function isManifest(path: string): boolean {
  return manifestFile.test(path);
}

export function isReadme(path: string): boolean {
  return /(^|\/)readme([._-][\w-]+)?(\.\w+)?$/i.test(path);
}

/** The first paragraph of prose. */
export function introductionOf(lines: readonly Line[]): Quote | undefined {
  let isFenced = false;
  for (const [index, { text, line }] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(text)) isFenced = !isFenced;
    if (isFenced || !isProse(text) || isUnderline(lines[index + 1]?.text)) continue;
    const paragraph: string[] = [];
    for (const next of lines.slice(index)) {
      if (next.text.trim() === '' || (paragraph.length > 0 && !isProse(next.text))) break;
      paragraph.push(next.text.trim());
    }
    const quote = clip(withoutMarkup(paragraph.join(' ')), quoteLength);
    if (quote.split(' ').length >= 4 || /\p{Script=Han}{6}/u.test(quote)) return { text: quote, line };
  }
  return undefined;
}

export function manifestOf(lines: readonly Line[]): Manifest {
  const field = (names: string) => fieldOf(lines, names);
  const module = lines.find(({ text }) => /^module\s+\S+/.test(text));
  const name = field('name|Name|artifactId|s\\.name|spec\\.name');
  return {
    name: module === undefined ? name : { text: module.text.replace(/^module\s+/, '').trim(), line: module.line },
    version: field('version')?.text,
    description: field('description|Description|s\\.summary|spec\\.summary|summary'),
    entries: ['main', 'module', 'source', 'bin'].flatMap((key) => {
      const found = field(key);
      return found !== undefined && /[/.]/.test(found.text) ? [found] : [];
    }),
    scripts: keysOf(lines, /^\s*"scripts"\s*:\s*\{|^\[(project|tool\.poetry)\.scripts\]/).filter(
      ({ text }) => text !== '',
    ),
    dependencies: keysOf(lines, /^\s*"(dependencies|require)"\s*:\s*\{|^\[dependencies\]|^require \(/).map(
      ({ text }) => text,
    ),
  };
}

/** What the comment at the top of a file says, unless it is a licence or the like. */
export function headerOf(path: string, lines: readonly Line[]): Quote | undefined {
  const top = lines.filter(({ line }) => line <= 40);
  let index = top.findIndex(({ text }) => isComment(path, text));
  while (index !== -1 && index < top.length) {
    const before = top.slice(0, index).filter(({ text }) => text.trim() !== '' && !isComment(path, text));
    if (before.some(({ text }) => !/^\s*(['"]use strict|#!|package |import |from |using |#include|@)/.test(text)))
      return undefined;
    const block = commentFrom(path, top.slice(index));
    const quote = commentText(block);
    const next = top[index + block.length];
    const isOfDefinition = next !== undefined && (definitionName(path, next.text) !== undefined || quote.length < 25);
    if (quote !== '' && !isOfDefinition) return { text: quote, line: top[index]?.line ?? 1 };
    const rest = top.slice(index + block.length).findIndex(({ text }) => isComment(path, text));
    index = rest === -1 ? -1 : index + block.length + rest;
  }
  return undefined;
}

/** What the comment above a definition, or the docstring below it, says. */
export function commentOn(path: string, lines: readonly Line[], line: number): string | undefined {
  const index = lines.findIndex((candidate) => candidate.line === line);
  if (index === -1) return undefined;
  if (languageOf(path)?.name === 'Python') {
    const below = lines.slice(index, index + 12);
    const start = below.findIndex(({ text }) => /^\s*[rR]?("""|''')/.test(text));
    const signatureEnd = below.findIndex(({ text }) => /:\s*(#.*)?$/.test(text));
    if (start !== -1 && start === signatureEnd + 1)
      return commentText(commentFrom(path, below.slice(start))) || undefined;
  }
  let start = index;
  while (start > 0 && /^\s*(@|#\[|\[)/.test(lines[start - 1]?.text ?? '')) start--;
  let end = start;
  while (start > 0 && index - start < 40 && isInsideComment(path, lines, start - 1)) start--;
  if (start > 0 && lines[end - 1]?.text.trim() === '') end--;
  return commentText(lines.slice(start, end)) || undefined;
}

function isInsideComment(path: string, lines: readonly Line[], index: number): boolean {
  const text = lines[index]?.text ?? '';
  if (/^\s*\*/.test(text) || isComment(path, text)) return true;
  const isGap = text.trim() === '' && lines[index + 1] !== undefined && /\*\/\s*$/.test(lines[index - 1]?.text ?? '');
  return isGap && !isInsideComment(path, lines, index + 1);
}

function isComment(path: string, text: string): boolean {
  if (/^\s*(\/\*|\/\/|\*|<!--)/.test(text)) return true;
  const name = languageOf(path)?.name ?? '';
  if (name === 'Python') return /^\s*(#(?!!)|[rR]?("""|'''))/.test(text);
  return /^(Ruby|Shell|Elixir)$/.test(name) ? /^\s*#(?!!)/.test(text) : /^\s*--\s/.test(text);
}

function commentFrom(path: string, lines: readonly Line[]): readonly Line[] {
  const first = lines[0]?.text ?? '';
  const fence =
    /^\s*[rR]?("""|''')/.exec(first)?.[1] ??
    (/^\s*\/\*/.test(first) ? '*/' : /^\s*<!--/.test(first) ? '-->' : undefined);
  if (fence === undefined) {
    const end = lines.findIndex(({ text }) => !isComment(path, text));
    return end === -1 ? lines : lines.slice(0, end);
  }
  const end = lines.findIndex(({ text }, index) => (index === 0 ? text.trim().slice(3) : text).includes(fence));
  return end === -1 ? [] : lines.slice(0, end + 1);
}

const boilerplate =
  /copyright|^https?:|\blicen[cs]e|spdx|all rights reserved|eslint|biome-|prettier|@ts-|jshint|istanbul|c8 ignore|coding[:=]|generated|do not edit|^module (dependencies|exports|variables)|^expose\b|^dependencies\b|^(private|public)?\s*(constants?|helpers?|imports?|types?)\.?$|todo|fixme|region\b|^[-=*#~_\s]+$|^vim?:/i;

function commentText(block: readonly Line[]): string {
  if (block.some(({ text }) => /copyright|\blicen[cs]ed?\b/i.test(text))) return '';
  const words: string[] = [];
  for (const { text } of block) {
    const line = text
      .replace(/^\s*(\/\*+!?|\*+\/|\*+|\/\/+!?|#+|[rR]?"""|'''|<!--|--)\s?/, '')
      .replace(/\s*(\*+\/|"""|'''|-->)\s*$/, '')
      .trim();
    if (/^@(fileoverview|file|description|summary|brief)\b/.test(line)) words.push(line.replace(/^@\w+\s*/, ''));
    else if (/^@\w/.test(line) || (words.length > 0 && line === '')) break;
    else if (line !== '' && !boilerplate.test(line)) words.push(line);
  }
  const quote = clip(withoutMarkup(words.join(' ')), 160);
  return /[\p{L}]{2}.*[\p{L}]{2}/u.test(quote) && quote.length >= 8 && !/^[\w$.]+\(.*\)?;?$/.test(quote) ? quote : '';
}

function fieldOf(lines: readonly Line[], names: string): Quote | undefined {
  const pattern = new RegExp(
    `^\\s{0,4}(?:<(?:${names})>([^<]+)<|"?(?:${names})"?\\s*(?:=>?|:)\\s*\\{?\\s*(?:"[^"]*"\\s*:\\s*)?(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)'|([^\\s"'{[(][^"'{[(]*)$))`,
  );
  for (const { text, line } of lines) {
    const found = pattern.exec(text.replace(/,\s*$/, ''));
    const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4];
    if (value !== undefined && value.trim() !== '' && !/^%.*%$/.test(value))
      return { text: clip(value.trim(), quoteLength), line };
  }
  return undefined;
}

function keysOf(lines: readonly Line[], start: RegExp): readonly Quote[] {
  const from = lines.findIndex(({ text }) => start.test(text));
  if (from === -1) return [];
  const block = lines.slice(from + 1);
  const end = block.findIndex(({ text }) => /^\s*[})]|^\[/.test(text));
  return block.slice(0, end === -1 ? block.length : end).flatMap(({ text, line }) => {
    const key = /^\s*"?([@\w][\w@/.:-]*)"?/.exec(text)?.[1];
    return key === undefined ? [] : [{ text: key, line }];
  });
}

function isProse(text: string): boolean {
  return (
    text.trim() !== '' &&
    !/^\s*(#|[-*+] |\d+\. |>|\||!\[|\[!|\[[^\]]+\]:|<|=+$|-+$|\*{3}|\.\. |:\w+:|`{3}|---|\[[^\]]*\]\([^)]*\)\s*([|·•]|$))/.test(
      text,
    )
  );
}

function isUnderline(text: string | undefined): boolean {
  return text !== undefined && /^\s*([=\-~^"*]{3,})\s*$/.test(text);
}

function withoutMarkup(text: string): string {
  return text
    .replace(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/\*\*|__|`+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Ends at a sentence where one ends, so that a quote stays a sentence. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = /^.*[.!?。](?=\s|$|[^\x20-\x7f])/.exec(head)?.[0] ?? '';
  return sentence.length > most / 3 ? sentence : `${head.replace(/\s+\S*$/, '')}…`;
}
