import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { HistoryEntry } from '../../../protocol.ts';
import { formatAge, formatCost, joinFacts } from '../../format.ts';
import { usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { Icon, IconButton } from '../Icon.tsx';
import type { Tone } from '../state.ts';
import { type Found, type Hit, markedPieces } from './find.ts';

type State = HistoryEntry['state'];

const looks: Readonly<Record<State, { readonly icon: string; readonly tone: Tone }>> = {
  running: { icon: 'loading', tone: 'accent' },
  elsewhere: { icon: 'multiple-windows', tone: 'muted' },
  interrupted: { icon: 'debug-disconnect', tone: 'warn' },
  completed: { icon: 'pass', tone: 'ok' },
  limit_reached: { icon: 'warning', tone: 'warn' },
  failed: { icon: 'error', tone: 'error' },
  stopped: { icon: 'circle-slash', tone: 'muted' },
  empty: { icon: 'circle-large-outline', tone: 'muted' },
};

function wordOf(t: Translate, state: State): string {
  switch (state) {
    case 'running':
      return t('running here');
    case 'elsewhere':
      return t('in another window');
    case 'interrupted':
      return t('interrupted');
    case 'completed':
      return t('done');
    case 'limit_reached':
      return t('limit reached');
    case 'failed':
      return t('failed');
    case 'stopped':
      return t('stopped');
    case 'empty':
      return t('empty');
  }
}

type RowProps = {
  readonly found: Found;
  readonly now: number;
  readonly isRenamed: boolean;
  readonly onRename: (isOn: boolean) => void;
};

/** A conversation of the list. Its menu is the editor's own. */
export function SessionRow({ found: { entry, hits }, now, isRenamed, onRename }: RowProps) {
  const { t, host } = usePage();
  const { id, title, state, isPinned, isCurrent } = entry;
  const context = { webviewSection: 'session', session: id, isPinned, preventDefaultContextMenuItems: true };
  if (isRenamed) return <RenameField entry={entry} onClose={() => onRename(false)} />;
  return (
    <li class={isCurrent ? 'session current' : 'session'} data-vscode-context={JSON.stringify(context)}>
      <button type="button" class="session-main" data-session={id} onClick={() => host.openSession(id, false)}>
        <Icon name={looks[state].icon} tone={looks[state].tone} label={wordOf(t, state)} />
        <span class="session-text">
          <span class="clip session-title" dir="auto">
            {title}
          </span>
          <Facts entry={entry} now={now} />
          {hits.map((hit, index) => (
            <Snippet key={index} hit={hit} />
          ))}
        </span>
      </button>
      <span class="actions">
        <IconButton
          icon={isPinned ? 'pinned' : 'pin'}
          label={isPinned ? t('Unpin {0}', title) : t('Pin {0}', title)}
          onClick={() => host.pinSession(id, !isPinned)}
        />
        <IconButton icon="edit" label={t('Rename {0}', title)} onClick={() => onRename(true)} />
        <IconButton icon="trash" label={t('Delete {0}', title)} onClick={() => host.deleteSession(id)} />
      </span>
    </li>
  );
}

/** The word of a state that is not the expected one, then numbers. */
function Facts({ entry, now }: { readonly entry: HistoryEntry; readonly now: number }) {
  const { t } = usePage();
  const { state, agents, usd, isWholeCost, folder, isHere, branchedFrom, updatedAt, isCurrent } = entry;
  const { tone } = looks[state];
  const cost = formatCost(usd);
  const counts = [
    agents === 0 ? '' : agents === 1 ? t('1 agent') : t('{0} agents', agents),
    cost === '' || isWholeCost ? cost : t('over {0}', cost),
    isHere ? '' : folder,
    branchedFrom === undefined ? '' : t('branched from {0}', branchedFrom),
  ];
  return (
    <span class="session-facts">
      {isCurrent && <span class="tag">{t('open now')}</span>}
      {state !== 'completed' && <span class={tone === 'muted' ? '' : `tone-${tone}`}>{wordOf(t, state)}</span>}
      <span class="clip">{joinFacts(counts)}</span>
      <span class="num">{formatAge(t, now - updatedAt)}</span>
    </span>
  );
}

function Snippet({ hit }: { readonly hit: Hit }) {
  const { t } = usePage();
  const who = hit.who === 'user' ? t('You') : hit.who;
  return (
    <span class="session-snippet" dir="auto">
      {who !== '' && <span class="muted">{who}: </span>}
      {markedPieces(hit).map(({ text, isMarked }, index) =>
        isMarked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
      )}
    </span>
  );
}

function RenameField({ entry, onClose }: { readonly entry: HistoryEntry; readonly onClose: () => void }) {
  const { t, host } = usePage();
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal(entry.title);
  useEffect(() => input.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Enter') host.renameSession(entry.id, text.peek());
    onClose();
  };
  return (
    <li class="session">
      <input
        ref={input}
        type="text"
        class="field-input"
        dir="auto"
        aria-label={t('Name of the conversation')}
        title={t('Enter keeps the name, Escape leaves it.')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
        onBlur={onClose}
      />
    </li>
  );
}
