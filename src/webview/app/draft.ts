import type { Page } from './page.ts';

/** Puts texts before what is being written. */
export function addToDraft(draft: Page['draft'], texts: readonly string[]): void {
  draft.value = [...texts, draft.peek()].filter((text) => text !== '').join('\n\n');
}
