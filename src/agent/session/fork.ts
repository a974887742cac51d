import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Clock } from '../host.ts';
import type { AgentEvent } from '../loop/events.ts';
import { type Journal, openJournal } from '../store/journal/journal.ts';
import { readJournal } from '../store/journal/readJournal.ts';
import type { Peek } from '../store/journal/record.ts';
import { readLabel } from '../store/sessions/label.ts';
import { journalPath, newSessionId } from '../store/sessions.ts';
import { leadSource } from './lead.ts';

export type ForkPoint = {
  readonly turn: number;
  /** `before`: the turn is left out; `after`: it is the last one. */
  readonly side: 'before' | 'after';
};

export type ForkDependencies = { readonly stateDirectory: string; readonly clock: Clock };

/**
 * Makes a session whose beginning is that of another one. The copied events keep their stamp, which names the source: what
 * they cost is counted there. Results that were kept as files are there as well, under paths of the new session.
 * @param title of the new session; left out: that of the source
 * @returns its id
 * @throws Error for people when the source has no such turn
 */
export async function forkSession(
  { stateDirectory, clock }: ForkDependencies,
  source: string,
  point: ForkPoint,
  signal: AbortSignal,
  title?: string,
): Promise<string> {
  const id = newSessionId(clock.now());
  const path = journalPath(stateDirectory, id);
  const beginning = await readBeginning(journalPath(stateDirectory, source), source, point, signal);
  const name = (await readLabel(stateDirectory, source)).title || beginning.title || source;
  const journal = await openJournal(path, { onProblem: () => undefined });
  try {
    const { workspace } = beginning;
    const from = { session: source, turn: point.turn, title: name };
    const body = { type: 'session-start', workspace, title: title ?? name, from } as const;
    const stamp = { session: id, ...leadSource, seq: 0, time: clock.now() };
    await journal.append({ ...body, ...stamp }, 'lazy');
    await copyEvents(journalPath(stateDirectory, source), point, journal, moveArtifacts(source, id), signal);
    await copyArtifacts(stateDirectory, source, id);
    await journal.close();
    return id;
  } catch (error) {
    await journal.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

type Beginning = { readonly title: string; readonly workspace: string };

/** What is said about the source itself, and whether it has the turn. */
async function readBeginning(path: string, source: string, point: ForkPoint, signal: AbortSignal): Promise<Beginning> {
  let title = '';
  let workspace = '';
  let isThere = false;
  let hasEnded = false;
  const wants = ({ type }: Peek) => ofSource.has(type) || type === 'turn-start' || type === 'turn-end';
  for await (const event of readJournal(path, { onProblem: () => undefined, signal, wants })) {
    if (event.type === 'session-title') ({ title } = event);
    if (event.type === 'session-start') ({ title, workspace } = event);
    if (event.type === 'turn-start' && event.turn === point.turn) isThere = true;
    if (isBehind(event, point)) break;
    if (event.type === 'turn-end' && event.turn === point.turn) hasEnded = true;
  }
  if (!isThere) throw new Error(`The conversation ${source} has no turn ${point.turn}.`);
  if (point.side === 'after' && !hasEnded) {
    throw new Error('This turn has not ended. Wait for it, or stop it, and try again.');
  }
  return { title, workspace };
}

const ofSource: ReadonlySet<string> = new Set(['session-start', 'session-title', 'prompt-queue']);

/** The first event that a branch from there does not have. */
function isBehind(event: AgentEvent, { turn, side }: ForkPoint): boolean {
  return event.type === 'turn-start' && event.turn === turn + (side === 'before' ? 0 : 1);
}

/** However long the source is, only a few of its events are in memory. */
async function copyEvents(
  path: string,
  point: ForkPoint,
  journal: Journal,
  move: (event: AgentEvent) => AgentEvent,
  signal: AbortSignal,
): Promise<void> {
  let count = 0;
  for await (const event of readJournal(path, { onProblem: () => undefined, signal })) {
    if (isBehind(event, point)) break;
    if (ofSource.has(event.type)) continue;
    const appended = journal.append(move(event), 'lazy');
    count += 1;
    // Not one by one: records of one tick share a write.
    if (count % 100 === 0) await appended;
    else appended.catch(() => undefined);
  }
}

/** Thinking is signed word for word and stays as it is; so does the stamp. */
function moveArtifacts(source: string, id: string): (event: AgentEvent) => AgentEvent {
  const [before, after] = [`artifacts${sep}${source}${sep}`, `artifacts${sep}${id}${sep}`];
  return (event) => {
    const { session } = event;
    const json = JSON.stringify({ ...event, session: '' });
    if (!json.includes(source)) return event;
    const moved: AgentEvent = JSON.parse(json, (key, part: unknown) =>
      typeof part === 'string' && key !== 'thinking' ? part.replaceAll(before, after) : part,
    );
    return { ...moved, session };
  };
}

/** The same files under a second name, where the disk can do that. */
async function copyArtifacts(state: string, source: string, id: string): Promise<void> {
  const [from, to] = [join(state, 'artifacts', source), join(state, 'artifacts', id)];
  const names = await readdir(from).catch(() => []);
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) {
    await link(join(from, name), join(to, name)).catch(() => copyFile(join(from, name), join(to, name)));
  }
}
