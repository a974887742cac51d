/** Holds figures to those of the baseline: ratios to the bare loop of the same run, and sizes. Times of machines differ. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { type Cell, type Timing, timings } from './summary.ts';

const file = path.join(import.meta.dirname, 'baseline.json');

const sizeNames = ['first', 'childFirst', 'leadLast', 'sent', 'frame'] as const;
const shareNames = ['same', 'kept', 'sameAmongSiblings'] as const;
const countNames = ['atOnce', 'startedEarly'] as const;

const heldSchema = z.object({
  ratios: z.partialRecord(z.enum(timings), z.number()),
  sizes: z.partialRecord(z.enum(sizeNames), z.number()),
  shares: z.partialRecord(z.enum(shareNames), z.number()),
  counts: z.partialRecord(z.enum(countNames), z.number()),
});
const baselineSchema = z.record(z.string(), heldSchema);
type Held = z.output<typeof heldSchema>;
export type Baseline = z.output<typeof baselineSchema>;

/** How much more than the baseline passes. Times of a busy machine stray; sizes do not. */
const tolerance: Readonly<Record<Timing, number>> = { step: 1.15, wall: 1.2, start: 1.25, cpu: 1.2, memory: 1.2 };
const sizeTolerance = 1.05;
const shareTolerance = 0.005;

/** `isTiming`: a busy machine may be the reason, so it is worth a second look. */
export type Finding = { readonly isTiming: boolean; readonly text: string };

const nameOf = ({ scenario, size }: Cell) => `${scenario}:${size}`;

export async function readBaseline(): Promise<Baseline> {
  return baselineSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** Cells that were not measured stay as they are. */
export async function saveBaseline(cells: readonly Cell[]): Promise<void> {
  const before = await readBaseline().catch(() => ({}));
  const now = Object.fromEntries(cells.map((cell) => [nameOf(cell), toHeld(cell)]));
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  await writeFile(file, `${JSON.stringify({ ...before, ...now }, rounded, 2)}\n`);
}

function toHeld({ ours, ratios }: Cell): Held {
  const pick = <Name extends string>(
    names: readonly Name[],
    from: Readonly<Partial<Record<Name, number | undefined>>>,
  ) => Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
  const counts = pick(countNames, ours);
  return { ratios, sizes: pick(sizeNames, ours.sizes), shares: pick(shareNames, ours.sizes), counts };
}

/** What got worse; empty when nothing did. */
export function compare(cell: Cell, baseline: Baseline): readonly Finding[] {
  const name = nameOf(cell);
  const before = baseline[name];
  if (!before) {
    return [{ isTiming: false, text: `${name}: the baseline has no such cell; add it with --save-baseline` }];
  }
  const now = toHeld(cell);
  const findings: Finding[] = [];
  for (const timing of timings) {
    const [was, is] = [before.ratios[timing], now.ratios[timing]];
    if (was === undefined || is === undefined || is <= was * tolerance[timing]) continue;
    const text = `${name}: ${timing} is ${is.toFixed(2)} times the bare loop's; it was ${was.toFixed(2)} times (+${percent(is / was)})`;
    findings.push({ isTiming: true, text });
  }
  for (const size of sizeNames) {
    const [was, is] = [before.sizes[size], now.sizes[size]];
    if (was === undefined || is === undefined || is <= was * sizeTolerance) continue;
    findings.push({ isTiming: false, text: `${name}: ${size} is ${is} bytes; it was ${was} (+${percent(is / was)})` });
  }
  for (const [names, from, to, slack] of [
    [shareNames, before.shares, now.shares, shareTolerance],
    [countNames, before.counts, now.counts, 0],
  ] as const) {
    const [old, current]: Readonly<Record<string, number | undefined>>[] = [from, to];
    for (const each of names) {
      const [was, is] = [old?.[each], current?.[each]];
      if (was === undefined || is === undefined || is >= was - slack) continue;
      findings.push({
        isTiming: names === countNames,
        text: `${name}: ${each} is ${is.toFixed(3)}; it was ${was.toFixed(3)}`,
      });
    }
  }
  return findings;
}

const percent = (ratio: number) => `${Math.round((ratio - 1) * 100)} %`;
