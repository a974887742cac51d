import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { Icon } from '../Icon.tsx';
import { type DayGroup, type Found, groupByDay } from './find.ts';
import { SessionRow } from './SessionRow.tsx';

/** So many are drawn at once; the others follow in pieces that are too short to be felt. */
const drawnAtFirst = 40;
const drawnMore = 120;

type DayGroupsProps = {
  readonly found: readonly Found[];
  readonly wanted: string;
  readonly now: number;
  /** The conversation whose name is being changed. */
  readonly renamed: string | undefined;
  readonly onRename: (session: string, isOn: boolean) => void;
};

/** Conversations by day; a long list is drawn from its beginning on. */
export function DayGroups({ found, wanted, now, renamed, onRename }: DayGroupsProps) {
  const { t } = usePage();
  const limit = useGrowingLimit(found.length, wanted);
  const groups = useMemo(() => groupByDay(found.slice(0, limit), now), [found, limit, now]);
  return (
    <>
      {groups.map(({ day, found: members }) => (
        <section key={day} aria-label={dayWord(t, day)}>
          <h2>
            {day === 'pinned' && <Icon name="pinned" tone="muted" />}
            {dayWord(t, day)}
          </h2>
          <ul>
            {members.map((each) => (
              <SessionRow
                key={each.entry.id}
                found={each}
                now={now}
                isRenamed={renamed === each.entry.id}
                onRename={(isOn) => onRename(each.entry.id, isOn)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function useGrowingLimit(count: number, wanted: string): number {
  const limit = useSignal(drawnAtFirst);
  useEffect(() => {
    limit.value = drawnAtFirst;
  }, [wanted]);
  const now = limit.value;
  useEffect(() => {
    if (now >= count) return;
    const timer = setTimeout(() => {
      limit.value = now + drawnMore;
    });
    return () => clearTimeout(timer);
  }, [now, count]);
  return now;
}

function dayWord(t: Translate, day: DayGroup['day']): string {
  if (day === 'pinned') return t('Pinned');
  if (day === 'today') return t('Today');
  if (day === 'yesterday') return t('Yesterday');
  return new Date(day).toLocaleDateString(document.documentElement.lang || undefined, { dateStyle: 'medium' });
}
