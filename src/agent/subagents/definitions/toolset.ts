import { type Tool, ToolError } from '../../tools/tool.ts';
import type { AgentDefinition } from '../definitions.ts';

/**
 * The tools that a definition leaves of those at hand; the deny list wins.
 * @throws ToolError when it leaves none
 */
export function filterToolset(tools: readonly Tool[], definition: AgentDefinition): readonly Tool[] {
  const left = toolsLeft(tools, definition);
  if (left.length > 0) return left;
  throw new ToolError(
    `An agent of type ${definition.name} has no tools here: its definition asks for ${definition.tools.join(', ')}. Choose another type, or do the task yourself.`,
  );
}

export function toolsLeft<One extends { readonly name: string }>(
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
