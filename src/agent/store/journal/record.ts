import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AgentEvent, EventBody } from '../../loop/events.ts';

/** Longer lines are refused when written and skipped when read; a request to a model is at most half as large. */
export const maxLineBytes = 64 * 1024 * 1024;

/**
 * One line of a journal, without its line end: `{"sum":"<8 hex>","seq":N,"event":{…}}`. `sum` is the start of the SHA-256
 * of every byte behind the sum field. `seq` counts the records of the file from 1, so a missing line is noticed.
 */
export function encodeRecord(seq: number, event: AgentEvent): string {
  const covered = `"seq":${seq},"event":${JSON.stringify(event)}}`;
  return `{"sum":"${checksum(covered)}",${covered}`;
}

export type DecodedRecord =
  | { readonly kind: 'event'; readonly seq: number; readonly sum: string; readonly event: AgentEvent }
  /** The line is whole, but holds nothing that this version knows. */
  | { readonly kind: 'foreign'; readonly seq: number; readonly sum: string; readonly reason: string }
  /** The line is whole, and nobody wanted what it holds. */
  | { readonly kind: 'unwanted'; readonly seq: number; readonly sum: string }
  | { readonly kind: 'damaged'; readonly reason: string };

const head = /^\{"sum":"([0-9a-f]{8})",/;
/** Bytes of a line up to the part that the sum covers. */
const headLength = '{"sum":"00000000",'.length;

/** What can be told of a record without reading all of it. */
export type Peek = {
  readonly type: string;
  readonly agent: string;
  readonly parent: string | null;
  /** The `seq` of the event, not of the record. */
  readonly eventSeq: number;
};

/** @param wants of the others only number and checksum are looked at; left out: all are wanted */
export function decodeRecord(line: Buffer, wants?: (peek: Peek) => boolean): DecodedRecord {
  const sum = head.exec(line.toString('latin1', 0, headLength))?.[1];
  if (sum === undefined) return { kind: 'damaged', reason: 'it is not a record' };
  if (checksum(line.subarray(headLength)) !== sum) return { kind: 'damaged', reason: 'its checksum is wrong' };
  const peek = wants && peekAt(line);
  if (peek && !wants(peek)) return { kind: 'unwanted', seq: peek.seq, sum };
  const record = recordSchema.safeParse(parseJson(line.toString('utf8')));
  if (!record.success) return { kind: 'damaged', reason: 'it has not the shape of a record' };
  const { seq, event } = record.data;
  const known = eventSchema.safeParse(event);
  if (known.success) return { kind: 'event', seq, sum, event: known.data };
  return { kind: 'foreign', seq, sum, reason: whyForeign(event) };
}

const peekStart = /^\{"sum":"[0-9a-f]{8}","seq":(\d+),"event":\{"type":"([a-z-]+)"/;
const peekEnd = /,"agent":"([^"\\]+)","parent":(?:null|"([^"\\]+)"),"seq":(\d+),"time":[\d.]+\}\}$/;
const peekLengths = { start: 90, end: 200 };

/** By the order in which events are put together; undefined for one that is in another. */
function peekAt(line: Buffer): (Peek & { readonly seq: number }) | undefined {
  const start = peekStart.exec(line.toString('latin1', 0, peekLengths.start));
  const end = peekEnd.exec(line.toString('latin1', Math.max(0, line.length - peekLengths.end)));
  if (!start?.[2] || !end?.[1] || !Object.hasOwn(knownTypes, start[2])) return undefined;
  const [, agent, parent = null, eventSeq] = end;
  return { seq: Number(start[1]), type: start[2], agent, parent, eventSeq: Number(eventSeq) };
}

function checksum(covered: string | Uint8Array): string {
  return createHash('sha256').update(covered).digest('hex').slice(0, 8);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A line whose checksum holds and that is no JSON was not written by a journal; the schema refuses undefined.
    return undefined;
  }
}

function whyForeign(event: unknown): string {
  const envelope = envelopeSchema.safeParse(event);
  if (!envelope.success) return 'its event lacks who, when or what';
  return `it holds an event of an unknown type, ${JSON.stringify(envelope.data.type)}`;
}

const recordSchema = z.object({ seq: z.int().min(1), event: z.unknown() });

const envelopeSchema = z.object({
  type: z.string().min(1),
  session: z.string().min(1),
  agent: z.string().min(1),
  parent: z.string().nullable(),
  seq: z.int().min(0),
  time: z.number(),
});

const knownTypes: Readonly<Record<string, true>> = {
  'session-start': true,
  'session-title': true,
  'turn-start': true,
  'turn-end': true,
  'prompt-queue': true,
  'agent-start': true,
  'agent-status': true,
  'agent-detach': true,
  'agent-end': true,
  'step-start': true,
  'step-retry': true,
  'step-end': true,
  'text-delta': true,
  'thinking-delta': true,
  'message-append': true,
  'tool-start': true,
  'tool-progress': true,
  'tool-end': true,
  'permission-ask': true,
  'permission-answer': true,
  'permission-decide': true,
  'hook-run': true,
  'edit-propose': true,
  'edit-decide': true,
  'question-ask': true,
  'question-answer': true,
  'usage-update': true,
  'context-compact': true,
  'worktree-create': true,
  'worktree-keep': true,
  'worktree-remove': true,
  'worktree-fail': true,
  notice: true,
} satisfies Record<EventBody['type'], true>;

/** The envelope is checked; what is in it is covered by the checksum and was valid when it was written. */
const eventSchema = z.custom<AgentEvent>((value) => {
  const envelope = envelopeSchema.safeParse(value);
  return envelope.success && Object.hasOwn(knownTypes, envelope.data.type);
});
