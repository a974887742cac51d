import type { AgentEvent, Receipt } from '../../loop/events.ts';
import { lead } from '../lead.ts';
import { type Entry, toEntries } from './entries.ts';

type EntryOf<Type extends Entry['type']> = Extract<Entry, { readonly type: Type }>;

/** Text that is there, or the place for what an agent does until it has ended. */
type Piece = { readonly text: string } | { readonly agent: string };

type Section = { readonly pieces: Piece[]; name: string; depth: number; task: string; isOpen: boolean };

const maxPreviewLines = 12;

/**
 * Writes a conversation as it is read. What agents do side by side stands one after another, each under the delegation that
 * started it; so text that comes after an agent's place waits in memory until that agent has ended.
 */
export class MarkdownExport {
  readonly #title: string | undefined;
  readonly #sections = new Map<string, Section>();
  #cost = 0;
  #prompt = '';

  constructor(title: string | undefined) {
    this.#title = title;
    this.#sections.set(lead.id, { pieces: [], name: lead.name, depth: 0, task: '', isOpen: true });
  }

  /** @returns what can be written now */
  *add(event: AgentEvent): Generator<string> {
    if (event.type === 'session-start') {
      const from = event.from ? `\nBranched from “${event.from.title}”, turn ${event.from.turn}.\n` : '';
      this.#write(lead.id, `# ${oneLine(this.#title || event.title)}\n\n\`${event.workspace}\`\n${from}\n`);
    }
    if (event.type === 'usage-update') this.#cost += event.cost ?? 0;
    for (const entry of toEntries(event)) this.#addEntry(entry);
    yield* this.#ready();
  }

  *end(): Generator<string> {
    for (const section of this.#sections.values()) section.isOpen = false;
    this.#write(lead.id, `---\n\n${this.#sections.size - 1} agents · $${this.#cost.toFixed(4)}\n`);
    yield* this.#ready();
  }

  #addEntry(entry: Entry): void {
    if (entry.type === 'prompt') this.#prompt = entry.text;
    if (entry.type === 'agent-start') this.#startAgent(entry);
    else if (entry.type === 'agent-end') this.#endAgent(entry);
    else if (!this.#isKnown(entry)) this.#write(entry.agent, describe(entry));
  }

  /** Prompts and tasks are told to their agents as well. */
  #isKnown(entry: Entry): boolean {
    return (
      entry.type === 'told' && (entry.text === this.#prompt || entry.text === this.#sections.get(entry.agent)?.task)
    );
  }

  #startAgent({ agent, parent, name, agentType, description, task }: EntryOf<'agent-start'>): void {
    const above = this.#sections.get(parent ?? lead.id) ?? this.#sections.get(lead.id);
    const depth = (above?.depth ?? 0) + 1;
    const known = this.#sections.get(agent);
    if (known) {
      known.isOpen = true;
      this.#write(agent, '*Goes on.*');
      if (known.pieces.length === 1) above?.pieces.push({ agent });
      return;
    }
    above?.pieces.push({ agent });
    this.#sections.set(agent, { pieces: [], name, depth, task, isOpen: true });
    this.#write(
      agent,
      `### Agent ${name} (${agentType})${description === '' ? '' : `: ${oneLine(description)}`}\n\n${quote(task)}\n`,
    );
  }

  #endAgent({ agent, status, receipt, error }: EntryOf<'agent-end'>): void {
    const section = this.#sections.get(agent);
    this.#write(agent, `*${section?.name ?? agent}: ${status}*${because(error)} · ${facts(receipt)}\n`);
    if (section) section.isOpen = false;
  }

  /** What an agent below the lead does stands in a quotation, one level for each level of delegation. */
  #write(agent: string, text: string): void {
    if (text === '') return;
    const section = this.#sections.get(agent) ?? this.#sections.get(lead.id);
    const mark = '> '.repeat(section?.depth ?? 0);
    const lines = text.trim().split('\n');
    section?.pieces.push({ text: `${lines.map((line) => `${mark}${line}`.trimEnd()).join('\n')}\n\n` });
  }

  *#ready(agent = lead.id): Generator<string> {
    const pieces = this.#sections.get(agent)?.pieces ?? [];
    while (pieces[0] !== undefined) {
      const [piece] = pieces;
      if ('text' in piece) yield piece.text;
      else {
        yield* this.#ready(piece.agent);
        if (this.#sections.get(piece.agent)?.isOpen) return;
      }
      pieces.shift();
    }
  }
}

/** Empty for what only programs want to know. */
function describe(entry: Entry): string {
  switch (entry.type) {
    case 'prompt':
      return `## ${entry.by === 'user' ? 'You' : 'A background agent has ended'}\n\n${quote(entry.text)}`;
    case 'turn-end':
      return `*Turn ${entry.turn}: ${entry.status}*${because(entry.error)}`;
    case 'text':
      return entry.text;
    case 'told':
      return quote(entry.text);
    case 'call-end':
      return entry.tool === 'Agent' ? '' : call(entry);
    case 'permission':
      return entry.decision === 'deny' ? `*Not allowed (${entry.by})*` : '';
    case 'question':
      return `**Question:** ${entry.text}`;
    case 'answer':
      return `**Answer:** ${entry.text ?? '(none)'}`;
    case 'notice':
      return `*${entry.level}: ${oneLine(entry.text)}*`;
    default:
      return '';
  }
}

function because(error: string | undefined): string {
  return error === undefined ? '' : ` — ${oneLine(error)}`;
}

function call({ tool, summary, status, preview, durationMs }: EntryOf<'call-end'>): string {
  const took = durationMs >= 1000 ? `, ${(durationMs / 1000).toFixed(1)} s` : '';
  const lines = preview.split('\n');
  const head = lines.slice(0, maxPreviewLines).join('\n');
  const more = lines.length > maxPreviewLines ? '\n…' : '';
  const fence = '`'.repeat(Math.max(3, ...[...head.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const body = preview.trim() === '' ? '' : `\n\n${fence}\n${head}${more}\n${fence}`;
  return `**${tool}** ${oneLine(summary)} (${status}${took})${body}\n`;
}

function facts({ calls, filesRead, filesChanged, commands, cost, durationMs }: Receipt): string {
  const parts = [`${calls} calls`, `${filesRead.length} files read`, `${filesChanged.length} changed`];
  if (commands.length > 0) parts.push(`${commands.length} commands`);
  if (cost !== undefined) parts.push(`$${cost.toFixed(4)}`);
  return [...parts, `${(durationMs / 1000).toFixed(1)} s`].join(' · ');
}

function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
