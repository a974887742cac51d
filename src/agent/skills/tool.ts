import * as z from 'zod';
import { defineTool, type Tool, ToolError } from '../tools/tool.ts';
import { readSkillBody } from './load.ts';
import { findSkill, type Skill } from './skill.ts';

/** Every request carries the list: of long descriptions the beginning, and of very many skills the names alone. */
const maxDescription = 240;
const maxListChars = 6_000;

/** undefined without skills: then not a byte of a request speaks of them. */
export function createSkillTool(skills: readonly Skill[]): Tool | undefined {
  if (skills.length === 0) return undefined;
  return defineTool({
    name: 'Skill',
    description: `Gives you the instructions of a skill. Call it before a task that one of them fits, then follow what it says. Skills:\n${listOf(skills)}`,
    input: z.strictObject({
      skill: z.string().min(1).describe('Its name'),
      args: z.string().optional().describe('What the skill is to be used on'),
    }),
    effect: 'read',
    isConcurrent: true,
    summarize: ({ skill }) => `Skill ${skill}`,
    async run({ skill: name, args }) {
      const skill = findSkill(skills, name);
      if (!skill) {
        throw new ToolError(`There is no skill ${name}. There are: ${skills.map((one) => one.name).join(', ')}.`);
      }
      const content = await skillText(skill, args);
      return { content, summary: `${content.split('\n').length} lines`, filesRead: [skill.file], isBounded: true };
    },
  });
}

/** The instructions as an agent gets them. @throws ToolError when they cannot be read */
export async function skillText(skill: Skill, args = ''): Promise<string> {
  try {
    const body = (await readSkillBody(skill)).replaceAll('$ARGUMENTS', () => args);
    return `<skill name="${skill.name}" folder="${skill.directory}">\n${body}\n</skill>`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(`The skill ${skill.name} cannot be read: ${reason} Go on without it.`, { cause });
  }
}

function listOf(skills: readonly Skill[]): string {
  let left = maxListChars;
  return skills
    .map(({ name, description }) => {
      const short = description.length > maxDescription ? `${description.slice(0, maxDescription - 1)}…` : description;
      const line = `- ${name}: ${short}`;
      left -= line.length;
      return left < 0 ? `- ${name}` : line;
    })
    .join('\n');
}
