import type { AgentDefinition } from '../definitions.ts';
import type { FieldReader } from './fieldReader.ts';
import { type KnownTool, readToolEntries, type ToolEntries } from './toolNames.ts';
import { toolsLeft } from './toolset.ts';
import { showHidden } from './words.ts';

type Rights = Pick<AgentDefinition, 'tools' | 'disallowedTools' | 'agentTypes'>;

/**
 * What a file lets its agent use. Nothing that narrows is passed over: what cannot be honoured is a fault.
 * @throws DefinitionFault
 */
export function readRights(fields: FieldReader, known: readonly KnownTool[]): Rights {
  const given = fields.read('tools');
  if (given === undefined && fields.has('tools')) {
    throw fields.fault('tools', 'tools is empty. Name some, or remove the line for all of them.');
  }
  const listed = isList(given) ? entriesOf('tools', given, fields, known) : undefined;
  const switchedOff = given === undefined || isList(given) ? [] : namesOff(given);
  const deniedNames = [...(fields.read('disallowedTools') ?? []), ...switchedOff];
  const denied = entriesOf('disallowedTools', deniedNames, fields, known);
  // `Agent(x)` in a list of what is denied takes one type away, not the tool.
  const disallowedTools =
    denied.agentTypes === undefined ? denied.tools : denied.tools.filter((name) => name !== 'Agent');
  const tools = listed?.tools ?? ['*'];
  const lacking = listed?.lacking.map(showHidden).join(', ') ?? '';
  if (toolsLeft(known, { tools, disallowedTools }).length === 0) {
    const lacks = lacking === '' ? '' : ` Offshoot has no ${lacking}.`;
    throw fields.fault('tools', `this leaves no tool.${lacks} Name some, or remove the line for all of them.`);
  }
  if (lacking !== '') fields.warn('tools', `Offshoot has no ${lacking}; passed over.`);
  const only = listed?.agentTypes ?? agentsOf(fields);
  const never = denied.agentTypes ?? [];
  const hasLimits = only !== undefined || never.length > 0;
  return { tools, disallowedTools, ...(hasLimits && { agentTypes: { only, never } }) };
}

/** Entries of a list of tools; a fault for what nobody can honour. */
function entriesOf(
  name: 'tools' | 'disallowedTools',
  entries: readonly string[],
  fields: FieldReader,
  known: readonly KnownTool[],
): ToolEntries {
  const read = readToolEntries(entries, known);
  if (read.unknown.length > 0) {
    const there = known.map((tool) => tool.name).join(', ');
    throw fields.fault(
      fields.has(name) ? name : 'tools',
      `unknown tools ${read.unknown.map(showHidden).join(', ')}. There are: ${there}.`,
    );
  }
  if (read.limited.length > 0) {
    const names = read.limited.map(showHidden).join(', ');
    const advice = 'Name the whole tool (what it does is asked about), or leave it out.';
    throw fields.fault(name, `a tool cannot be limited to some uses here: ${names}. ${advice}`);
  }
  return read;
}

/** Copilot's own field for what `Agent(a, b)` says. */
function agentsOf(fields: FieldReader): readonly string[] | undefined {
  const names = fields.read('agents');
  return names?.includes('*') ? undefined : names;
}

function isList(tools: readonly string[] | Readonly<Record<string, boolean>> | undefined): tools is readonly string[] {
  return Array.isArray(tools);
}

function namesOff(switches: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [] : [name]));
}
