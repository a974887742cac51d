import { useRef } from 'preact/hooks';
import type { PermissionItem } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import { Icon } from '../Icon.tsx';
import { toolIcon } from '../transcript/Call.tsx';
import { Revealed } from './Revealed.tsx';

/** So many questions are shown in one place. */
export const digestFrom = 3;

/** What came up so shortly before a click on all of them was not read. Milliseconds. */
const unreadMs = 500;

/** Open questions of the gate, to be answered one by one or all at once. */
export function Digest({ asks }: { readonly asks: readonly PermissionItem['ask'][] }) {
  const { t, host } = usePage();
  const seen = useRef(new Map<string, number>());
  for (const { ask } of asks) if (!seen.current.has(ask)) seen.current.set(ask, Date.now());
  const answerAll = (decision: 'allow' | 'deny') => {
    for (const { ask } of asks) {
      if (Date.now() - (seen.current.get(ask) ?? 0) >= unreadMs) host.answerPermission(ask, decision, 'once', '');
    }
  };
  return (
    <section class="digest" aria-label={t('Permissions that wait for you')}>
      <div class="bar">
        <Icon name="bell-dot" tone="warn" />
        <b class="clip">{t('{0} permissions wait for you', asks.length)}</b>
        <button type="button" class="button" onClick={() => answerAll('allow')}>
          {t('Allow all once')}
        </button>
        <button type="button" class="button secondary" onClick={() => answerAll('deny')}>
          {t('Deny all')}
        </button>
      </div>
      <ul>
        {asks.map((ask) => (
          <li key={ask.ask}>
            <Line ask={ask} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ ask }: { readonly ask: PermissionItem['ask'] }) {
  const { t, host } = usePage();
  const answer = (decision: 'allow' | 'deny') => host.answerPermission(ask.ask, decision, 'once', '');
  const what = `${ask.agentName}: ${ask.detail}`;
  return (
    <>
      <div class="card-head">
        <Icon name={toolIcon(ask.tool)} />
        <span>
          <b>{revealText(ask.agentName)}</b> · {revealText(ask.title)}
        </span>
        <span class="tag">{ask.tool}</span>
      </div>
      <pre class="whole">
        <Revealed text={ask.detail} />
      </pre>
      <div class="buttons">
        <button type="button" class="button" aria-label={t('Allow once: {0}', what)} onClick={() => answer('allow')}>
          {t('Allow once')}
        </button>
        <button type="button" class="button secondary" aria-label={t('Deny: {0}', what)} onClick={() => answer('deny')}>
          {t('Deny')}
        </button>
        <WhyButton ask={ask.ask} />
      </div>
    </>
  );
}

/** Shows which rule, protection or mode asks. */
export function WhyButton({ ask }: { readonly ask: string }) {
  const { t, host } = usePage();
  return (
    <button type="button" class="text-button" onClick={() => host.explainPermission(ask)}>
      {t('Why was this asked?')}
    </button>
  );
}
