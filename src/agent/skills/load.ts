import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { DefinitionFault } from '../subagents/definitions/fault.ts';
import type { DefinitionProblem } from '../subagents/definitions/problem.ts';
import { briefDescription, showHidden } from '../subagents/definitions/words.ts';
import type { SkillFolder } from './folders.ts';
import type { Skill } from './skill.ts';

export type SkillSet = { readonly skills: readonly Skill[]; readonly problems: readonly DefinitionProblem[] };

const maxBytes = 200_000;
const maxSkills = 200;
const nameShape = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u;

/** Reads what each skill says about itself; its instructions are read when they are used. Never throws for what is in a file. */
export async function loadSkills(folders: readonly SkillFolder[], signal: AbortSignal): Promise<SkillSet> {
  const skills = new Map<string, Skill>();
  const problems: DefinitionProblem[] = [];
  for (const folder of folders) {
    for (const directory of await findSkillFolders(folder)) {
      signal.throwIfAborted();
      const { skill, problem } = await readSkill(directory);
      if (problem) problems.push(problem);
      const key = skill?.name.toLowerCase();
      if (skill && key !== undefined && !skills.has(key) && skills.size < maxSkills) skills.set(key, skill);
    }
  }
  return { skills: [...skills.values()], problems };
}

/** Folders in the folder; what a link leads to outside of the workspace is not looked at. */
async function findSkillFolders({ path, within }: SkillFolder): Promise<readonly string[]> {
  const limit = within === undefined ? undefined : await realpath(within).catch(() => undefined);
  const entries = await readdir(path).catch(() => []);
  const found = await Promise.all(
    entries.sort().map(async (name) => {
      const directory = join(path, name);
      const file = await realpath(join(directory, 'SKILL.md')).catch(() => undefined);
      if (file === undefined || (limit !== undefined && !isInside(limit, file))) return [];
      return [directory];
    }),
  );
  return found.flat();
}

type Read = { readonly skill?: Skill; readonly problem?: DefinitionProblem };

async function readSkill(directory: string): Promise<Read> {
  const file = join(directory, 'SKILL.md');
  const problemAt = (line: number, message: string): Read => ({
    problem: { file, line, severity: 'error', message },
  });
  try {
    const { fields } = await readWhole(file);
    const textOf = (name: string) => {
      const value = fields.get(name)?.value;
      return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    };
    const name = textOf('name') || basename(directory);
    if (!nameShape.test(name)) {
      return problemAt(fields.get('name')?.line ?? 1, `${showHidden(name)} cannot be the name of a skill: no blanks.`);
    }
    const description = textOf('description');
    if (description === '') {
      return problemAt(fields.get('name')?.line ?? 1, 'description is missing: say when to use this skill.');
    }
    // A person calls it by its name; agents are not offered it.
    if (fields.get('disable-model-invocation')?.value === true) return {};
    return { skill: { name, description: briefDescription(description), file, directory } };
  } catch (error) {
    if (error instanceof DefinitionFault) return problemAt(error.line, error.message);
    return problemAt(1, `this skill cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The instructions of a skill, as they are now. @throws Error for people */
export async function readSkillBody({ file }: Skill): Promise<string> {
  const { body } = await readWhole(file);
  return showHidden(body.trim());
}

async function readWhole(file: string) {
  const { size } = await stat(file);
  if (size > maxBytes)
    throw new Error(`it has ${size} bytes, and a skill may have ${maxBytes}; move parts to files beside it.`);
  const text = await readFile(file, 'utf8');
  // YAML is loaded with the first skill, not with the agent.
  const { readFrontMatter } = await import('../subagents/definitions/frontMatter.ts');
  const matter = readFrontMatter(text, isSkillField);
  if (!matter)
    throw new DefinitionFault(1, 'a skill begins with front matter (name, description) between two lines of ---.');
  return matter;
}

function isSkillField(name: string): boolean {
  return /^(name|description|allowed-tools|disable-model-invocation|license|version|model|context|agent|metadata)$/.test(
    name,
  );
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way);
}
