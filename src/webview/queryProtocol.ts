import * as z from 'zod';
import type { Report } from '../agent/index.ts';

/** What the page with reports on conversations and the extension say to each other. */
const range = { from: z.number().optional(), to: z.number().optional(), workspace: z.string().max(4000).optional() };

export const querySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agents'), agent: z.string().max(500), ...range }),
  z.object({ kind: z.literal('commands'), text: z.string().max(500), ...range }),
  z.object({ kind: z.literal('cost'), by: z.enum(['day', 'agentType', 'model']), ...range }),
  z.object({ kind: z.literal('permissions'), ...range }),
]);
export type PageQuery = z.output<typeof querySchema>;

export const fromQueryPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** `id` comes back with the answer: an older one is passed over. */
  z.object({ type: z.literal('ask'), id: z.int(), query: querySchema }),
  z.object({ type: z.literal('export'), query: querySchema }),
  z.object({ type: z.literal('open'), session: z.string().min(1).max(200), agent: z.string().min(1).max(200) }),
]);
export type FromQueryPage = z.output<typeof fromQueryPage>;

export type QueryAnswer = {
  readonly id: number;
  readonly report: Report;
  /** Conversations are still being read; a fuller answer follows. */
  readonly isPreliminary: boolean;
  /** Lines of journals that could not be read, and conversations that could not at all. */
  readonly damagedLines: number;
  readonly unreadable: number;
  /** Messages whose words are not searched. */
  readonly unsearched: number;
};

export type ToQueryPage =
  | { readonly type: 'folders'; readonly folders: readonly string[] }
  | { readonly type: 'answer'; readonly answer: QueryAnswer }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

export type { Report } from '../agent/index.ts';
export type QueryRow = Exclude<Report, { readonly kind: 'cost' }>['rows'][number];
export type CostReportRow = Extract<Report, { readonly kind: 'cost' }>['rows'][number];
