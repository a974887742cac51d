import { matcher } from './toolset.ts';

/** What an agent file is read against: the tools there are. */
export type KnownTool = { readonly name: string; readonly aliases: readonly string[] };

/** Those that a session makes: for agents that may delegate, and where there are skills. */
export const delegationTools: readonly KnownTool[] = [
  { name: 'Agent', aliases: ['Task', 'task', 'subagent'] },
  { name: 'TaskOutput', aliases: ['BashOutput', 'AgentOutput'] },
  { name: 'TaskStop', aliases: ['KillShell'] },
  { name: 'SendMessage', aliases: [] },
  { name: 'Skill', aliases: [] },
];

/**
 * Names of tools in files written for older versions or other products (lower case; Claude Code, Copilot, opencode), and what
 * they are here. Nothing, or nothing that is there: a tool that those products have and that is passed over with a warning.
 * A name stands for no more than it gives its agent elsewhere: `runTests` is not any command.
 */
const foreignNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    // Claude Code
    task: ['Agent'],
    ls: ['Glob'],
    multiedit: ['Edit'],
    notebookread: ['Read'],
    askuserquestion: ['AskUser'],
    bashoutput: ['TaskOutput'],
    agentoutputtool: ['TaskOutput'],
    killshell: ['TaskStop'],
    killbash: ['TaskStop'],
    todowrite: ['TodoWrite'],
    // Copilot; each also as `set/tool`
    search: ['Grep', 'Glob'],
    codebase: ['Grep', 'Glob'],
    textsearch: ['Grep'],
    filesearch: ['Glob'],
    listdirectory: ['Glob'],
    usages: ['Grep'],
    readfile: ['Read'],
    view: ['Read'],
    problems: ['Diagnostics'],
    edit: ['Edit', 'Write'],
    editfiles: ['Edit', 'Write'],
    createfile: ['Write'],
    execute: ['Bash'],
    shell: ['Bash'],
    powershell: ['Bash'],
    runcommands: ['Bash'],
    runinterminal: ['Bash'],
    runsubagent: ['Agent'],
    'custom-agent': ['Agent'],
    web: ['WebFetch', 'WebSearch'],
    fetch: ['WebFetch'],
    todo: ['TodoWrite'],
    todos: ['TodoWrite'],
    // opencode
    list: ['Glob'],
    patch: ['Edit'],
    question: ['AskUser'],
    ...Object.fromEntries(
      [
        // Claude Code
        'websearch webfetch notebookedit slashcommand exitplanmode enterplanmode enterworktree exitworktree lsp toolsearch',
        'taskoutput taskstop taskcreate taskupdate tasklist taskget sendmessage teamcreate teamdelete listmcpresourcestool readmcpresourcetool',
        'listmcpresources readmcpresource croncreate crondelete cronlist monitor computer',
        // Copilot
        'changes extensions findtestfiles githubrepo new newworkspace opensimplebrowser runtasks runtask runtests runnotebooks searchresults',
        'terminallastcommand terminalselection testfailure vscodeapi bingsearch think vscode browser github playwright memory gitkraken',
        'getterminaloutput gettaskoutput createandruntask createdirectory editnotebook getchangedfiles askquestions',
        // opencode
        'todoread codesearch lsp_hover lsp_diagnostics',
      ]
        .join(' ')
        .split(' ')
        .map((name): [string, readonly string[]] => [name, []]),
    ),
  }),
);

/** The sets that Copilot groups its tools into. */
const copilotSets = new Set(['search', 'read', 'edit', 'execute', 'web', 'agent', 'todo', 'vscode', 'browser']);

export type ToolEntries = {
  /** Names of tools that are there, and patterns with `*`. */
  readonly tools: readonly string[];
  /** From `Agent(a, b)`; undefined: no such limit. */
  readonly agentTypes: readonly string[] | undefined;
  /** Of other products, and not here. */
  readonly lacking: readonly string[];
  readonly unknown: readonly string[];
  /** `Bash(git *)` and the like: a limit that agent files cannot set here. */
  readonly limited: readonly string[];
};

/** What a list of tools in an agent file means. */
export function readToolEntries(entries: readonly string[], known: readonly KnownTool[]): ToolEntries {
  const tools = new Set<string>();
  const lacking: string[] = [];
  const unknown: string[] = [];
  const limited: string[] = [];
  let agentTypes: readonly string[] | undefined;
  for (const entry of entries) {
    const [, name = entry, inside] = /^([^(]+)\((.*)\)$/s.exec(entry) ?? [];
    const found = toolsNamed(name.trim(), known);
    const limit = inside?.trim() ?? '*';
    if (found === undefined) unknown.push(entry);
    else if (found.length === 0) lacking.push(entry);
    else if (limit !== '*' && limit !== '' && !found.includes('Agent')) limited.push(entry);
    else {
      for (const tool of found) tools.add(tool);
      if (limit !== '*') agentTypes = [...(agentTypes ?? []), ...splitList(limit)];
    }
  }
  return { tools: [...tools], agentTypes, lacking, unknown, limited };
}

/** @returns names that are there; none for a name of another product; undefined for one that nobody knows */
function toolsNamed(name: string, known: readonly KnownTool[]): readonly string[] | undefined {
  if (name.startsWith('mcp__')) return [];
  if (name.includes('*')) return patternNamed(name, known);
  const lower = name.toLowerCase();
  const exact = known.find((tool) => tool.name === name || tool.aliases.includes(name));
  if (exact !== undefined) return [exact.name];
  const foreign = foreignNames.get(lower);
  const isHere = (tool: string) => known.some((one) => one.name === tool);
  if (foreign !== undefined && foreign.length > 0) return foreign.filter(isHere);
  const spelled = known.find((tool) => [tool.name, ...tool.aliases].some((each) => each.toLowerCase() === lower));
  if (spelled !== undefined) return [spelled.name];
  if (foreign !== undefined) return [];
  return lower.includes('/') ? scopedTools(lower, known) : /^[\w-]+(\.[\w-]+)+$/.test(name) ? [] : undefined;
}

/** `set/tool` of Copilot; `server/tool` or `extension/tool` of somebody else, which is not here. */
function scopedTools(name: string, known: readonly KnownTool[]): readonly string[] | undefined {
  const [set = '', tool = ''] = name.split('/');
  if (set === '' || tool === '') return undefined;
  if (!copilotSets.has(set)) return [];
  return tool === '*' ? toolsNamed(set, known) : (toolsNamed(tool, known) ?? []);
}

function patternNamed(pattern: string, known: readonly KnownTool[]): readonly string[] | undefined {
  if (pattern.includes('/')) return scopedTools(pattern.toLowerCase(), known);
  const isMeant = matcher([pattern]);
  if (known.some(({ name }) => isMeant(name))) return [pattern];
  const isForeign = [...foreignNames.keys()].some(matcher([pattern.toLowerCase()]));
  return isForeign ? [] : undefined;
}

/** Names between commas, or between blanks where there are no commas; what is in parentheses stays together. */
export function splitList(text: string): readonly string[] {
  return splitAtCommas(text).flatMap((part) => part.split(/\s+(?![^(]*\))/));
}

export function splitAtCommas(text: string): readonly string[] {
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
