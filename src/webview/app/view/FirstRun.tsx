import { usePage } from '../page.ts';
import { Icon } from './Icon.tsx';

type WayProps = {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  readonly onClick: () => void;
};

function Way({ icon, title, text, onClick }: WayProps) {
  return (
    <button type="button" class="way" onClick={onClick}>
      <Icon name={icon} />
      <span>
        <b>{title}</b>
        <span class="muted">{text}</span>
      </span>
    </button>
  );
}

/** Before there is a folder, or before a model is chosen. */
export function FirstRun({ stage }: { readonly stage: 'none' | 'choose' }) {
  const { t, host } = usePage();
  return (
    <main class="first">
      <h1>{t('A lead, and as many hands as it needs')}</h1>
      <p class="muted">{t('Ask in your own words. Offshoot delegates to subagents that you can watch and stop.')}</p>
      {stage === 'none' ? (
        <Way
          icon="folder-opened"
          title={t('Open a folder')}
          text={t('Offshoot works on the files of one folder.')}
          onClick={() => host.start('folder')}
        />
      ) : (
        <>
          <Way
            icon="compass"
            title={t('Explore this folder now')}
            text={t('Offline demo, no key: real subagents on your files, no model.')}
            onClick={() => host.start('demo')}
          />
          <Way
            icon="key"
            title={t('Add an Anthropic key')}
            text={t('Kept in the editor’s secret storage. Any compatible server works too.')}
            onClick={() => host.start('key')}
          />
        </>
      )}
      <p class="muted small">{t('Nothing is sent anywhere before you choose. No telemetry.')}</p>
    </main>
  );
}

/** A conversation in which nothing was said yet. */
export function Empty() {
  const { t, host, panel } = usePage();
  const folder = panel.value?.folder ?? '';
  return (
    <div class="empty">
      <h1>{folder === '' ? t('What shall we look at?') : t('What shall we look at in {0}?', folder)}</h1>
      <button type="button" class="button wide" onClick={() => host.explore()}>
        <Icon name="compass" />
        {t('Explore codebase')}
      </button>
      <ul class="hints">
        <li>
          <Icon name="search" tone="muted" />
          {t('Ask where something happens, and why.')}
        </li>
        <li>
          <Icon name="diff" tone="muted" />
          {t('Ask for a change; you review it before it is written.')}
        </li>
        <li>
          <Icon name="type-hierarchy-sub" tone="muted" />
          {t('Large questions go to subagents that work side by side.')}
        </li>
      </ul>
    </div>
  );
}
