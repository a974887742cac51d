/** What one run says, from the requests that the model got and the process that sent them. */
import { type BenchModel, type Body, type LoggedRequest, textOf } from './model.ts';
import type { ProcessFigures } from './process.ts';
import { type CallKind, finalText, type ScenarioName, scenarios } from './scenarios.ts';
import { groupBy } from './statistics.ts';

export type Gap = { readonly agent: string; readonly step: number; readonly call: CallKind; readonly ms: number };

export type RunFigures = {
  readonly wallMs: number;
  readonly cpuMs: number | undefined;
  readonly peakMb: number | undefined;
  /** Start of the process to the first byte of its first request. */
  readonly startMs: number;
  /** From the last byte of an answer to the last byte of the next request, of the agents that search: the tool's own run is in it. */
  readonly gaps: readonly Gap[];
  /** From the lead's last byte to the first byte of a subagent; negative: it started before that. */
  readonly delegateMs: number | undefined;
  /** From the last report's last byte to the last byte of the lead's next request. */
  readonly returnMs: number | undefined;
  /** Subagents that asked before the lead's answer was whole. */
  readonly startedEarly: number;
  readonly atOnce: number;
  readonly sizes: Sizes;
};

/** Bytes and shares: the same in every run. */
export type Sizes = {
  readonly first: number;
  readonly firstSystem: number;
  readonly firstTools: number;
  readonly toolCount: number;
  readonly childFirst: number | undefined;
  readonly leadLast: number;
  readonly sent: number;
  readonly requests: number;
  /** Of what requests after an agent's first hold, how much stood in the one before, from the start without a break. */
  readonly same: number;
  /** How much of the one before stands there unchanged: 1 unless a history was rewritten. */
  readonly kept: number;
  /** As `same`, for the first requests of subagents after the first of them. */
  readonly sameAmongSiblings: number | undefined;
  /** Requests whose last block carries a cache mark. */
  readonly marked: number;
  /** By how much a delegation makes the lead's next request longer, and how much of that is neither call nor report. */
  readonly growth: number | undefined;
  readonly frame: number | undefined;
};

/** @throws when the run did not do what the scenario says */
export function figuresOf(scenario: ScenarioName, model: BenchModel, measured: ProcessFigures): RunFigures {
  const { requests } = model;
  const lead = requests.filter(({ agent }) => agent === 'lead');
  const [first] = requests;
  const children = requests.filter(({ agent }) => agent !== 'lead');
  const { steps, subagents } = scenarios[scenario];
  const wanted = subagents === 0 ? steps + 1 : subagents * (steps + 1) + 2;
  const isAnswered = lead.at(-1)?.call === undefined;
  if (!first || measured.exitCode !== 0 || !isAnswered || requests.length !== wanted) {
    const text = [measured.output.slice(-1500), measured.errors, model.others.join('\n')].filter(Boolean).join('\n');
    throw new Error(
      `${scenario} ended with ${measured.exitCode} and ${requests.length} of ${wanted} requests.\n${text}`,
    );
  }
  const searching = subagents > 0 ? children : lead;
  const answeredLead = lead[0]?.writtenAt ?? 0;
  const firstChild = children.length > 0 ? Math.min(...children.map(({ beganAt }) => beganAt)) : undefined;
  const lastReport = Math.max(...children.map(({ answeredAt }) => answeredAt));
  return {
    wallMs: measured.wallMs,
    cpuMs: measured.cpuMs,
    peakMb: measured.peakMb,
    startMs: first.beganAt - measured.startedAt,
    gaps: byAgent(searching).flatMap(gapsOf),
    delegateMs: firstChild === undefined ? undefined : firstChild - answeredLead,
    returnMs: children.length > 0 ? (lead[1]?.arrivedAt ?? Number.NaN) - lastReport : undefined,
    startedEarly: children.filter(({ step, beganAt }) => step === 0 && beganAt < answeredLead).length,
    atOnce: mostAtOnce(children),
    sizes: sizesOf(requests, lead, children),
  };
}

