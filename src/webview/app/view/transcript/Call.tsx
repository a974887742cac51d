import { useSignal } from '@preact/signals';
import { formatCallDuration, joinFacts } from '../../format.ts';
import type { CallItem } from '../../model/types.ts';
import { useItem, usePage } from '../../page.ts';
import type { Translate } from '../../strings.ts';
import { Elapsed } from '../agents/Elapsed.tsx';
import { Revealed } from '../asking/Revealed.tsx';
import { Icon } from '../Icon.tsx';

const icons: Readonly<Record<string, string>> = {
  Read: 'file',
  Grep: 'search',
  Glob: 'folder',
  LS: 'folder',
  Bash: 'terminal',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'new-file',
  Agent: 'type-hierarchy-sub',
  Task: 'type-hierarchy-sub',
  AskUser: 'question',
  AskUserQuestion: 'question',
  WebFetch: 'globe',
  WebSearch: 'globe',
  TodoWrite: 'checklist',
  Diagnostics: 'pulse',
};
const maxShownChars = 6000;

export function toolIcon(tool: string): string {
  return icons[tool] ?? 'tools';
}

/** @param isLive without a running turn a call without an end will not end any more */
export function Call({ id, isLive }: { readonly id: string; readonly isLive: boolean }) {
  const { t } = usePage();
  const item = useItem(id);
  const isOpen = useSignal(false);
  if (item?.kind !== 'call') return null;
  const state = item.state === 'running' && !isLive ? 'cancelled' : item.state;
  return (
    <div class={`call call-${state}`}>
      <button
        type="button"
        class="line"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <CallIcon tool={item.tool} state={state} />
        <code class="clip" title={item.summary}>
          <Revealed text={item.summary} />
        </code>
        <span class="num">{state === 'running' ? <Elapsed since={item.startedAt} /> : resultOf(t, item, state)}</span>
      </button>
      {isOpen.value ? <CallDetail item={item} /> : <Progress text={item.progress} />}
    </div>
  );
}

function CallIcon({ tool, state }: { readonly tool: string; readonly state: CallItem['state'] }) {
  const { t } = usePage();
  if (state === 'running') return <Icon name="loading" tone="accent" label={t('running')} />;
  if (state === 'error') return <Icon name="error" tone="error" label={t('failed')} />;
  if (state === 'denied') return <Icon name="circle-slash" tone="muted" label={t('denied')} />;
  if (state === 'cancelled') return <Icon name="stop-circle" tone="muted" label={t('stopped')} />;
  return <Icon name={toolIcon(tool)} tone="muted" />;
}

function resultOf(t: Translate, item: CallItem, state: CallItem['state']): string {
  if (state === 'denied') return t('denied');
  if (state === 'cancelled') return t('stopped');
  if (state === 'error') return item.result === '' ? t('failed') : item.result;
  return joinFacts([item.result, formatCallDuration(t, item.durationMs)]);
}

/** The last line that a running command put out. */
function Progress({ text }: { readonly text: string }) {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  if (last === '') return null;
  return (
    <div class="progress clip">
      <Revealed text={last.slice(-400)} />
    </div>
  );
}

function CallDetail({ item }: { readonly item: CallItem }) {
  const { t } = usePage();
  const output = item.state === 'running' ? item.progress : item.preview;
  return (
    <div class="detail">
      {Object.entries(item.input).map(([name, value]) => (
        <div class="field" key={name}>
          <span class="field-name">{name}</span>
          <pre>
            <Revealed text={shorten(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))} />
          </pre>
        </div>
      ))}
      {output !== '' && (
        <div class="field">
          <span class="field-name">{item.state === 'running' ? t('output so far') : t('result')}</span>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long results scroll, also by keyboard */}
          <pre class="scroll" tabIndex={0}>
            <Revealed text={shorten(output)} />
          </pre>
        </div>
      )}
    </div>
  );
}

function shorten(text: string): string {
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text;
}
