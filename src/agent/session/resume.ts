import { stat } from 'node:fs/promises';
import type { AgentEvent, EventBody, Receipt } from '../loop/events.ts';
import { noUsage } from '../model/pricing.ts';
import { readJournal } from '../store/readJournal.ts';
import { journalPath } from '../store/sessions.ts';

export type Past = {
  readonly events: readonly AgentEvent[];
  /** Damage that was found, for people. */
  readonly problems: readonly string[];
  /** Bytes of the journal, at the least, that they are from. */
  readonly size: number;
};

/**
 * All that a session's journal holds; changes nothing on disk.
 * @throws when there is no such session
 */
export async function readPast(stateDirectory: string, session: string): Promise<Past> {
  const path = journalPath(stateDirectory, session);
  const info = await stat(path).catch(() => undefined);
  if (!info)
    throw new Error(`There is no session ${session} in ${stateDirectory}. Leave the id out to start a new one.`);
  const events: AgentEvent[] = [];
  const problems: string[] = [];
  for await (const event of readJournal(path, { onProblem: ({ message }) => problems.push(message) }))
    events.push(event);
  return { events, problems, size: info.size };
}

type Closing = { readonly agent: string; readonly parent: string | null; readonly body: EventBody };

const interruption = 'Interrupted: the editor or the process ended while this ran.';
const leftBehind = 'It was still at work where this conversation branched off, and goes on there.';

/**
 * What a clean stop would have written: an end for every call, agent and turn that has none.
 * @param session whose events they are; others were copied
 */
export function closeInterrupted(events: readonly AgentEvent[], session: string): readonly Closing[] {
  const open = new Map<string, Closing>();
  for (const event of events) {
    const { agent, parent } = event;
    const end = { error: event.session === session ? interruption : leftBehind, isInterrupted: true } as const;
    switch (event.type) {
      case 'turn-start':
        open.set('turn', {
          agent,
          parent,
          body: { type: 'turn-end', turn: event.turn, status: 'stopped', ...end },
        });
        break;
      case 'turn-end':
        open.delete('turn');
        break;
      case 'agent-start':
        open.set(`agent ${agent}`, {
          agent,
          parent,
          body: { type: 'agent-end', status: 'stopped', report: '', receipt: noReceipt, ...end },
        });
        break;
      case 'agent-end':
        open.delete(`agent ${agent}`);
        break;
      case 'tool-start':
        open.set(`call ${event.call}`, {
          agent,
          parent,
          body: {
            type: 'tool-end',
            call: event.call,
            tool: event.tool,
            status: 'cancelled',
            summary: 'interrupted, outcome unknown',
            preview: '',
            durationMs: 0,
          },
        });
        break;
      case 'tool-end':
        open.delete(`call ${event.call}`);
        break;
    }
  }
  // Innermost first, as they would have ended.
  return [...open.values()].reverse();
}

const noReceipt: Receipt = {
  calls: 0,
  steps: 0,
  filesRead: [],
  filesChanged: [],
  commands: [],
  usage: noUsage,
  cost: undefined,
  durationMs: 0,
};
