import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FromQueryPage, PageQuery, QueryAnswer, ToQueryPage } from '../../queryProtocol.ts';

export const kinds = ['agents', 'commands', 'day', 'agentType', 'model', 'permissions'] as const;
export type Kind = (typeof kinds)[number];
export const ranges = ['day', 'week', 'month', 'all', 'custom'] as const;
export type Range = (typeof ranges)[number];

/** What stands in the form. */
export type Form = {
  readonly kind: Kind;
  readonly text: string;
  readonly range: Range;
  /** Days of the calendar, `2026-11-30`; both are in it. */
  readonly from: string;
  readonly to: string;
  /** Empty: all. */
  readonly folder: string;
};

export type Questions = {
  readonly form: ReadonlySignal<Form>;
  readonly folders: ReadonlySignal<readonly string[]>;
  readonly answer: ReadonlySignal<QueryAnswer | undefined>;
  readonly error: ReadonlySignal<string>;
  readonly isAsking: ReadonlySignal<boolean>;
  change(change: Partial<Form>): void;
  ask(): void;
  exportCsv(): void;
  open(session: string, agent: string): void;
  receive(message: ToQueryPage): void;
};

const nothing: Form = { kind: 'agents', text: '', range: 'month', from: '', to: '', folder: '' };
const dayMs = 86_400_000;
const lengths = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;

export function createQuestions(
  send: (message: FromQueryPage) => void,
  saved: unknown,
  save: (form: Form) => void,
  now: () => number = Date.now,
): Questions {
  const form = signal(restore(saved));
  const folders: Signal<readonly string[]> = signal([]);
  const answer = signal<QueryAnswer | undefined>(undefined);
  const error = signal('');
  const isAsking = signal(false);
  let lastId = 0;
  const ask = () => {
    lastId += 1;
    isAsking.value = true;
    error.value = '';
    send({ type: 'ask', id: lastId, query: toQuery(form.value, now()) });
  };
  return {
    form,
    folders,
    answer,
    error,
    isAsking,
    change(change) {
      form.value = { ...form.value, ...change };
      save(form.value);
      ask();
    },
    ask,
    exportCsv: () => send({ type: 'export', query: toQuery(form.value, now()) }),
    open: (session, agent) => send({ type: 'open', session, agent }),
    receive(message) {
      if (message.type === 'folders') {
        folders.value = message.folders;
        return;
      }
      const id = message.type === 'answer' ? message.answer.id : message.id;
      if (id !== lastId) return;
      if (message.type === 'failed') error.value = message.message;
      else answer.value = message.answer;
      isAsking.value = message.type === 'answer' && message.answer.isPreliminary;
    },
  };
}

/** What the page had saved before it was hidden. */
function restore(saved: unknown): Form {
  if (typeof saved !== 'object' || saved === null) return nothing;
  const text = (name: keyof Form) => {
    const value: unknown = Reflect.get(saved, name);
    return typeof value === 'string' ? value : '';
  };
  return {
    kind: kinds.find((kind) => kind === text('kind')) ?? nothing.kind,
    text: text('text'),
    range: ranges.find((range) => range === text('range')) ?? nothing.range,
    from: text('from'),
    to: text('to'),
    folder: text('folder'),
  };
}

export function toQuery(form: Form, now: number): PageQuery {
  const { kind, text } = form;
  const filter = { ...rangeOf(form, now), ...(form.folder !== '' && { workspace: form.folder }) };
  switch (kind) {
    case 'agents':
      return { kind, agent: text, ...filter };
    case 'commands':
      return { kind, text, ...filter };
    case 'permissions':
      return { kind, ...filter };
    default:
      return { kind: 'cost', by: kind, ...filter };
  }
}

function rangeOf({ range, from, to }: Form, now: number): { readonly from?: number; readonly to?: number } {
  if (range === 'all') return {};
  if (range !== 'custom') return { from: now - lengths[range] };
  const start = midnight(from, 0);
  const end = midnight(to, 1);
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

/** Of a day of the local calendar, or of one after it. */
function midnight(day: string, daysAfter: number): number | undefined {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  const time = new Date(year, month - 1, date + daysAfter).getTime();
  return Number.isNaN(time) ? undefined : time;
}
