import '../../../media/page.css';
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { connect, type EditorApi } from './connect.ts';
import { createMarkdown } from './markdown/render.ts';
import { type Page, PageContext } from './page.ts';
import { createTranslate, readStrings } from './strings.ts';
import { App } from './view/App.tsx';

declare function acquireVsCodeApi(): EditorApi;

function savedDraft(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('draft' in state)) return '';
  return typeof state.draft === 'string' ? state.draft : '';
}

function start(): void {
  const api = acquireVsCodeApi();
  const t = createTranslate(readStrings(document.getElementById('strings')));
  const store = {
    conversation: signal<Page['conversation']['value']>(undefined),
    agent: signal<string | undefined>(undefined),
    panel: signal<Page['panel']['value']>(undefined),
    history: signal<Page['history']['value']>(undefined),
    hits: signal<Page['hits']['value']>(undefined),
    clock: signal(0),
    draft: signal(savedDraft(api.getState())),
    focusCount: signal(0),
  };
  effect(() => {
    const agent = store.agent.value;
    if (agent === undefined) api.setState({ draft: store.draft.value });
    else api.setState({ agent, session: store.conversation.value?.session ?? '' });
  });
  const markdown = createMarkdown({ copy: t('Copy code'), image: t('Image') });
  const page: Page = { ...store, t, markdown, host: connect(api, store) };
  const root = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
  root.id = 'root';
  render(
    <PageContext.Provider value={page}>
      <App />
    </PageContext.Provider>,
    root,
  );
}

start();
