import { formatCost, formatCount, formatDuration, joinFacts } from '../format.ts';
import type { EndItem, Item, ThinkingItem } from '../model/types.ts';
import { useConversation, usePage } from '../page.ts';
import { Icon, IconButton } from './Icon.tsx';
import { lookOf, wordOf } from './state.ts';
import { Markdown } from './transcript/Markdown.tsx';

export function Thinking({ item }: { readonly item: ThinkingItem }) {
  const { t } = usePage();
  return (
    <details class="fold thinking">
      <summary>{item.isStreaming ? t('Thinking…') : t('Thought')}</summary>
      <p class="plain" dir="auto">
        {item.text}
      </p>
    </details>
  );
}

/** What the user or the agent above told an agent. */
export function Note({ item }: { readonly item: Extract<Item, { readonly kind: 'note' }> }) {
  const { t } = usePage();
  const byUser = item.isInstruction ? t('You changed the instruction') : t('You');
  const byAgent = item.isInstruction ? t('New task') : t('From the agent above');
  return (
    <section class="prompt note" dir="auto">
      <span class="note-head">
        <Icon name={item.isInstruction ? 'edit' : 'comment'} tone="muted" />
        {item.by === 'user' ? byUser : byAgent}
      </span>
      {item.text}
    </section>
  );
}

/** The end of a background agent, as the lead is told of it. */
export function Wake({ item }: { readonly item: Extract<Item, { readonly kind: 'wake' }> }) {
  const { t } = usePage();
  const status = endStatuses.find((known) => known === item.status) ?? 'completed';
  const { icon, tone } = lookOf(status);
  return (
    <details class="fold wake">
      <summary>
        <Icon name={icon} tone={tone} label={wordOf(t, status)} />
        <span class="clip">{t('{0} has ended', item.name)}</span>
        {status !== 'completed' && <span class={tone === 'muted' ? '' : `tone-${tone}`}>{wordOf(t, status)}</span>}
      </summary>
      <Markdown text={item.text} isComplete={true} class="plain-report" />
    </details>
  );
}

const endStatuses = ['completed', 'limit_reached', 'stopped', 'failed', 'cached'] as const;

const noticeIcons = { info: 'info', warning: 'warning', error: 'error' } as const;

export function Notice({ level, text }: { readonly level: keyof typeof noticeIcons; readonly text: string }) {
  const { t } = usePage();
  const words = { info: t('Note'), warning: t('Warning'), error: t('Error') };
  const tone = level === 'info' ? 'muted' : level === 'warning' ? 'warn' : 'error';
  return (
    <div class={`notice notice-${level}`}>
      <Icon name={noticeIcons[level]} tone={tone} label={words[level]} />
      <span>{text}</span>
    </div>
  );
}

export function CompactNotice({ before, after }: { readonly before: number; readonly after: number }) {
  const { t } = usePage();
  return (
    <Notice
      level="info"
      text={t('Older context was shortened: {0} → {1} tokens', formatCount(before), formatCount(after))}
    />
  );
}

/** How a turn ended, and what to do with its answer. */
export function TurnEnd({ item, isLive }: { readonly item: EndItem; readonly isLive: boolean }) {
  const { t, host } = usePage();
  if (item.isInterrupted) return <Interruption item={item} isLive={isLive} />;
  const { icon, tone } = lookOf(item.status);
  return (
    <>
      {item.error !== undefined && (
        <div class="notice notice-error" role="alert">
          <Icon name="error" tone="error" label={t('Error')} />
          <span>
            {item.error}{' '}
            <button type="button" class="text-button" onClick={() => host.showLogs()}>
              {t('Show logs')}
            </button>
          </span>
        </div>
      )}
      <div class="turn-end">
        <Icon name={icon} tone={tone} />
        <span class={tone === 'warn' || tone === 'error' ? `tone-${tone}` : ''}>{wordOf(t, item.status)}</span>
        <span class="num">{joinFacts([formatDuration(t, item.durationMs), formatCost(item.cost)])}</span>
        <span class="actions">
          <BranchButton turn={item.turn} isLive={isLive} />
          {item.answer !== '' && (
            <>
              <IconButton icon="copy" label={t('Copy answer')} onClick={() => host.copy(item.answer)} />
              <IconButton
                icon="open-preview"
                label={t('Open as document')}
                onClick={() => host.openAsDocument(item.answer)}
              />
            </>
          )}
        </span>
      </div>
    </>
  );
}

function BranchButton({ turn, isLive }: { readonly turn: number; readonly isLive: boolean }) {
  const { t, host } = usePage();
  if (isLive) return null;
  return (
    <IconButton icon="git-branch" label={t('Continue from here in a new chat')} onClick={() => host.branch(turn)} />
  );
}

/** A turn that nobody ended. The last one can go on. */
function Interruption({ item, isLive }: { readonly item: EndItem; readonly isLive: boolean }) {
  const { t, host, panel } = usePage();
  const isLast = useConversation().turn.value?.turn === item.turn;
  const canGoOn = isLast && !isLive && panel.value?.access === 'write';
  return (
    <div class="notice notice-warning">
      <Icon name="debug-disconnect" tone="warn" label={t('Interrupted')} />
      <span>
        {t('Interrupted: the editor ended while this ran. What calls without a result have done is unknown.')}{' '}
        {canGoOn && (
          <button type="button" class="button secondary" onClick={() => host.goOn('lead')}>
            {t('Continue')}
          </button>
        )}
      </span>
    </div>
  );
}

/** Where this conversation has its beginning from. */
export function BranchNotice({ title, session }: { readonly title: string; readonly session: string }) {
  const { t, host } = usePage();
  return (
    <div class="notice notice-info">
      <Icon name="git-branch" tone="muted" label={t('Branch')} />
      <span>
        {t('Branched from “{0}”', title)}{' '}
        <button type="button" class="text-button" onClick={() => host.openSession(session, false)}>
          {t('Show')}
        </button>
      </span>
    </div>
  );
}
