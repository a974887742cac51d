import { useRef } from 'preact/hooks';
import type { PermissionItem } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import { Icon } from '../Icon.tsx';
import { toolIcon } from '../transcript/Call.tsx';
import { Revealed } from './Revealed.tsx';
import { WhyButton } from './WhyButton.tsx';

/** So many questions are shown in one place. */
export const digestFrom = 3;

/** What came up so shortly before a click on all of them was not read. Milliseconds. */
const unreadMs = 500;

/** Open questions of the gate, to be answered one by one or all at once. */
export function Digest({ asks }: { readonly asks: readonly PermissionItem['ask'][] }) {
  const { t, host } = usePage();
  const seen = useRef(new Map<string, number>());
  for (const { ask } of asks) if (!seen.current.has(ask)) seen.current.set(ask, Date.now());
  /** Answered here, though the host has not said so yet. */
  const sent = useRef(new Set<string>());
  const answer: Answer = (ask, decision) => {
    if (sent.current.has(ask)) return;
    sent.current.add(ask);
    host.answerPermission(ask, decision, 'once', '');
  };
  const answerAll = (decision: 'allow' | 'deny') => {
    for (const { ask } of asks) if (Date.now() - (seen.current.get(ask) ?? 0) >= unreadMs) answer(ask, decision);
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
            <Line ask={ask} answer={answer} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Answer = (ask: string, decision: 'allow' | 'deny') => void;

function Line({ ask, answer }: { readonly ask: PermissionItem['ask']; readonly answer: Answer }) {
  const { t } = usePage();
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
      {ask.reason !== '' && <p class="why">{t('Asked because: {0}', revealText(ask.reason))}</p>}
      <div class="buttons">
        <button
          type="button"
          class="button"
          aria-label={t('Allow once: {0}', what)}
          onClick={() => answer(ask.ask, 'allow')}
        >
          {t('Allow once')}
        </button>
        <button
          type="button"
          class="button secondary"
          aria-label={t('Deny: {0}', what)}
          onClick={() => answer(ask.ask, 'deny')}
        >
          {t('Deny')}
        </button>
        <WhyButton ask={ask.ask} isShort={true} />
      </div>
    </>
  );
}
