import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { HistoryView } from '../../../protocol.ts';
import { usePage } from '../../page.ts';
import { Icon, IconButton } from '../Icon.tsx';
import { DayGroups } from './DayGroups.tsx';
import { findSessions } from './find.ts';
import { handleListKey } from './handleListKey.ts';
import { SearchField } from './SearchField.tsx';
import { SearchOutcome } from './SearchOutcome.tsx';

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

  const here = view.sessions.filter(({ isHere }) => isHere);
  const there = isEverywhere.value ? view.sessions : here;
  const found = useMemo(() => findSessions(there, wanted, hits.value), [view, isEverywhere.value, wanted, hits.value]);

  const close = () => {
    history.value = undefined;
    host.closeHistory();
  };
  const rename = (session: string, isOn: boolean) => {
    renamed.value = isOn ? session : undefined;
    if (!isOn) setTimeout(() => rowOf(list.current, session)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) =>
    handleListKey(event, list.current, { close, rename, remove: host.deleteSession });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for the whole list
    <div class="page history" onKeyDown={onKeyDown}>
      <header class="history-head">
        <IconButton icon="arrow-left" label={t('Back to the conversation')} onClick={close} />
        <SearchField text={text} />
      </header>
      <ScopeField isEverywhere={isEverywhere} elsewhere={view.sessions.length - here.length} />
      <DeletedStrip title={view.deleted} />
      <main class="history-list" ref={list} aria-label={t('Conversations')}>
        <DayGroups found={found} wanted={wanted} now={view.now} renamed={renamed.value} onRename={rename} />
        <SearchOutcome count={found.length} wanted={wanted} />
      </main>
    </div>
  );
}

type ScopeProps = { readonly isEverywhere: Signal<boolean>; readonly elsewhere: number };

function ScopeField({ isEverywhere, elsewhere }: ScopeProps) {
  const { t } = usePage();
  if (elsewhere === 0) return null;
  return (
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
  );
}

/** Which one was deleted last, and the way back. */
function DeletedStrip({ title }: { readonly title: string | undefined }) {
  const { t, host } = usePage();
  if (title === undefined) return null;
  return (
    <div class="strip" role="status">
      <Icon name="trash" tone="muted" />
      <span class="clip">{t('“{0}” was deleted.', title)}</span>
      <button type="button" class="text-button" onClick={() => host.undoDelete()}>
        {t('Undo')}
      </button>
    </div>
  );
}

function useSearch(wanted: string): void {
  const { host } = usePage();
  useEffect(() => {
    const timer = setTimeout(() => host.searchHistory(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
}

function rowOf(list: HTMLElement | null, session: string): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`[data-session="${CSS.escape(session)}"]`);
}
