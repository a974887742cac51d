import { formatCount } from '../format.ts';
import type { Conversation, EditItem } from '../model/types.ts';
import { useConversation, usePage } from '../page.ts';
import { Digest, digestFrom } from './asking/Digest.tsx';
import { Icon } from './Icon.tsx';

/** Above the composer: what needs the user and may be out of sight. */
export function Bars({ isLive }: { readonly isLive: boolean }) {
  const conversation = useConversation();
  if (!isLive) return null;
  const waiting = conversation.pending.value;
  const edits = waiting.flatMap((id) => {
    const item = conversation.items.get(id)?.value;
    return item?.kind === 'edit' ? [item] : [];
  });
  const permissions = waiting.flatMap((id) => {
    const item = conversation.items.get(id)?.value;
    return item?.kind === 'permission' ? [item.ask] : [];
  });
  const isDigest = permissions.length >= digestFrom;
  const asks = waiting.filter((id) => !id.startsWith('edit:') && !(isDigest && id.startsWith('ask:')));
  return (
    <>
      {isDigest && <Digest asks={permissions} />}
      {asks.length > 0 && <AskBar conversation={conversation} asks={asks} />}
      {edits.length > 0 && <ReviewBar edits={edits} />}
    </>
  );
}

function AskBar({ conversation, asks }: { readonly conversation: Conversation; readonly asks: readonly string[] }) {
  const { t } = usePage();
  const [first] = asks;
  const name = first === undefined ? '' : conversation.askers.get(first)?.info.value.name || t('Offshoot');
  const words = asks.length === 1 ? t('{0} waits for you', name ?? '') : t('{0} questions wait for you', asks.length);
  return (
    <div class="bar">
      <Icon name="bell-dot" tone="warn" />
      <span class="clip">{words}</span>
      <button type="button" class="button secondary" onClick={() => first !== undefined && showItem(first)}>
        {t('Show')}
      </button>
    </div>
  );
}

function ReviewBar({ edits }: { readonly edits: readonly EditItem[] }) {
  const { t, host } = usePage();
  const files = new Set(edits.map((edit) => edit.path)).size;
  const [first] = edits;
  const added = edits.reduce((sum, edit) => sum + (edit.added ?? 0), 0);
  const removed = edits.reduce((sum, edit) => sum + (edit.removed ?? 0), 0);
  const acceptAll = () => {
    for (const edit of edits) host.decideEdit(edit.edit, 'accept', '');
  };
  return (
    <section class="bar" aria-label={t('Changes to review')}>
      <Icon name="git-compare" tone="warn" />
      <span class="clip">
        <b>{files === 1 ? t('1 file to review') : t('{0} files to review', files)}</b>
      </span>
      <span class="num">
        <span class="added">+{formatCount(added)}</span> <span class="removed">−{formatCount(removed)}</span>
      </span>
      <button type="button" class="button" onClick={() => first && host.showEdit(first.edit)}>
        {t('Review')}
      </button>
      <button type="button" class="button secondary" onClick={acceptAll}>
        {t('Accept all')}
      </button>
    </section>
  );
}

function showItem(id: string): void {
  const element = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);
  element?.scrollIntoView({ block: 'center' });
  element?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}
