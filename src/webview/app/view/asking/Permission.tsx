import { useSignal } from '@preact/signals';
import type { HostFunctions } from '../../../protocol.ts';
import type { PermissionItem } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import type { Translate } from '../../strings.ts';
import { Icon } from '../Icon.tsx';
import { toolIcon } from '../transcript/Call.tsx';
import { WhyButton } from './Digest.tsx';
import { Revealed } from './Revealed.tsx';

/** A question of the gate. Once it is answered, one line stays. */
export function Permission({ item, isLive }: { readonly item: PermissionItem; readonly isLive: boolean }) {
  const { t } = usePage();
  const { ask, answer } = item;
  if (answer === undefined && isLive) return <PermissionCard item={item} />;
  const isAllowed = typeof answer === 'object' && answer.decision === 'allow';
  return (
    <div class="call settled">
      <div class="line">
        <Icon name={isAllowed ? 'check' : 'circle-slash'} tone="muted" />
        <span class="clip" title={ask.detail}>
          {answerWord(t, answer)} <code>{revealText(ask.detail)}</code>
        </span>
      </div>
      {typeof answer === 'object' && answer.reason && <p class="said">“{answer.reason}”</p>}
    </div>
  );
}

type Scope = Parameters<HostFunctions['answerPermission']>[2];

function PermissionCard({ item: { ask } }: { readonly item: PermissionItem }) {
  const { t, host, panel } = usePage();
  const reason = useSignal('');
  const isSent = useSignal(false);
  const answer = (decision: 'allow' | 'deny', scope: Scope) => {
    if (isSent.peek()) return;
    isSent.value = true;
    host.answerPermission(ask.ask, decision, scope, decision === 'deny' ? reason.peek().trim() : '');
  };
  return (
    <fieldset class="card ask" data-item={`ask:${ask.ask}`} disabled={isSent.value}>
      <legend class="sr-only">{t('{0} asks for your permission', ask.agentName)}</legend>
      <div class="card-head">
        <Icon name={toolIcon(ask.tool)} />
        <span>
          <b>{revealText(ask.agentName)}</b> · {revealText(ask.title)}
          {ask.directory !== '' && (
            <span class="muted">
              {' '}
              {t('in')} <code>{revealText(ask.directory)}</code>
            </span>
          )}
        </span>
        <span class="tag">{ask.tool}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long commands scroll, also by keyboard */}
      <pre class="whole" tabIndex={0}>
        <Revealed text={ask.detail} />
      </pre>
      {ask.reason !== '' && <p class="why">{t('Asked because: {0}', revealText(ask.reason))}</p>}
      {ask.rule !== undefined && (
        <p class="why">
          {t('Rule for the workspace or always:')} <code>{revealText(ask.rule)}</code>
        </p>
      )}
      <div class="buttons">
        <button type="button" class="button" onClick={() => answer('allow', 'once')}>
          {t('Allow once')}
        </button>
        {!ask.isOnceOnly && (
          <button type="button" class="button secondary" onClick={() => answer('allow', 'session')}>
            {t('This session')}
          </button>
        )}
        {ask.rule !== undefined && (
          <>
            <button type="button" class="button secondary" onClick={() => answer('allow', 'workspace')}>
              {t('This workspace')}
            </button>
            <button type="button" class="button secondary" onClick={() => answer('allow', 'always')}>
              {t('Always')}
            </button>
          </>
        )}
        <button type="button" class="button secondary" onClick={() => answer('deny', 'once')}>
          {t('Deny')}
        </button>
      </div>
      <ReasonField label={t('Reason to deny (optional)')} value={reason} onEnter={() => answer('deny', 'once')} />
      <WhyButton ask={ask.ask} />
      {panel.value?.prompt === 'modal' && !ask.isBackground && (
        <p class="why">{t('The dialog asks the same; answer in either place.')}</p>
      )}
    </fieldset>
  );
}

type ReasonProps = {
  readonly label: string;
  /** Shorter words for the empty field. */
  readonly hint?: string;
  readonly value: { value: string };
  readonly onEnter: () => void;
};

/** One line of words for the agent. */
export function ReasonField({ label, hint, value, onEnter }: ReasonProps) {
  return (
    <input
      type="text"
      class="field-input"
      aria-label={label}
      placeholder={hint ?? label}
      value={value.value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing && value.value.trim() !== '') onEnter();
      }}
    />
  );
}

function answerWord(t: Translate, answer: PermissionItem['answer']): string {
  if (answer === undefined || answer === 'closed') return t('Not answered:');
  if (answer.decision === 'allow') return allowedWord(t, answer);
  return answer.by === 'user' || answer.by === 'flag' ? t('Denied:') : t('Not answered:');
}

function allowedWord(t: Translate, { scope, by }: Extract<PermissionItem['answer'], object>): string {
  if (by === 'rule') return t('Allowed by a rule:');
  switch (scope) {
    case 'once':
      return t('Allowed once:');
    case 'session':
      return t('Allowed for this session:');
    case 'workspace':
      return t('Allowed in this workspace:');
    case 'always':
      return t('Always allowed:');
  }
}
