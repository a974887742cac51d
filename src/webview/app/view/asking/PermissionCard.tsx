import { useSignal } from '@preact/signals';
import type { HostFunctions } from '../../../protocol.ts';
import type { PermissionItem } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import { Icon } from '../Icon.tsx';
import { toolIcon } from '../transcript/Call.tsx';
import { ReasonField } from './ReasonField.tsx';
import { Revealed } from './Revealed.tsx';
import { WhyButton } from './WhyButton.tsx';

type Ask = PermissionItem['ask'];
type Scope = Parameters<HostFunctions['answerPermission']>[2];
type Answer = (decision: 'allow' | 'deny', scope: Scope) => void;

/** A question of the gate that waits: who wants to do what, why that is asked, and the answers. */
export function PermissionCard({ ask }: { readonly ask: Ask }) {
  const { t, host, panel } = usePage();
  const reason = useSignal('');
  const isSent = useSignal(false);
  const answer: Answer = (decision, scope) => {
    if (isSent.peek()) return;
    isSent.value = true;
    host.answerPermission(ask.ask, decision, scope, decision === 'deny' ? reason.peek().trim() : '');
  };
  return (
    <fieldset class="card ask" data-item={`ask:${ask.ask}`} disabled={isSent.value}>
      <legend class="sr-only">{t('{0} asks for your permission', ask.agentName)}</legend>
      <Matter ask={ask} />
      <Answers ask={ask} answer={answer} />
      <ReasonField label={t('Reason to deny (optional)')} value={reason} onEnter={() => answer('deny', 'once')} />
      <WhyButton ask={ask.ask} />
      {panel.value?.prompt === 'modal' && !ask.isBackground && (
        <p class="why">{t('The dialog asks the same; answer in either place.')}</p>
      )}
    </fieldset>
  );
}

function Matter({ ask }: { readonly ask: Ask }) {
  const { t } = usePage();
  return (
    <>
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
    </>
  );
}

function Answers({ ask, answer }: { readonly ask: Ask; readonly answer: Answer }) {
  const { t } = usePage();
  return (
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
  );
}
