import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '../../tools/tool.ts';
import { filterToolset, matcher } from '../definitions/toolset.ts';
import type { AgentDefinition, MemoryScope } from '../definitions.ts';
import type { PlannedMemory } from './grounds.ts';

/** What a prompt holds of the notes; the agent reads the rest itself. */
const maxLines = 200;
const maxChars = 25_000;

export type MemoryPlaces = {
  /** Where Offshoot keeps its own files. */
  readonly stateDirectory: string;
  /** The first folder of the workspace; undefined where its files have no say. */
  readonly root: () => string | undefined;
};

/**
 * The tools of an agent, and where its notes lie. Those of the user lie in Offshoot's own storage; those of a project where
 * Claude Code keeps them, among the protected files, so that each change of them is asked about. An agent that changes no files
 * gets the tools to keep notes, and may change nothing else with them.
 */
export function planMemory(
  definition: AgentDefinition,
  offered: readonly Tool[],
  places: MemoryPlaces,
): { readonly tools: readonly Tool[]; readonly memory: PlannedMemory | undefined; readonly notes: readonly string[] } {
  const left = filterToolset(offered, definition);
  const { memory: scope, name, disallowedTools } = definition;
  if (scope === undefined) return { tools: left, memory: undefined, notes: [] };
  const folder = memoryFolder(scope, name, places);
  if (folder === undefined) {
    return { tools: left, memory: undefined, notes: ['It has no notes here: the workspace is not trusted.'] };
  }
  const isConfined = !left.some(({ effect }) => effect === 'edit');
  const isDenied = matcher(disallowedTools);
  const wanted = isConfined ? ['Read', 'Write', 'Edit'] : ['Read'];
  const isGiven = (tool: Tool) => wanted.includes(tool.name) && !isDenied(tool.name);
  const tools = offered.filter((tool) => left.includes(tool) || isGiven(tool));
  return { tools, memory: { folder, isOutside: scope === 'user', isConfined }, notes: [] };
}

function memoryFolder(scope: MemoryScope, type: string, { stateDirectory, root }: MemoryPlaces): string | undefined {
  const name = type.replace(/[^\p{L}\p{N}_-]+/gu, '-');
  const top = root();
  switch (scope) {
    case 'user':
      return join(stateDirectory, 'agent-memory', name);
    case 'project':
      return top && join(top, '.claude', 'agent-memory', name);
    case 'local':
      return top && join(top, '.claude', 'agent-memory-local', name);
  }
}

/** The notes as they stand in an agent's first message. */
export async function memoryText({ folder }: PlannedMemory, canWrite: boolean): Promise<string> {
  const file = join(folder, 'MEMORY.md');
  const whole = await readFile(file, 'utf8').catch(() => '');
  const head = whole.split('\n').slice(0, maxLines).join('\n').slice(0, maxChars).trim();
  const isCut = head.length < whole.trim().length;
  const notes = head === '' ? '(There are none yet.)' : isCut ? `${head}\n(It goes on: Read ${file}.)` : head;
  const keep = canWrite
    ? ` Before you report, put what will help next time into ${file} with Write or Edit: short, corrected where it was wrong, details in files beside it. Notes are no place for secrets.`
    : '';
  return `<memory folder="${folder}">\n${notes}\n</memory>\nThese are your notes from earlier tasks; they may be out of date.${keep}`;
}
