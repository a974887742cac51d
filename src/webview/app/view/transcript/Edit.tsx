import { useSignal } from '@preact/signals';
import type { EditItem } from '../../model/types.ts';
import { useItem, usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import type { Translate } from '../../strings.ts';
import { ReasonField } from '../asking/ReasonField.tsx';
import { Icon } from '../Icon.tsx';

/** A proposed change: a row, and its buttons as long as it waits. */
export function Edit({ item, isLive }: { readonly item: EditItem; readonly isLive: boolean }) {
  const isWaiting = item.decision === undefined && isLive;
  const failure = useFailure(item);
  return (
    <div class={isWaiting ? 'edit waiting' : 'edit'} data-item={`edit:${item.edit}`}>
      <EditLine item={item} isWaiting={isWaiting} />
      {isWaiting && <EditButtons edit={item.edit} path={item.path} />}
      {failure !== '' && <p class="said tone-error">{failure}</p>}
      {typeof item.decision === 'object' && item.decision.reason && <p class="said">“{item.decision.reason}”</p>}
    </div>
  );
}

/** What went wrong when an accepted change was written. */
function useFailure({ call, decision }: EditItem): string {
  const item = useItem(call ?? '');
  const { t } = usePage();
  const isAccepted = typeof decision === 'object' && decision.decision === 'accept';
  if (!isAccepted || item?.kind !== 'call' || item.state !== 'error') return '';
  return t('Not written: {0}', item.result);
}

function EditLine({ item, isWaiting }: { readonly item: EditItem; readonly isWaiting: boolean }) {
  const { t, host } = usePage();
  const open = () => (isWaiting ? host.showEdit(item.edit) : host.openFile(item.path, null));
  return (
    <button type="button" class="line" title={item.path} onClick={open}>
      <EditIcon item={item} isWaiting={isWaiting} />
      <code class="clip start">
        <bdi>{revealText(item.path)}</bdi>
      </code>
      <span class="word">{editWord(t, item, isWaiting)}</span>
      <span class="num">
        {item.added !== undefined && item.added > 0 && <span class="added">+{item.added}</span>}{' '}
        {item.removed !== undefined && item.removed > 0 && <span class="removed">−{item.removed}</span>}
      </span>
    </button>
  );
}

function EditIcon({ item, isWaiting }: { readonly item: EditItem; readonly isWaiting: boolean }) {
  if (isWaiting) return <Icon name={item.isNew ? 'new-file' : 'diff'} tone="warn" />;
  if (typeof item.decision !== 'object') return <Icon name="circle-slash" tone="muted" />;
  return item.decision.decision === 'accept' ? <Icon name="check" tone="ok" /> : <Icon name="close" tone="muted" />;
}

function EditButtons({ edit, path }: { readonly edit: string; readonly path: string }) {
  const { t, host } = usePage();
  const reason = useSignal('');
  const isSent = useSignal(false);
  const decide = (decision: 'accept' | 'reject') => {
    if (isSent.peek()) return;
    isSent.value = true;
    host.decideEdit(edit, decision, decision === 'reject' ? reason.peek().trim() : '');
  };
  return (
    <fieldset class="edit-actions" disabled={isSent.value}>
      <legend class="sr-only">{t('Proposed change to {0}', path)}</legend>
      <div class="buttons">
        <button type="button" class="button secondary" onClick={() => host.showEdit(edit)}>
          {t('Review')}
        </button>
        <button type="button" class="button secondary" onClick={() => decide('accept')}>
          {t('Accept')}
        </button>
        <button type="button" class="button secondary" onClick={() => decide('reject')}>
          {t('Reject')}
        </button>
        <ReasonField
          label={t('Reason to reject (optional)')}
          hint={t('Reason (optional)')}
          value={reason}
          onEnter={() => decide('reject')}
        />
      </div>
    </fieldset>
  );
}

function editWord(t: Translate, item: EditItem, isWaiting: boolean): string {
  if (isWaiting) return item.isNew ? t('new file') : '';
  const { decision } = item;
  if (typeof decision !== 'object') return t('not decided');
  if (decision.decision === 'reject') return t('rejected');
  if (decision.by === 'mode') return t('written');
  return decision.isAmended ? t('accepted, changed by you') : t('accepted');
}
