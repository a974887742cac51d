import type { ResolvedModel } from '../../model/catalog.ts';
import { type Effort, effortLevels } from '../../model/provider.ts';

/** The effort that a model takes: what was asked for, or the next below it. A model that takes none is sent none. */
export async function chooseEffort(
  asked: Effort | undefined,
  model: ResolvedModel,
  signal: AbortSignal,
): Promise<{ readonly effort: Effort | undefined; readonly notes: readonly string[] }> {
  if (asked === undefined) return { effort: undefined, notes: [] };
  await model.learnLimits(signal);
  const { efforts = [], id } = model;
  const most = effortLevels.indexOf(asked);
  const effort = efforts.findLast((level) => effortLevels.indexOf(level) <= most);
  if (effort === asked) return { effort, notes: [] };
  const why = model.efforts === undefined ? `it is not known whether ${id} takes one` : `${id} takes none`;
  const note =
    effort === undefined
      ? `effort ${asked} is left out: ${why}.`
      : `${id} takes no effort ${asked}; it was set to ${effort}.`;
  return { effort, notes: [note] };
}
