import { type Effort, effortLevels } from '../../model/provider.ts';
import type { Mode } from '../../settings.ts';
import type { MemoryScope } from '../definitions.ts';

/** What a field asks for: what is done of it, and what is to be said about the rest. */
export type Asked<Value> =
  | { readonly value: Value | undefined; readonly warning?: string }
  | { readonly fault: string };

/** The mode that an agent is kept to at most. A file narrows: it never makes the session's mode wider. */
export function modeOf(asked: string | undefined): Asked<Mode> {
  switch (asked) {
    case undefined:
    case '':
      return { value: undefined };
    case 'plan':
    case 'dontAsk':
    case 'default':
      return { value: asked };
    case 'acceptEdits':
    case 'bypassPermissions':
      return {
        value: asked,
        warning: `permissionMode ${asked} gives no more than the mode of the session: a file cannot widen what its agent may do.`,
      };
    case 'auto':
      return { value: undefined, warning: 'permissionMode auto is passed over: the mode of the session holds.' };
    case 'manual':
    case 'delegate':
      return {
        value: 'default',
        warning: `permissionMode ${asked} is not supported yet; the agent asks before changes instead.`,
      };
    default:
      return { fault: `permissionMode is default, acceptEdits, plan, dontAsk or bypassPermissions, not ${asked}.` };
  }
}

export function effortOf(asked: string | undefined): Asked<Effort> {
  const value = effortLevels.find((level) => level === asked?.toLowerCase());
  if (value !== undefined || asked === undefined || asked === '') return { value };
  return { value, warning: `effort is ${effortLevels.join(', ')}, not ${asked}; it is passed over.` };
}

const memoryScopes: readonly MemoryScope[] = ['user', 'project', 'local'];

export function memoryOf(asked: string | undefined): Asked<MemoryScope> {
  const value = memoryScopes.find((scope) => scope === asked?.toLowerCase());
  if (value !== undefined || asked === undefined || /^(|none|false)$/i.test(asked)) return { value };
  return { value, warning: `memory is ${memoryScopes.join(', ')}, not ${asked}; it is passed over.` };
}

/** Without it the agent would work elsewhere than its author meant. */
export function isolationOf(asked: string | undefined): Asked<'worktree'> {
  switch (asked?.toLowerCase()) {
    case undefined:
    case '':
    case 'none':
    case 'false':
      return { value: undefined };
    case 'worktree':
      return { value: 'worktree' };
    default:
      return { fault: `isolation is worktree, not ${asked}.` };
  }
}

const aliases = new Set(['inherit', 'opus', 'sonnet', 'haiku']);

/** Copilot names models by what its menu shows; those names mean nothing to a model server. */
export function modelOf(asked: string | readonly string[] | undefined, isCopilot: boolean): Asked<string> {
  if (asked === undefined || asked === '') return { value: undefined };
  const names = typeof asked === 'string' ? [asked] : asked;
  const [first] = names;
  if (first === undefined) return { value: undefined };
  if (aliases.has(first.toLowerCase())) return { value: first.toLowerCase() };
  const isId = /^[\w.:/@-]+$/.test(first);
  if (isId && !isCopilot && typeof asked === 'string') return { value: first };
  return {
    value: undefined,
    warning: `model ${names.join(', ')} is no name that a model server knows; the agent runs on the model of whoever calls it. Write opus, sonnet, haiku or a model id.`,
  };
}
