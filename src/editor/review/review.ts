import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type EditDecision, type EditProposal, reveal } from '../../agent/index.ts';
import { createPending, type Pending } from '../asking/pending.ts';
import { beforeScheme, proposalScheme } from '../documents/schemes.ts';
import { amendedText } from './amendedText.ts';
import { createProposalFiles } from './proposalFiles.ts';
import { closeTabs, shownIn, tabsOf } from './tabs.ts';

/** Proposed edits as native diffs. What the user leaves on the right side is what an accepted edit writes. */
export type Reviews = {
  /** Waits for a decision; closing the diff is none. */
  review(proposal: EditProposal, signal: AbortSignal): Promise<EditDecision>;
  /** Opens the diff, again if need be. @returns false when the proposal is not open */
  show(id: string): Promise<boolean>;
  /** @returns false when the proposal is not open */
  decide(id: string, decision: EditDecision['decision'], reason: string): boolean;
  /** The open proposal that a diff's right side, or else the active tab, belongs to. */
  at(uri: vscode.Uri | undefined): string | undefined;
  dispose(): void;
};

type OpenProposal = {
  readonly proposal: EditProposal;
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
  readonly pending: Pending<EditDecision>;
  /** The diff that is coming up or has come up. */
  shown: Promise<unknown> | undefined;
};

/** @param schemes of the two sides; others than the usual ones let two of these live in one window */
export function createReviews(
  report: (text: string, cause: unknown) => void,
  schemes: { readonly before: string; readonly proposal: string } = { before: beforeScheme, proposal: proposalScheme },
): Reviews {
  const open = new Map<string, OpenProposal>();
  const files = createProposalFiles();
  let isOpening = false;
  const registrations = vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(schemes.proposal, files, { isCaseSensitive: true }),
    vscode.workspace.registerTextDocumentContentProvider(schemes.before, {
      provideTextDocumentContent: (uri) =>
        [...open.values()].find((one) => sameUri(one.before, uri))?.proposal.before ?? '',
    }),
  );
  // Diffs that the editor brought back after a reload have lost their agent.
  void closeTabs((uri) => uri.scheme === schemes.proposal).catch((error) =>
    report('An old diff could not be closed', error),
  );

  async function showDiff(one: OpenProposal, preserveFocus: boolean): Promise<void> {
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus };
    const title = diffTitle(one.proposal);
    one.shown = Promise.resolve(vscode.commands.executeCommand('vscode.diff', one.before, one.after, title, options));
    await one.shown;
  }

  /** One diff comes up by itself; the next follows when that one is decided, so that nothing jumps under the user's hands. */
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

  async function close(one: OpenProposal): Promise<void> {
    open.delete(one.proposal.id);
    // The editor does not take it well when a diff is closed while it comes up.
    await one.shown?.catch(() => undefined);
    await closeTabs((uri) => sameUri(uri, one.after)).catch((error) => report('The diff could not be closed', error));
    files.remove(one.after);
    showNext();
  }

  function textOf(one: OpenProposal): string {
    const shown = documentAt(one.after)?.getText() ?? files.text(one.after);
    return shown === undefined ? one.proposal.after : amendedText(one.proposal.after, shown);
  }

  return {
    async review(proposal, signal) {
      const path = `/${vscode.workspace.asRelativePath(proposal.path, false).replace(/^\/+/, '')}`;
      const at = (scheme: string) => vscode.Uri.from({ scheme, authority: proposal.id, path });
      const one: OpenProposal = {
        proposal,
        before: at(schemes.before),
        after: at(schemes.proposal),
        pending: createPending<EditDecision>(signal, () => ({ decision: 'reject' })),
        shown: undefined,
      };
      if (!one.pending.isOpen) return one.pending.promise;
      files.put(one.after, proposal.after);
      open.set(proposal.id, one);
      showNext();
      const decision = await one.pending.promise;
      void close(one);
      return decision;
    },
    async show(id) {
      const one = open.get(id);
      if (one) await showDiff(one, false);
      return one !== undefined;
    },
    decide(id, decision, reason) {
      const one = open.get(id);
      if (!one) return false;
      if (decision === 'accept') return one.pending.settle({ decision, text: textOf(one) });
      const words = reason.trim();
      return one.pending.settle({ decision, ...(words !== '' && { reason: words }) });
    },
    at(uri) {
      const place = uri?.scheme === schemes.proposal ? uri : shownIn(vscode.window.tabGroups.activeTabGroup.activeTab);
      return place && [...open.values()].find((one) => sameUri(one.after, place))?.proposal.id;
    },
    dispose: () => registrations.dispose(),
  };
}

function diffTitle(proposal: EditProposal): string {
  const name = reveal(basename(proposal.path));
  const agent = reveal(proposal.agentName);
  if (proposal.isProtected) return vscode.l10n.t('{0} (protected file, proposed by {1})', name, agent);
  if (proposal.before === undefined) return vscode.l10n.t('{0} (new file, proposed by {1})', name, agent);
  return vscode.l10n.t('{0} (proposed by {1})', name, agent);
}

function sameUri(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.toString() === b.toString();
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && sameUri(document.uri, uri));
}
