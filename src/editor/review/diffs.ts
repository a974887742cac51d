import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type EditDecision, type EditProposal, reveal } from '../../agent/index.ts';
import type { Pending } from '../asking/pending.ts';
import type { ProposalFiles } from './proposalFiles.ts';
import { closeTabs, sameUri, tabsOf } from './tabs.ts';

export type OpenProposal = {
  readonly proposal: EditProposal;
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
  readonly pending: Pending<EditDecision>;
  /** The diff that is coming up or has come up. */
  shown: Promise<unknown> | undefined;
};

/** The diffs of open proposals, as tabs of the editor. */
export type Diffs = {
  /** With the focus; again if need be. */
  show(one: OpenProposal): Promise<void>;
  /** One diff comes up by itself; the next follows when that one is decided, so that nothing jumps under the user's hands. */
  showNext(): void;
  /** Of a proposal that is not open any more. Never rejects. */
  close(one: OpenProposal): Promise<void>;
};

/** @param open by their ids, in their order */
export function createDiffs(
  open: ReadonlyMap<string, OpenProposal>,
  files: Pick<ProposalFiles, 'remove'>,
  report: (text: string, cause: unknown) => void,
): Diffs {
  let isOpening = false;

  async function showDiff(one: OpenProposal, preserveFocus: boolean): Promise<void> {
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus };
    const title = diffTitle(one.proposal);
    one.shown = Promise.resolve(vscode.commands.executeCommand('vscode.diff', one.before, one.after, title, options));
    await one.shown;
  }

  function showNext(): void {
    if (isOpening || [...open.values()].some((one) => tabsOf((uri) => sameUri(uri, one.after)).length > 0)) return;
    const next = [...open.values()].find((one) => one.shown === undefined);
    if (!next) return;
    isOpening = true;
    void showDiff(next, true)
      .catch((error) => report('The diff could not be opened', error))
      .finally(() => {
        isOpening = false;
        if (!open.has(next.proposal.id)) showNext();
      });
  }

  return {
    show: (one) => showDiff(one, false),
    showNext,
    async close(one) {
      // The editor does not take it well when a diff is closed while it comes up.
      await one.shown?.catch(() => undefined);
      await closeTabs((uri) => sameUri(uri, one.after)).catch((error) => report('The diff could not be closed', error));
      files.remove(one.after);
      showNext();
    },
  };
}

function diffTitle(proposal: EditProposal): string {
  const name = reveal(basename(proposal.path));
  const agent = reveal(proposal.agentName);
  if (proposal.isProtected) return vscode.l10n.t('{0} (protected file, proposed by {1})', name, agent);
  if (proposal.before === undefined) return vscode.l10n.t('{0} (new file, proposed by {1})', name, agent);
  return vscode.l10n.t('{0} (proposed by {1})', name, agent);
}
