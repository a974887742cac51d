import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { HistoryView } from '../../../protocol.ts';
import { usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { Icon, IconButton } from '../Icon.tsx';
import { type DayGroup, findSessions, groupByDay } from './find.ts';
import { SessionRow } from './SessionRow.tsx';

/** So many are drawn at once; the others follow in pieces that are too short to be felt. */
const drawnAtFirst = 40;
const drawnMore = 120;
const restMs = 150;

/** The conversations of this window's folders and, on request, of all. */
export function HistoryPage({ view }: { readonly view: HistoryView }) {
  const { t, host, hits, history } = usePage();
  const text = useSignal('');
  const isEverywhere = useSignal(false);
  const renamed = useSignal<string | undefined>(undefined);
  const list = useRef<HTMLElement>(null);
  const wanted = text.value.trim();
  useSearch(wanted);

  const there = isEverywhere.value ? view.sessions : view.sessions.filter(({ isHere }) => isHere);
  const found = useMemo(() => findSessions(there, wanted, hits.value), [view, isEverywhere.value, wanted, hits.value]);
  const limit = useGrowingLimit(found.length, wanted);
  const groups = useMemo(() => groupByDay(found.slice(0, limit), view.now), [found, limit, view.now]);
  const elsewhere = view.sessions.length - view.sessions.filter(({ isHere }) => isHere).length;

  const close = () => {
    history.value = undefined;
    host.closeHistory();
  };
  const rename = (session: string, isOn: boolean) => {
    renamed.value = isOn ? session : undefined;
    if (!isOn) setTimeout(() => rowOf(list.current, session)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) =>
    handleKey(event, list.current, { close, rename, remove: host.deleteSession });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for the whole list
    <div class="page history" onKeyDown={onKeyDown}>
      <header class="history-head">
        <IconButton icon="arrow-left" label={t('Back to the conversation')} onClick={close} />
        <SearchField text={text} />
      </header>
      {elsewhere > 0 && (
        <label class="history-scope">
          <input
            type="checkbox"
            checked={isEverywhere.value}
            onChange={(event) => {
              isEverywhere.value = event.currentTarget.checked;
            }}
          />
          {t('Also of other folders ({0})', elsewhere)}
        </label>
      )}
      {view.deleted !== undefined && (
        <div class="strip" role="status">
          <Icon name="trash" tone="muted" />
          <span class="clip">{t('“{0}” was deleted.', view.deleted)}</span>
          <button type="button" class="text-button" onClick={() => host.undoDelete()}>
            {t('Undo')}
          </button>
        </div>
      )}
      <main class="history-list" ref={list} aria-label={t('Conversations')}>
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
                  now={view.now}
                  isRenamed={renamed.value === each.entry.id}
                  onRename={(isOn) => rename(each.entry.id, isOn)}
                />
              ))}
            </ul>
          </section>
        ))}
        <Outcome count={found.length} wanted={wanted} />
      </main>
    </div>
  );
}

function SearchField({ text }: { readonly text: { value: string } }) {
  const { t } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      type="search"
      class="field-input"
      dir="auto"
      placeholder={t('Search in all conversations')}
      aria-label={t('Search in all conversations')}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
    />
  );
}

/** What the search came to, said to those who cannot see the list as well. */
function Outcome({ count, wanted }: { readonly count: number; readonly wanted: string }) {
  const { t, hits } = usePage();
  const isSearching = wanted !== '' && !(hits.value?.text === wanted && hits.value.isWhole);
  const none = wanted === '' ? t('There are no conversations in this folder yet.') : t('Nothing was found.');
  const sum = count === 1 ? t('1 conversation') : t('{0} conversations', count);
  const unsearched = wanted === '' || isSearching ? 0 : (hits.value?.unsearched ?? 0);
  return (
    <p class="muted small history-sum" role="status">
      {isSearching ? t('Searching…') : count === 0 ? none : sum}
      {unsearched > 0 && (
        <>
          <br />
          {t(
            'Messages that were not searched, since they are very long or very old: {0}. “Offshoot: Clean Up Old Conversations…” makes room.',
            unsearched,
          )}
        </>
      )}
    </p>
  );
}

function useSearch(wanted: string): void {
  const { host } = usePage();
  useEffect(() => {
    const timer = setTimeout(() => host.searchHistory(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
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

type KeyActions = {
  readonly close: () => void;
  readonly rename: (session: string, isOn: boolean) => void;
  readonly remove: (session: string) => void;
};

/** Arrows go from row to row and from the search into the list; Enter is the row's own. */
function handleKey(event: KeyboardEvent, list: HTMLElement | null, { close, rename, remove }: KeyActions): void {
  if (event.isComposing || !list) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-session]')];
  const at = rows.findIndex((row) => row.parentElement?.contains(document.activeElement));
  const session = rows[at]?.dataset.session;
  const isSearch = document.activeElement instanceof HTMLInputElement;
  switch (event.key) {
    case 'ArrowDown':
      rows[at + 1]?.focus();
      break;
    case 'ArrowUp':
      if (at > 0) rows[at - 1]?.focus();
      else document.querySelector<HTMLElement>('.history-head input')?.focus();
      break;
    case 'Home':
    case 'End':
      if (isSearch) return;
      rows.at(event.key === 'Home' ? 0 : -1)?.focus();
      break;
    case 'Escape':
      close();
      break;
    case 'F2':
      if (session !== undefined) rename(session, true);
      break;
    case 'Delete':
      if (session === undefined || isSearch) return;
      (rows[at + 1] ?? rows[at - 1])?.focus();
      remove(session);
      break;
    case 'Enter':
      if (isSearch && rows[0]) rows[0].click();
      return;
    default:
      return;
  }
  event.preventDefault();
}

function rowOf(list: HTMLElement | null, session: string): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`[data-session="${CSS.escape(session)}"]`);
}
