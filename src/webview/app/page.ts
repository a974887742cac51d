import type { Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { HistoryHits, HistoryView, HostFunctions, PanelState } from '../protocol.ts';
import type { MarkdownRenderer } from './markdown/render.ts';
import type { Conversation, Item } from './model/types.ts';
import type { Translate } from './strings.ts';

/** What the page may ask of the host; only `readEarlier` is answered. */
export type Host = Omit<HostFunctions, 'ready'>;

/** All that components share. */
export type Page = {
  readonly t: Translate;
  readonly host: Host;
  readonly markdown: MarkdownRenderer;
  /** undefined until the host has answered. */
  readonly conversation: Signal<Conversation | undefined>;
  /** The agent that is shown alone; undefined: the conversation. */
  readonly agent: Signal<string | undefined>;
  readonly panel: Signal<PanelState | undefined>;
  /** The host's time in milliseconds, moved once a second while something runs. */
  readonly clock: Signal<number>;
  /** The list of conversations; undefined: it is closed. */
  readonly history: Signal<HistoryView | undefined>;
  readonly hits: Signal<HistoryHits | undefined>;
  /** Text of the composer. */
  readonly draft: Signal<string>;
  /** Rises when the composer should take the focus. */
  readonly focusCount: Signal<number>;
};

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A component was rendered outside of PageContext.');
  return page;
}

export function useConversation(): Conversation {
  const conversation = usePage().conversation.value;
  if (!conversation) throw new Error('A component was rendered before there was a conversation.');
  return conversation;
}

/** undefined for an item that was taken back. */
export function useItem(id: string): Item | undefined {
  return useConversation().items.get(id)?.value;
}
