import type { Effect } from '../../tools/tool.ts';
import type { JudgedCall } from '../judging/judgeCall.ts';

const effects: Readonly<Record<string, Effect>> = {
  Read: 'read',
  Grep: 'read',
  Glob: 'read',
  Diagnostics: 'read',
  Edit: 'edit',
  Write: 'edit',
  WebFetch: 'send',
  Agent: 'read',
};

/**
 * What somebody wants to know about: a command as it would be typed, or a tool and what it is to do, as in rules:
 * `Edit(src/a.ts)`, `WebFetch(https://example.com/a)`, `Agent(Explore)`, `mcp__server__tool`.
 */
export function readTestedCall(text: string): JudgedCall {
  const written = text.trim();
  if (/^mcp__[\w-]+$/.test(written)) return { tool: written, effect: 'execute', paths: [] };
  const [, tool = '', what = ''] = /^([A-Z][A-Za-z]*)\(([\s\S]*)\)$/.exec(written) ?? [];
  const effect = Object.hasOwn(effects, tool) ? effects[tool] : undefined;
  if (effect === undefined)
    return { tool: 'Bash', effect: 'execute', paths: [], command: tool === 'Bash' ? what : text };
  if (tool === 'WebFetch') return { tool, effect, paths: [], url: what.replace(/^domain:/, 'https://') };
  if (tool === 'Agent') return { tool, effect, paths: [], agentType: what };
  return { tool, effect, paths: [what] };
}
