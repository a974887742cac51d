import type { Token } from 'marked';
import type { MarkdownRenderer } from './render.ts';

/** `html` of one block; the key stays the same as long as the block does. */
export type Block = { readonly key: number; readonly html: string };
export type Blocks = {
  /** Renders what is new in a text that grows, and only the last block again. */
  update(text: string, isComplete: boolean): readonly Block[];
};

/** @param clean takes out of HTML whatever must not reach the page */
export function createBlocks(markdown: MarkdownRenderer, clean: (html: string) => string): Blocks {
  let finished: readonly Block[] = [];
  let finishedText = '';
  return {
    update(raw, isComplete) {
      const text = raw.replace(/\r\n?/g, '\n');
      // A definition at the end changes links far above it.
      const hasLateLinks = isComplete && finishedText !== text && /^ {0,3}\[[^\]]+\]:\s/m.test(text);
      if (hasLateLinks || !text.startsWith(finishedText)) {
        finished = [];
        finishedText = '';
      }
      const tokens = markdown.lex(text.slice(finishedText.length));
      const { links } = tokens;
      const toBlock = (token: Token, isOpen: boolean, key: number): Block => ({
        key,
        html: clean(markdown.render([token], links, isOpen)),
      });
      const visible = tokens.filter((token) => token.type !== 'space' && token.type !== 'def');
      const last = visible.at(-1);
      const added: Block[] = [];
      for (const token of visible) {
        if (token === last && !isComplete) break;
        added.push(toBlock(token, false, finished.length + added.length));
      }
      finished = [...finished, ...added];
      if (isComplete || !last) {
        finishedText = isComplete ? text : finishedText;
        return finished;
      }
      const before = tokens.slice(0, tokens.indexOf(last)).reduce((length, token) => length + token.raw.length, 0);
      finishedText = text.slice(0, finishedText.length + before);
      return [...finished, toBlock(last, true, finished.length)];
    },
  };
}
