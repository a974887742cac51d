import type { Tool } from '../tools/tool.ts';
import type { AgentDefinition } from './definitions.ts';

/** The tools that a definition leaves of those at hand; the deny list wins. */
export function filterToolset<One extends Pick<Tool, 'name'>>(
  tools: readonly One[],
  definition: Pick<AgentDefinition, 'tools' | 'disallowedTools'>,
): readonly One[] {
  const isAllowed = matcher(definition.tools);
  const isDenied = matcher(definition.disallowedTools);
  return tools.filter(({ name }) => isAllowed(name) && !isDenied(name));
}

/** Whether a name is one of the patterns; `*` stands for any characters, everything else for itself. */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const escaped = pattern.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*');
    return new RegExp(`^${escaped}$`);
  });
  return (name) => expressions.some((expression) => expression.test(name));
}
