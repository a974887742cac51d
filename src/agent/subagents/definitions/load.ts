import { readFile, realpath, stat } from 'node:fs/promises';
import type { SkillFolder } from '../../skills/folders.ts';
import { loadSkills } from '../../skills/load.ts';
import { findSkill, type Skill } from '../../skills/skill.ts';
import { type AgentDefinition, withBuiltIn } from '../definitions.ts';
import { type DefinitionFolder, findFiles } from './folders.ts';
import type { ParsedFile } from './parse.ts';
import type { DefinitionProblem } from './problem.ts';
import { delegationTools, type KnownTool } from './toolNames.ts';

/** The agent types that files define, and what is to be said about the files. */
export type DefinitionSet = {
  readonly definitions: readonly AgentDefinition[];
  readonly problems: readonly DefinitionProblem[];
  readonly skills: readonly Skill[];
};

export const noDefinitions: DefinitionSet = { definitions: [], problems: [], skills: [] };

const maxBytes = 200_000;
const atOnce = 32;

type Loaded = ParsedFile & { readonly file: string; readonly folder: DefinitionFolder };

/**
 * Agent files and skills together: the ones name the others. A file that cannot be used is a problem of the set.
 * @param tools all but those for delegation
 * @throws when the signal aborts
 */
export async function loadDefinitions(
  folders: readonly DefinitionFolder[],
  tools: readonly KnownTool[],
  signal: AbortSignal,
  skillFolders: readonly SkillFolder[] = [],
): Promise<DefinitionSet> {
  const [{ kept, problems }, found] = await Promise.all([
    loadFiles(folders, tools, signal),
    loadSkills(skillFolders, signal),
  ]);
  return {
    definitions: kept.flatMap(({ definition }) => definition ?? []),
    skills: found.skills,
    problems: [...problems, ...found.problems, ...unknownSkills(kept, found.skills)],
  };
}

/**
 * Reads the agent files of all folders. A file with a fault is told, the others load; of two files that define one name, the
 * one in the earlier folder wins, within a folder the first by path.
 */
async function loadFiles(
  folders: readonly DefinitionFolder[],
  tools: readonly KnownTool[],
  signal: AbortSignal,
): Promise<{ readonly kept: readonly Loaded[]; readonly problems: readonly DefinitionProblem[] }> {
  const found = await Promise.all(folders.map(async (folder) => ({ folder, ...(await findFiles(folder)) })));
  const wanted = await withoutTwins(found.flatMap(({ folder, files }) => files.map((file) => ({ folder, file }))));
  const loaded: Loaded[] = [];
  for (let start = 0; start < wanted.length; start += atOnce) {
    signal.throwIfAborted();
    const part = wanted.slice(start, start + atOnce);
    loaded.push(...(await Promise.all(part.map(async (one) => ({ ...one, ...(await readOne(one.file, tools)) })))));
  }
  const { kept, problems } = settleNames(loaded);
  return {
    kept,
    problems: [
      ...found.flatMap((one) => one.problems),
      ...loaded.flatMap((one) => one.problems),
      ...problems,
      ...unknownTypes(kept),
    ],
  };
}

/** A folder that is a link to another one has the same files once more. */
async function withoutTwins<One extends { readonly file: string }>(files: readonly One[]): Promise<readonly One[]> {
  const seen = new Set<string>();
  const kept: One[] = [];
  for (const one of files) {
    const real = await realpath(one.file).catch(() => one.file);
    if (seen.has(real)) continue;
    seen.add(real);
    kept.push(one);
  }
  return kept;
}

async function readOne(file: string, tools: readonly KnownTool[]): Promise<ParsedFile> {
  const refuse = (message: string): ParsedFile => ({
    definition: undefined,
    problems: [{ file, line: 1, severity: 'error', message }],
    agentTypesLine: 1,
    skillsLine: 1,
  });
  let bytes: Uint8Array;
  try {
    const { size } = await stat(file);
    if (size > maxBytes) return refuse(`this file has ${size} bytes; an agent file may have ${maxBytes}. Shorten it.`);
    bytes = await readFile(file);
  } catch (error) {
    return refuse(`this file cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('this file is not UTF-8. Save it as UTF-8.');
  }
  // YAML is loaded with the first agent file, not with the agent.
  const { parseDefinition } = await import('./parse.ts');
  return parseDefinition(text, file, [...tools, ...delegationTools]);
}

function settleNames(loaded: readonly Loaded[]): { kept: readonly Loaded[]; problems: readonly DefinitionProblem[] } {
  const winners = new Map<string, Loaded>();
  const problems: DefinitionProblem[] = [];
  for (const one of loaded) {
    if (one.definition === undefined) continue;
    const key = one.definition.name.toLowerCase();
    const winner = winners.get(key);
    if (winner === undefined) winners.set(key, one);
    else if (winner.folder === one.folder) {
      const message = `${winner.file} defines ${one.definition.name} already and goes first. Give this agent another name.`;
      problems.push({ file: one.file, line: 1, severity: 'warning', message });
    }
  }
  return { kept: [...winners.values()], problems };
}

function unknownTypes(kept: readonly Loaded[]): readonly DefinitionProblem[] {
  const there = new Set(
    withBuiltIn(kept.flatMap(({ definition }) => definition ?? [])).map(({ name }) => name.toLowerCase()),
  );
  return kept.flatMap(({ file, definition, agentTypesLine }) => {
    const missing = (definition?.agentTypes?.only ?? []).filter((name) => !there.has(name.toLowerCase()));
    if (missing.length === 0) return [];
    const message = `there is no agent type ${missing.join(', ')} to delegate to.`;
    return [{ file, line: agentTypesLine, severity: 'warning' as const, message }];
  });
}

function unknownSkills(kept: readonly Loaded[], skills: readonly Skill[]): readonly DefinitionProblem[] {
  return kept.flatMap(({ file, definition, skillsLine }) => {
    const missing = (definition?.skills ?? []).filter((name) => !findSkill(skills, name));
    if (missing.length === 0) return [];
    const message = `there is no skill ${missing.join(', ')}. Skills lie in .offshoot/skills/NAME/SKILL.md or .claude/skills/NAME/SKILL.md.`;
    return [{ file, line: skillsLine, severity: 'warning' as const, message }];
  });
}
