import * as vscode from 'vscode';
import * as z from 'zod';
import { messageOf } from '../../language/inUserLanguage.ts';
import type { Conversation } from '../contract.ts';
import type { History } from './history.ts';

/** What a menu of the page tells of the row that it was opened on. */
const rowSchema = z.object({ session: z.string().min(1).max(200), isPinned: z.boolean().optional() });

export type HistoryCommandParts = {
  readonly conversation: Pick<Conversation, 'current'>;
  readonly history: History;
  readonly focus: () => Promise<void>;
};

type Name =
  | 'history'
  | 'openReadOnly'
  | 'renameSession'
  | 'pinSession'
  | 'deleteSession'
  | 'exportMarkdown'
  | 'exportJson';

/** Commands on one conversation: that of the row, else the one that shows. */
export function createHistoryCommands(parts: HistoryCommandParts): Record<Name, (argument: unknown) => Promise<void>> {
  const { conversation, history, focus } = parts;
  const on = (action: (session: string, row: z.output<typeof rowSchema> | undefined) => Promise<unknown>) => {
    return async (argument: unknown) => {
      const row = rowSchema.safeParse(argument).data;
      const session = row?.session ?? conversation.current();
      try {
        if (session !== undefined) await action(session, row);
        else await vscode.window.showInformationMessage(vscode.l10n.t('There is no conversation to do this with yet.'));
      } catch (error) {
        void vscode.window.showErrorMessage(messageOf(error));
      }
    };
  };
  const exported = (format: 'markdown' | 'json') =>
    on(async (session) => {
      const file = await history.exportTo(session, format);
      if (file) await vscode.window.showTextDocument(file);
    });
  return {
    async history() {
      await focus();
      await history.show();
    },
    openReadOnly: on((session) => history.open(session, true)),
    renameSession: on(async (session) => {
      const title = await vscode.window.showInputBox({
        title: vscode.l10n.t('Rename Conversation'),
        prompt: vscode.l10n.t('Empty: its own title again'),
      });
      if (title !== undefined) await history.rename(session, title);
    }),
    pinSession: on((session, row) => history.pin(session, row?.isPinned !== true)),
    deleteSession: on((session) => history.remove(session)),
    exportMarkdown: exported('markdown'),
    exportJson: exported('json'),
  };
}
