import type { AgentEvent } from '../../loop/events.ts';
import { readLines } from './journalLines.ts';
import { decodeRecord, type Peek } from './record.ts';

const nothing = Buffer.alloc(0);

type JournalProblem = {
  /** 1-based. */
  readonly line: number;
  /** For people. */
  readonly message: string;
};

export type ReadJournalOptions = {
  readonly onProblem: (problem: JournalProblem) => void;
  readonly signal?: AbortSignal;
  /** Events for which it says no are passed over, which is several times as fast; it is not asked about every one. `place`: of its record, in bytes. */
  readonly wants?: (peek: Peek, place: number) => boolean;
};

/**
 * The events of a journal, oldest first, a block at a time. A line that cannot be used is skipped and told; the others are
 * there. Changes nothing on disk.
 * @throws when the file cannot be read at all, or the signal aborts
 */
export async function* readJournal(
  path: string,
  options: ReadJournalOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  const order = createOrder();
  const { wants } = options;
  for await (const line of readLines(path, 0, options.signal)) {
    const tell = (message: string) =>
      options.onProblem({ line: line.number, message: `Line ${line.number}: ${message}` });
    if (line.length === 0) continue;
    const record = decodeRecord(line.bytes ?? nothing, wants && ((peek) => wants(peek, line.place)));
    if (record.kind === 'damaged') {
      order.skipLine();
      const reason = line.bytes === undefined ? 'it is too long' : record.reason;
      tell(line.isEnded ? `skipped, ${reason}.` : 'the last record was not finished; it is skipped.');
      continue;
    }
    const place = order.place(record.seq, record.sum);
    if (place.missing > 0) tell(`${place.missing} record(s) before it are missing.`);
    if (place.kind === 'late') tell(`skipped, its number ${record.seq} is out of order.`);
    if (place.kind !== 'next') continue;
    if (record.kind === 'foreign') tell(`passed over, ${record.reason}.`);
    else if (record.kind === 'event') yield record.event;
  }
}

/** After a fault the journal may hold records twice; so many back they are known again. */
const rememberedRecords = 1000;

type Place = { readonly kind: 'next' | 'repeated' | 'late'; readonly missing: number };

export type RecordOrder = { skipLine(): void; place(seq: number, sum: string): Place };

/**
 * Follows the numbers of the records: which are missing, and which were there before.
 * @param from the number of the last record that was read before
 */
export function createOrder(from = 0): RecordOrder {
  let last = from;
  let skipped = 0;
  const sums = new Map<number, string>();
  return {
    skipLine() {
      skipped += 1;
    },
    place(seq, sum) {
      if (seq <= last) return { kind: sums.get(seq) === sum ? 'repeated' : 'late', missing: 0 };
      // A skipped line was told already; it is the missing record.
      const missing = Math.max(0, seq - last - 1 - skipped);
      last = seq;
      skipped = 0;
      sums.set(seq, sum);
      sums.delete(seq - rememberedRecords);
      return { kind: 'next', missing };
    },
  };
}
