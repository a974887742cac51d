import type { Clock, Workspace } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import { whyStopped } from '../../loop/endings.ts';
import { type RunEnd, run } from '../../loop/run.ts';
import type { Message } from '../../messages/types.ts';
import { noUsage } from '../../model/pricing.ts';
import type { Crew } from '../crew/crew.ts';
import { lead, leadSource } from '../lead.ts';
import type { EventLog } from '../record/eventLog.ts';
import type { JournalClaim } from '../record/journalClaim.ts';
import type { TurnResult } from '../session.ts';
import { titleOf } from './title.ts';

type TurnParts = {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly events: EventLog;
  readonly crew: Crew;
  readonly journal: JournalClaim;
  readonly history: readonly Message[];
  readonly turns: number;
  /** Reports for the next turn. */
  readonly untold: readonly string[];
};

export type LeadTurn = {
  readonly prompt: string;
  readonly by?: 'agent' | undefined;
  /** As asked for: a model id or an alias. */
  readonly model: string;
  /** Told once the lead is there. */
  readonly onLead: (agent: Agent) => void;
};

const goOnPrompt = 'Go on where you were interrupted. Calls without a result may have taken effect or not: look first.';

/** The lead from turn to turn: what it has heard and said, and what it is yet to hear. */
export class LeadTurns {
  /** Reports of background agents for the next turn. */
  readonly notes: string[];
  /** Those that woke the lead for a turn that could not begin: they wake nobody again, but are told with the next one. */
  readonly #postponed: string[] = [];
  readonly #parts: TurnParts;
  #history: readonly Message[];
  #turns: number;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#history = parts.history;
    this.#turns = parts.turns;
    this.notes = [...parts.untold];
  }

  /** A lead as it would begin a turn now; it begins none. */
  resting(model: string, signal: AbortSignal): Promise<Agent> {
    return this.#parts.crew.restingLead(this.#history, model, signal);
  }

  /** What to say to a lead that is to go on; the last prompt again when the lead never got it. */
  goOnPrompt(): string {
    const { events } = this.#parts.events;
    const last = events.findLastIndex(({ type }) => type === 'turn-start');
    const turn = events[last];
    const hasHeard = events.slice(last).some(({ type, agent }) => type === 'message-append' && agent === lead.id);
    return turn?.type === 'turn-start' && !hasHeard ? turn.prompt : goOnPrompt;
  }

  /** Never rejects. */
  async compact(model: string, signal: AbortSignal): Promise<TurnResult> {
    const { crew, events } = this.#parts;
    const refused = this.#history.length > 0 ? await this.#tryOpen() : undefined;
    if (refused) return refused;
    this.#history = await crew.compact(this.#history, model, signal);
    await events.durable();
    return { status: signal.aborted ? 'stopped' : 'completed', text: '', usage: noUsage, cost: 0 };
  }

  /** Never rejects. */
  async run(turn: LeadTurn, signal: AbortSignal): Promise<TurnResult> {
    const { events, clock } = this.#parts;
    const startedAt = clock.now();
    const refused = await this.#tryOpen();
    if (refused) {
      this.#postpone(turn);
      return refused;
    }
    const number = this.#begin(turn);
    const { agent, end } = await this.#runLead(turn, signal);
    const { status, text } = end;
    const { isInterrupted } = end;
    // Whoever pressed Stop need not be told.
    const error = end.error !== undefined && (status !== 'stopped' || isInterrupted) && { error: end.error };
    const why = { ...error, ...(isInterrupted && { isInterrupted }) };
    if (agent) {
      const receipt = agent.receipt(clock.now() - startedAt);
      events.emit(leadSource, { type: 'agent-end', status, report: text, receipt, ...why });
    }
    events.emit(leadSource, { type: 'turn-end', turn: number, status, ...why });
    await events.durable();
    return { status, text, usage: agent?.meter.usage ?? noUsage, cost: agent ? agent.meter.cost : 0, ...error };
  }

  #begin({ prompt, by }: LeadTurn): number {
    const { events, workspace } = this.#parts;
    // A branch has its beginning before its first turn.
    if (!events.events.some(({ type }) => type === 'session-start')) {
      events.emit(leadSource, { type: 'session-start', workspace: workspace.roots[0] ?? '', title: titleOf(prompt) });
    }
    this.#turns += 1;
    events.emit(leadSource, { type: 'turn-start', turn: this.#turns, prompt, ...(by && { by }) });
    return this.#turns;
  }

  async #runLead(
    turn: LeadTurn,
    signal: AbortSignal,
  ): Promise<{ readonly agent: Agent | undefined; readonly end: RunEnd }> {
    const { crew } = this.#parts;
    const { prompt, by, model, onLead } = turn;
    let agent: Agent | undefined;
    let isHeard = false;
    try {
      agent = await crew.createLead(this.#history, model, signal);
      onLead(agent);
      const opening = await crew.hooks.openTurn(agent, by ? undefined : prompt, signal);
      if (opening.kind === 'refused') return { agent, end: { status: 'failed', text: '', error: opening.reason } };
      agent.append({ role: 'user', content: [prompt, ...opening.contexts].map((text) => ({ type: 'text', text })) });
      isHeard = true;
      for (const note of [...this.#postponed.splice(0), ...this.notes.splice(0)]) agent.controls.tell(note);
      const end = await run(agent, crew.loop(), signal);
      this.#history = agent.history;
      this.notes.push(...agent.controls.takeNotes());
      return { agent, end };
    } catch (error) {
      if (signal.aborted) return { agent, end: { status: 'stopped', text: '', ...whyStopped(signal) } };
      const reason = error instanceof Error ? error.message : String(error);
      return { agent, end: { status: 'failed', text: '', error: reason } };
    } finally {
      if (!isHeard) this.#postpone(turn);
    }
  }

  #postpone({ prompt, by }: LeadTurn): void {
    if (by === 'agent') this.#postponed.push(prompt);
  }

  /** @returns the end of a turn that cannot begin, since another window has the session or the disk is full */
  async #tryOpen(): Promise<TurnResult | undefined> {
    try {
      await this.#parts.journal.open();
      return undefined;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#parts.events.emit(leadSource, { type: 'notice', level: 'error', text });
      return { status: 'failed', text: '', usage: noUsage, cost: 0, error: text };
    }
  }
}
