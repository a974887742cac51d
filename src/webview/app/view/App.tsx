import type { PanelState } from '../../protocol.ts';
import { usePage } from '../page.ts';
import { AgentPage } from './agents/AgentPage.tsx';
import { Bars } from './Bars.tsx';
import { Composer } from './Composer.tsx';
import { FirstRun } from './FirstRun.tsx';
import { HistoryPage } from './history/HistoryPage.tsx';
import { Icon } from './Icon.tsx';
import { Announcer } from './transcript/Activity.tsx';
import { Transcript } from './transcript/Transcript.tsx';

export function App() {
  const { conversation, panel, host, agent, history } = usePage();
  const state = panel.value;
  if (!conversation.value || !state) return null;
  const isLive = state.isRunning;
  if (agent.value !== undefined) return <AgentPage id={agent.value} isLive={isLive} />;
  if (history.value) return <HistoryPage view={history.value} />;
  const onKeyDown = (event: KeyboardEvent) => {
    const isStop =
      (event.key === 'Escape' && (event.ctrlKey || event.metaKey)) || (event.key === 'Backspace' && event.altKey);
    if (!isStop || !panel.peek()?.isRunning) return;
    event.preventDefault();
    host.stop(null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key for the whole page
    <div class="page" onKeyDown={onKeyDown} key={conversation.value.session}>
      <TrustNotice isTrusted={state.isTrusted} />
      <AccessNotice access={state.access} />
      <DemoLabel isDemo={state.stage === 'ready' && state.provider === 'demo'} />
      {state.stage === 'ready' ? <Transcript isLive={isLive} /> : <FirstRun stage={state.stage} />}
      <Announcer isLive={isLive} />
      <Bars isLive={isLive} />
      <Composer isRunning={isLive} isBlocked={state.stage !== 'ready' || state.access !== 'write'} />
    </div>
  );
}

function TrustNotice({ isTrusted }: { readonly isTrusted: boolean }) {
  const { t, host } = usePage();
  if (isTrusted) return null;
  return (
    <div class="strip">
      <Icon name="shield" tone="warn" />
      <span>
        {t(
          'Restricted mode: this folder is not trusted. Agents only read and search it; its own settings, rules and agents do not count.',
        )}
      </span>
      <button type="button" class="text-button" onClick={() => host.start('trust')}>
        {t('Manage Trust')}
      </button>
    </div>
  );
}

/** Why nothing can be said in this conversation, and what to do about it. */
function AccessNotice({ access }: { readonly access: PanelState['access'] }) {
  const { t, host } = usePage();
  if (access === 'write') return null;
  const isHeld = access === 'held';
  return (
    <div class="strip" role="status">
      <Icon name={isHeld ? 'multiple-windows' : 'lock'} tone="warn" />
      <span>
        {isHeld
          ? t('Open in another window: here it can only be read. Agents at work there are stopped when you take over.')
          : t('Opened only to be read.')}
      </span>
      <button type="button" class="text-button" onClick={() => host.takeOver()}>
        {isHeld ? t('Take over') : t('Write here')}
      </button>
    </div>
  );
}

function DemoLabel({ isDemo }: { readonly isDemo: boolean }) {
  const { t, host } = usePage();
  if (!isDemo) return null;
  return (
    <div class="strip">
      <Icon name="compass" tone="muted" />
      <span>{t('Offline demo: no language model')}</span>
      <button type="button" class="text-button" onClick={() => host.start('key')}>
        {t('Add a key')}
      </button>
    </div>
  );
}
