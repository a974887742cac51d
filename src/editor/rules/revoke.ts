import * as vscode from 'vscode';
import { type RuleBook, reveal, type SessionAnswer } from '../../agent/index.ts';
import type { RuleNode } from './ruleNodes.ts';

export type RevokeParts = {
  readonly answers: {
    add(session: string, answer: SessionAnswer): void;
    remove(session: string, answer: SessionAnswer): void;
  };
  readonly book: () => Promise<RuleBook>;
  /** What is kept has changed. */
  readonly refresh: () => void;
  readonly report: (text: string, cause?: unknown) => void;
};

/** Takes back what a node stands for, and offers to undo that; nothing for a node that no answer has made. */
export async function revoke(node: RuleNode, parts: RevokeParts): Promise<void> {
  switch (node.kind) {
    case 'session': {
      const { answers } = parts;
      answers.remove(node.session, node.answer);
      return offerUndo(reveal(node.answer.detail), async () => answers.add(node.session, node.answer));
    }
    case 'hooks': {
      const { approved } = node;
      const { hooks } = await parts.book();
      const forget = () => hooks.remove(approved.hash);
      return takeBack({ what: reveal(approved.text), forget, keep: () => hooks.add(approved) }, parts);
    }
    case 'rule': {
      const { text, source } = node.rule;
      if (source !== 'always' && source !== 'workspace') return;
      const rule = { text, scope: source };
      const book = await parts.book();
      return takeBack({ what: reveal(text), forget: () => book.forget(rule), keep: () => book.remember(rule) }, parts);
    }
    case 'group':
    case 'protection':
      return;
  }
}

type Kept = { readonly what: string; readonly forget: () => Promise<void>; readonly keep: () => Promise<void> };

/** Nobody waits for whether it is undone. */
async function takeBack(
  { what, forget, keep }: Kept,
  { refresh, report }: Pick<RevokeParts, 'refresh' | 'report'>,
): Promise<void> {
  await forget();
  refresh();
  const undo = async () => {
    await keep();
    refresh();
  };
  void offerUndo(what, undo).catch((error) => report('What was taken back could not be kept again', error));
}

async function offerUndo(what: string, undo: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Undo');
  const text = vscode.l10n.t(
    '{0} is asked about again, from the next call on.',
    what.length > 100 ? `${what.slice(0, 99)}…` : what,
  );
  if ((await vscode.window.showInformationMessage(text, button)) === button) await undo();
}
