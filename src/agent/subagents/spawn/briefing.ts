import { findSkill, type Skill } from '../../skills/skill.ts';
import { skillText } from '../../skills/tool.ts';
import type { Delegation } from '../../tools/agent.ts';
import { type Tool, ToolError } from '../../tools/tool.ts';
import type { AgentDefinition } from '../definitions.ts';
import type { PlannedMemory } from './grounds.ts';
import { memoryText } from './memory.ts';

export type Briefing = {
  /** The first message. */
  readonly prompt: string;
  /** Names of skills that are in it. */
  readonly skills: readonly string[];
  /** What was asked for and is not in it. */
  readonly notes: readonly string[];
};

/** Puts a first message together: where it works, its notes, its skills, what stands before every task, the task. */
export async function writeBriefing(
  task: Delegation,
  definition: AgentDefinition,
  about: {
    readonly skills: readonly Skill[];
    readonly memory: PlannedMemory | undefined;
    readonly tools: readonly Tool[];
  },
): Promise<Briefing> {
  const { memory } = about;
  const canWrite = about.tools.some(({ name }) => name === 'Write' || name === 'Edit');
  const preloaded = await preload(definition.skills ?? [], about.skills);
  const parts = [
    memory ? await memoryText(memory, canWrite) : '',
    ...preloaded.texts,
    definition.initialPrompt ?? '',
    task.thoroughness ? `${task.prompt}\n\nThoroughness: ${task.thoroughness}.` : task.prompt,
  ];
  return { ...preloaded, prompt: parts.filter((part) => part !== '').join('\n\n') };
}

type Preloaded = Pick<Briefing, 'skills' | 'notes'> & { readonly texts: readonly string[] };

async function preload(names: readonly string[], skills: readonly Skill[]): Promise<Preloaded> {
  const texts: string[] = [];
  const loaded: string[] = [];
  const notes: string[] = [];
  for (const name of names) {
    const skill = findSkill(skills, name);
    try {
      if (!skill) throw new ToolError(`There is no skill ${name}; the agent works without it.`);
      texts.push(await skillText(skill));
      loaded.push(skill.name);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      notes.push(error.message);
    }
  }
  return { texts, skills: loaded, notes };
}
