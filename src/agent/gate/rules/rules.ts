import { type CommandPattern, isExact, readCommandPattern } from '../shell/commandPattern.ts';
import { neverByWildcard } from '../shell/never.ts';
import { type PathPattern, readPathPattern } from './pathPattern.ts';
import { readWildcard, type Wildcard } from './wildcard.ts';

/** The first list with a rule that matches decides. */
export const ruleLists = ['deny', 'ask', 'allow'] as const;
export type RuleList = (typeof ruleLists)[number];

/** `Tool` or `Tool(what)`, as Claude Code writes them. */
export type Rule = {
  /** As written. */
  readonly text: string;
  /** A tool's name; with a wildcard for tools of MCP servers. */
  readonly tool: string;
  readonly what: RuleSubject;
};

type RuleSubject =
  | { readonly kind: 'any' }
  | { readonly kind: 'tools'; readonly names: Wildcard }
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'host'; readonly host: string; readonly isOnlyBelow: boolean }
  | { readonly kind: 'agent'; readonly type: string };

/** A rule that cannot be read; the message names it and says what is wrong. */
export class RuleError extends Error {
  constructor(rule: string, problem: string) {
    super(`The rule ${JSON.stringify(rule)} cannot be used: ${problem}.`);
    this.name = 'RuleError';
  }
}

const otherNames: Readonly<Record<string, string>> = {
  Task: 'Agent',
  MultiEdit: 'Edit',
  NotebookEdit: 'Edit',
  NotebookRead: 'Read',
  LS: 'Glob',
};
const pathTools: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write', 'Glob', 'Grep', 'Diagnostics']);
const examples = 'Bash(npm run test:*), Read(./secrets/**), Edit(/src/**) or mcp__server__tool';

/**
 * @param list an allow rule may not hold for whatever server comes
 * @throws RuleError
 */
export function parseRule(text: string, list: RuleList): Rule {
  const rule = text.trim();
  const open = rule.indexOf('(');
  const written = open < 0 ? rule : rule.slice(0, open);
  if (open >= 0 && !rule.endsWith(')')) throw new RuleError(text, 'its bracket is not closed');
  if (!/^[A-Za-z][\w*-]*$/.test(written))
    throw new RuleError(text, `write a tool and what it may do, e.g. ${examples}`);
  const tool = otherNames[written] ?? written;
  const specifier = open < 0 ? undefined : rule.slice(open + 1, -1);
  if (specifier?.trim() === '')
    throw new RuleError(text, 'there is nothing in its brackets; leave them out, or name what is meant');
  return { text: rule, tool, what: readSubject(text, tool, specifier, list) };
}

function readSubject(text: string, tool: string, specifier: string | undefined, list: RuleList): RuleSubject {
  if (tool.startsWith('mcp__')) return readServerTool(text, tool, specifier, list);
  if (tool.includes('*')) throw new RuleError(text, 'only names of MCP tools may hold a *');
  if (specifier === undefined) return { kind: 'any' };
  try {
    if (tool === 'Bash') return readCommand(specifier, list);
    if (pathTools.has(tool)) return { kind: 'path', pattern: readPathPattern(specifier.trim()) };
    if (tool === 'Agent') return specifier.trim() === '*' ? { kind: 'any' } : { kind: 'agent', type: specifier.trim() };
    if (tool === 'WebFetch') return readHost(specifier.trim());
  } catch (error) {
    throw new RuleError(text, error instanceof Error ? error.message : String(error));
  }
  throw new RuleError(text, `${tool} takes nothing in brackets here`);
}

function readCommand(specifier: string, list: RuleList): RuleSubject {
  if (specifier.trim() === '*') return { kind: 'any' };
  const pattern = readCommandPattern(specifier);
  const [name] = pattern.words;
  if (list === 'allow' && !isExact(pattern) && name !== '' && neverByWildcard(name)) {
    throw new Error(`${name} runs or writes what its arguments say, so allow one exact command, without *`);
  }
  return { kind: 'command', pattern };
}

function readServerTool(text: string, tool: string, specifier: string | undefined, list: RuleList): RuleSubject {
  if (specifier !== undefined) throw new RuleError(text, 'MCP tools take nothing in brackets');
  const [server = '', ...rest] = tool.slice('mcp__'.length).split('__');
  if (server === '') throw new RuleError(text, 'name a server: mcp__server or mcp__server__tool');
  if (list === 'allow' && server.includes('*')) throw new RuleError(text, 'name the server whose tools are allowed');
  const isWhole = rest.length === 0 || rest.join('__') === '';
  return { kind: 'tools', names: readWildcard(isWhole ? `mcp__${server}__*` : tool) };
}

function readHost(specifier: string): RuleSubject {
  const [, domain] = /^domain:(.+)$/.exec(specifier) ?? [];
  if (domain === undefined) throw new Error('write a domain, e.g. WebFetch(domain:example.com)');
  if (domain.trim() === '*') return { kind: 'any' };
  const isOnlyBelow = domain.startsWith('*.');
  const host = hostOf(`https://${(isOnlyBelow ? domain.slice(2) : domain).trim()}/`);
  if (host === undefined || /[*/@:]/.test(isOnlyBelow ? domain.slice(2) : domain))
    throw new Error(`${domain} is no domain`);
  return { kind: 'host', host, isOnlyBelow };
}

/** Casefolded, without the dot that may end it; undefined for what is no address. */
export function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/\.$/, '').toLowerCase() || undefined;
  } catch {
    return undefined;
  }
}
