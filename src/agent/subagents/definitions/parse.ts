import { basename } from 'node:path';
import { type FileHooks, readHookConfiguration } from '../../gate/hooks/configuration.ts';
import type { AgentDefinition } from '../definitions.ts';
import { DefinitionFault } from './fault.ts';
import { createFieldReader, type FieldReader } from './fieldReader.ts';
import { type FieldName, isFieldName, isKnownField, refusalOf, unsupportedFields } from './fields.ts';
import { type FrontMatter, readFrontMatter } from './frontMatter.ts';
import { type Asked, effortOf, isolationOf, memoryOf, modelOf, modeOf } from './limits.ts';
import type { DefinitionProblem } from './problem.ts';
import { readRights } from './rights.ts';
import type { KnownTool } from './toolNames.ts';
import { briefDescription, hiddenAt, showHidden } from './words.ts';

export type ParsedFile = {
  /** undefined: the file is no agent, is not offered, or has an error. */
  readonly definition: AgentDefinition | undefined;
  readonly problems: readonly DefinitionProblem[];
  /** Where it names other agents, which only the whole set can check. */
  readonly agentTypesLine: number;
  /** Where it names skills. */
  readonly skillsLine: number;
};

type Warn = (line: number, message: string) => void;

const colors = ['red', 'orange', 'yellow', 'green', 'cyan', 'blue', 'purple', 'pink'] as const;

/** Files that lie beside agents and are none. */
const besideAgents = /^(readme|agents|claude|index)\b/i;

/** Reads one agent file. Never throws for what is in it. */
export function parseDefinition(text: string, file: string, tools: readonly KnownTool[]): ParsedFile {
  const problems: DefinitionProblem[] = [];
  const warn: Warn = (line, message) => void problems.push({ file, line, severity: 'warning', message });
  try {
    const matter = readFrontMatter(text, isKnownField);
    if (matter !== undefined) {
      const fields = createFieldReader(matter, warn);
      const definition = readDefinition(matter, fields, file, tools, warn);
      const agentTypesLine = fields.lineOf(fields.has('agents') ? 'agents' : 'tools');
      return { definition, problems, agentTypesLine, skillsLine: fields.lineOf('skills') };
    }
    if (!besideAgents.test(basename(file))) {
      warn(1, 'this is no agent: an agent file begins with front matter between two lines of ---.');
    }
  } catch (error) {
    if (!(error instanceof DefinitionFault)) throw error;
    problems.push({ file, line: error.line, severity: 'error', message: error.message });
  }
  return { definition: undefined, problems, agentTypesLine: 1, skillsLine: 1 };
}

function readDefinition(
  matter: FrontMatter,
  fields: FieldReader,
  file: string,
  tools: readonly KnownTool[],
  warn: Warn,
): AgentDefinition | undefined {
  if (fields.read('disable') === true || fields.read('disabled') === true) return undefined;
  checkFields(matter, fields);
  const name = showHidden(fields.read('name') ?? basename(file).replace(/(\.agent)?\.md$/, ''));
  const given = fields.read('description');
  if (given === undefined) {
    throw fields.fault('name', 'description is missing: say when to delegate to this agent.');
  }
  const description = briefDescription(given);
  const rights = readRights(fields, tools);
  const options = readOptions(fields, file.endsWith('.agent.md'));
  const hooks = readHooks(fields, file);
  const hidden = hiddenAt(matter.body);
  if (hidden !== undefined) {
    warn(matter.bodyLine + hidden, 'there are invisible characters here; the agent sees them as escapes.');
  }
  if (isKeptFromAgents(fields)) return undefined;
  return {
    name,
    description,
    ...rights,
    prompt: showHidden(matter.body.trim()) || `You are ${name}. ${description}`,
    hasInstructions: true,
    modelRole: 'parent',
    ...options,
    ...(hooks && { hooks }),
  };
}

/**
 * Whoever wrote `Stop` there meant the end of this agent.
 * @throws DefinitionFault for any that cannot be run: the agent must not work with fewer
 */
function readHooks(fields: FieldReader, file: string): FileHooks | undefined {
  const written = fields.read('hooks');
  const { hooks, problems } = readHookConfiguration(written);
  if (problems[0] !== undefined) throw fields.fault('hooks', `hooks: ${showHidden(problems[0])}`);
  if (hooks.length === 0) return undefined;
  return {
    file,
    written,
    hooks: hooks.map((hook) => (hook.event === 'Stop' ? { ...hook, event: 'SubagentStop' } : hook)),
  };
}

/** @throws DefinitionFault for a field without which the agent must not run */
function checkFields({ fields, recovered }: FrontMatter, reader: FieldReader): void {
  for (const [name, { value }] of fields) {
    const isEmpty = value === null || value === '' || value === false || value === 'none';
    const refusal = refusalOf(name);
    if (refusal !== undefined && !isEmpty) throw reader.fault(name, `${name}: ${refusal}`);
    if (unsupportedFields.has(name) && !isEmpty) reader.warn(name, `${name} is not supported yet and is passed over.`);
    if (!isKnownField(name)) reader.warn(name, `${showHidden(name)} is not a field of agent files and is passed over.`);
  }
  for (const name of recovered) {
    if (!isFineAsText(name)) reader.warn(name, `${name} is no YAML and was read as text.`);
  }
}

/** Prose, and lists: each name in those is checked anyway. */
function isFineAsText(name: string): boolean {
  return (
    !isFieldName(name) || ['description', 'hooks', 'initialPrompt', 'tools', 'disallowedTools', 'agents'].includes(name)
  );
}

function readOptions(fields: FieldReader, isCopilot: boolean): Partial<AgentDefinition> {
  const told = <Value>(name: FieldName, choice: Asked<Value>) => {
    if ('fault' in choice) throw fields.fault(name, choice.fault);
    if (choice.warning !== undefined) fields.warn(name, choice.warning);
    return choice.value;
  };
  const permissionMode = told('permissionMode', modeOf(fields.read('permissionMode')));
  const model = told('model', modelOf(fields.read('model'), isCopilot));
  const asked = fields.read('color')?.toLowerCase().replace('magenta', 'purple');
  const color = colors.find((name) => name === asked);
  if (asked !== undefined && color === undefined) fields.warn('color', `color is one of ${colors.join(', ')}.`);
  const maxTurns = fields.read('maxTurns');
  const background = fields.read('background');
  const initialPrompt = fields.read('initialPrompt');
  const effort = told('effort', effortOf(fields.read('effort')));
  const memory = told('memory', memoryOf(fields.read('memory')));
  const isolation = told('isolation', isolationOf(fields.read('isolation')));
  const skills = fields.read('skills');
  return {
    ...(effort !== undefined && { effort }),
    ...(memory !== undefined && { memory }),
    ...(isolation !== undefined && { isolation }),
    ...(skills !== undefined && skills.length > 0 && { skills: skills.map(showHidden) }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(model !== undefined && { model }),
    ...(color !== undefined && { color }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(background !== undefined && { background }),
    ...(initialPrompt !== undefined && initialPrompt !== '' && { initialPrompt: showHidden(initialPrompt) }),
  };
}

/** Copilot's word for an agent that only a person may choose. */
function isKeptFromAgents(fields: FieldReader): boolean {
  const isKept = fields.read('disable-model-invocation') ?? fields.read('infer') === false;
  if (!isKept) return false;
  const field = fields.has('disable-model-invocation') ? 'disable-model-invocation' : 'infer';
  fields.warn(field, `${field} keeps other agents from calling this one, so it is not offered.`);
  return true;
}
