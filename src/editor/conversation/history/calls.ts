import type { HostFunctions } from '../../../webview/protocol.ts';
import { branchFrom } from '../branch.ts';
import type { Conversation } from '../contract.ts';
import type { History } from './history.ts';

type HistoryCalls = Pick<
  HostFunctions,
  | 'goOn'
  | 'editPrompt'
  | 'branch'
  | 'takeOver'
  | 'closeHistory'
  | 'openSession'
  | 'renameSession'
  | 'pinSession'
  | 'deleteSession'
  | 'undoDelete'
  | 'exportSession'
  | 'searchHistory'
>;

export type HistoryCallParts = {
  readonly conversation: Conversation;
  readonly history: History;
  readonly stateDirectory: string;
  readonly send: (prompt: string) => Promise<void>;
  /** Says what fails. */
  readonly run: (name: string, action: Promise<unknown>) => void;
};

/** What the page may have done with conversations, this one and earlier ones. */
export function createHistoryCalls(parts: HistoryCallParts): HistoryCalls {
  const { conversation, history, stateDirectory, send, run } = parts;
  const branch = (turn: number, side: 'before' | 'after', then: () => Promise<void>) =>
    branchFrom(conversation, stateDirectory, { turn, side }, then);
  return {
    goOn: (agent) => run('Going on', conversation.goOn(agent)),
    editPrompt: (turn, prompt) =>
      run(
        'Branching',
        branch(turn, 'before', () => send(prompt)),
      ),
    branch: (turn) =>
      run(
        'Branching',
        branch(turn, 'after', async () => undefined),
      ),
    takeOver: () => run('Taking over', conversation.takeOver()),
    closeHistory: () => history.close(),
    openSession: (session, isReadOnly) => run('Opening a conversation', history.open(session, isReadOnly)),
    renameSession: (session, title) => run('Renaming', history.rename(session, title)),
    pinSession: (session, isPinned) => run('Pinning', history.pin(session, isPinned)),
    deleteSession: (session) => run('Deleting', history.remove(session)),
    undoDelete: () => run('Bringing a conversation back', history.undoDelete()),
    exportSession: (session, format) => run('Exporting', history.exportTo(session, format)),
    searchHistory: (text) => history.search(text),
  };
}