function byAgent(requests: readonly LoggedRequest[]): readonly (readonly LoggedRequest[])[] {
  return [...groupBy(requests, ({ agent }) => agent).values()];
}

function gapsOf(requests: readonly LoggedRequest[]): readonly Gap[] {
  return requests.slice(1).flatMap((request, index) => {
    const before = requests[index];
    if (before?.call === undefined) return [];
    const { agent, step } = request;
    return [{ agent, step, call: before.call, ms: request.arrivedAt - before.answeredAt }];
  });
}

function mostAtOnce(requests: readonly LoggedRequest[]): number {
  const open = (at: number) => requests.filter(({ beganAt, answeredAt }) => beganAt <= at && at < answeredAt).length;
  return Math.max(0, ...requests.map(({ beganAt }) => open(beganAt)));
}

function sizesOf(
  requests: readonly LoggedRequest[],
  lead: readonly LoggedRequest[],
  children: readonly LoggedRequest[],
): Sizes {
  const [first, second] = lead;
  const siblings = byAgent(children).flatMap(([request]) => (request ? [canonical(request.body)] : []));
  const followers = byAgent(requests).flatMap((own) => {
    const texts = own.map(({ body }) => canonical(body));
    return texts.slice(1).map((text, index) => ({ before: texts[index] ?? '', text }));
  });
  const growth = children.length > 0 && first && second ? (second.bytes - first.bytes) / siblings.length : undefined;
  return {
    first: first?.bytes ?? 0,
    firstSystem: bytesOf(first?.body.system),
    firstTools: bytesOf(first?.body.tools),
    toolCount: first?.body.tools?.length ?? 0,
    childFirst: children[0]?.bytes,
    leadLast: lead.at(-1)?.bytes ?? 0,
    sent: requests.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: requests.length,
    ...sharesOf(followers),
    sameAmongSiblings:
      siblings.length > 1
        ? sharesOf(siblings.slice(1).map((text) => ({ before: siblings[0] ?? '', text }))).same
        : undefined,
    marked: requests.filter(({ body }) => hasMarkAtEnd(body)).length,
    growth,
    frame: growth === undefined || !second ? undefined : frameOf(second.body),
  };
}

/** Bytes of all results that are not the reports themselves, for one. */
function frameOf(body: Body): number {
  const results = body.messages.slice(1).flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const texts = results.filter(({ type }) => type === 'tool_result').map((block) => textOf([block]));
  const reports = texts.map((_, index) => finalText({ scenario: 'S3', agent: `sub${index}` }));
  return (
    texts.reduce((sum, text, index) => sum + Buffer.byteLength(text) - Buffer.byteLength(reports[index] ?? ''), 0) /
    texts.length
  );
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/**
 * In the order in which a prompt cache reads it, without the marks, which are no part of what it compares. A request that
 * only adds to the one before begins with it.
 */
function canonical({ tools, system, messages }: Body): string {
  const blocks = (content: unknown) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
  const parts = [tools ?? [], blocks(system ?? []), ...messages.map(({ role, content }) => [role, blocks(content)])];
  const plain = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
  return parts.map((part) => `${JSON.stringify(part, plain)}\n`).join('');
}

type Pair = { readonly before: string; readonly text: string };

function sharesOf(pairs: readonly Pair[]): { readonly same: number; readonly kept: number } {
  let [same, all, allBefore] = [0, 0, 0];
  for (const { before, text } of pairs) {
    let length = 0;
    while (length < text.length && text.charCodeAt(length) === before.charCodeAt(length)) length += 1;
    same += length;
    all += text.length;
    allBefore += before.length;
  }
  return { same: all === 0 ? 0 : same / all, kept: allBefore === 0 ? 1 : same / allBefore };
}

function hasMarkAtEnd({ messages }: Body): boolean {
  const content = messages.at(-1)?.content;
  const last = typeof content === 'string' ? undefined : content?.at(-1);
  return last !== undefined && 'cache_control' in last;
}
