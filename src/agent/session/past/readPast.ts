import { stat } from 'node:fs/promises';
import type { Message } from '../../messages/types.ts';
import { HistoryReader } from '../../store/history.ts';
import { readJournal } from '../../store/journal/readJournal.ts';
import type { Peek } from '../../store/journal/record.ts';
import { journalPath } from '../../store/sessions.ts';
import { lead } from '../lead.ts';
import { type Closing, OpenEnds } from './openEnds.ts';
import { Recollection } from './recollection.ts';
import { UntoldReports } from './untold.ts';

/** What a session goes on from. */
export type Past = {
  /** As much as is kept in memory. */
  readonly recollection: Recollection;
  /** Of the lead. */
  readonly history: readonly Message[];
  readonly turns: number;
  /** That agents have. */
  readonly names: readonly string[];
  /** Ends for what was interrupted. */
  readonly closings: readonly Closing[];
  /** Reports that the lead is to hear of, those of `closings` among them. */
  readonly untold: readonly string[];
  /** Damage that was found, for people. */
  readonly problems: readonly string[];
  /** Bytes of the journal, at the least, that it is from. */
  readonly size: number;
};

export function noPast(): Past {
  const none = { history: [], names: [], closings: [], untold: [], problems: [] };
  return { ...none, recollection: new Recollection(), turns: 0, size: 0 };
}

/** So much of a journal's end is read whole; more than is kept in memory. */
const wholeBytes = 20 * 1024 * 1024;
const maxProblems = 100;

/**
 * What a session's journal holds, as far as it is needed to go on: what is kept does not grow with the journal. Changes
 * nothing on disk.
 * @throws when there is no such session
 */
export async function readPast(stateDirectory: string, session: string, signal?: AbortSignal): Promise<Past> {
  const path = journalPath(stateDirectory, session);
  const info = await stat(path).catch(() => undefined);
  if (!info)
    throw new Error(`There is no session ${session} in ${stateDirectory}. Leave the id out to start a new one.`);
  const recollection = new Recollection();
  const history = new HistoryReader();
  const open = new OpenEnds(session);
  const untold = new UntoldReports();
  const names = new Set<string>();
  const problems: string[] = [];
  let turns = 0;
  let isWhole = false;
  let isCut = false;
  const wants = ({ type, agent }: Peek, place: number) => {
    isWhole = place >= info.size - wholeBytes;
    const isWanted =
      isWhole ||
      lasting.has(type) ||
      (agent === lead.id && ofLead.has(type)) ||
      (type === 'message-append' && !untold.isEmpty);
    isCut ||= !isWanted;
    return isWanted;
  };
  const onProblem = ({ message }: { readonly message: string }) => problems.push(message);
  for await (const event of readJournal(path, { onProblem, wants, ...(signal && { signal }) })) {
    if (isWhole && isCut) recollection.markCut(event);
    if (isWhole) isCut = false;
    recollection.add(event);
    open.add(event);
    untold.add(event);
    if (event.agent === lead.id) history.add(event);
    if (event.type === 'agent-start') names.add(event.name);
    if (event.type === 'turn-start') turns += 1;
  }
  const closings = open.close();
  for (const closing of closings) untold.add(closing);
  return {
    ...{ recollection, turns, closings, history: history.messages, names: [...names], untold: untold.read() },
    ...{ problems: summarize(problems), size: info.size },
  };
}

/** What a session goes on from, wherever in its journal it stands. */
const lasting: ReadonlySet<string> = new Set([
  'session-start',
  'session-title',
  'turn-start',
  'turn-end',
  'prompt-queue',
  'agent-start',
  'agent-detach',
  'agent-end',
  'tool-start',
  'tool-end',
  'notice',
]);
const ofLead: ReadonlySet<string> = new Set(['message-append', 'context-compact', 'usage-update']);

/** A journal that is broken all over is told of, not listed. */
function summarize(problems: readonly string[]): readonly string[] {
  const more = problems.length - maxProblems;
  return more > 0 ? [...problems.slice(0, maxProblems), `${more} more lines.`] : problems;
}
