import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { putEarlier, type Side } from '../../model/past.ts';
import { useConversation, usePage } from '../../page.ts';
import { Icon } from '../Icon.tsx';

type EarlierProps = {
  readonly side: Side;
  /** Called right before what was read is put in. */
  readonly onPut: () => void;
};

/** Where a transcript does not begin at its beginning, or where a part of it was put away: shows more of it on request. */
export function Earlier({ side, onPut }: EarlierProps) {
  const { t } = usePage();
  const conversation = useConversation();
  const { away, isWhole } = conversation.past.value;
  const { read, isReading, said, error, bar } = useReading(side, onPut);
  const isOver = side === 'front' ? isWhole : away.length === 0;
  return (
    <div class="earlier" ref={bar}>
      {!isOver && (
        <>
          {side === 'back' && <span class="muted">{t('Later messages were put away to keep this view quick.')}</span>}
          <button
            type="button"
            class="button secondary"
            aria-busy={isReading.value}
            aria-disabled={isReading.value}
            onClick={read}
          >
            <Icon name={isReading.value ? 'loading' : side === 'front' ? 'arrow-up' : 'unfold'} />
            {side === 'front' ? t('Show earlier') : t('Show them')}
          </button>
        </>
      )}
      {error.value !== '' && (
        <span class="tone-error" role="alert">
          {error.value}
        </span>
      )}
      <span class="sr-only" role="status">
        {said.value}
      </span>
    </div>
  );
}

function useReading(side: Side, onPut: () => void) {
  const { t, host, agent } = usePage();
  const conversation = useConversation();
  const isReading = useSignal(false);
  const said = useSignal('');
  const error = useSignal('');
  const bar = useRef<HTMLDivElement>(null);
  const read = async () => {
    if (isReading.peek()) return;
    const { parts, away } = conversation.past.peek();
    const before = (side === 'front' ? parts[0]?.from : away.at(-1)) ?? conversation.before;
    isReading.value = true;
    error.value = '';
    said.value = t('Reading…');
    try {
      const part = await host.readEarlier(before, agent.peek() ?? 'lead');
      if (part.session !== conversation.session) return;
      onPut();
      putEarlier(conversation, part, before, side);
      said.value = part.isFirst ? t('All of it is shown, from its beginning.') : t('More is shown above.');
      keepFocus(bar);
    } catch (failure) {
      error.value = failure instanceof Error ? failure.message : String(failure);
      said.value = '';
    } finally {
      isReading.value = false;
    }
  };
  return { read, isReading, said, error, bar };
}

/** A button that goes away leaves the focus to the transcript, which it scrolls. */
function keepFocus(bar: RefObject<HTMLDivElement | null>): void {
  const log = bar.current?.closest<HTMLElement>('.log');
  if (!bar.current?.contains(document.activeElement)) return;
  setTimeout(() => {
    if (document.activeElement === document.body) log?.focus({ preventScroll: true });
  });
}
