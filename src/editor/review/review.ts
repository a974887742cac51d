import * as vscode from 'vscode';
import type { EditDecision, EditProposal } from '../../agent/index.ts';
import { createPending } from '../asking/pending.ts';
import { beforeScheme, proposalScheme } from '../documents/schemes.ts';
import { amendedText } from './amendedText.ts';
import { createDiffs, type OpenProposal } from './diffs.ts';
import { createProposalFiles, type ProposalFiles } from './proposalFiles.ts';
import { closeTabs, sameUri, shownIn } from './tabs.ts';

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

/** @param schemes of the two sides; others than the usual ones let two of these live in one window */
export function createReviews(
  report: (text: string, cause: unknown) => void,
  schemes: { readonly before: string; readonly proposal: string } = { before: beforeScheme, proposal: proposalScheme },
): Reviews {
  const open = new Map<string, OpenProposal>();
  const files = createProposalFiles();
  const diffs = createDiffs(open, files, report);
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
      diffs.showNext();
      const decision = await one.pending.promise;
      open.delete(proposal.id);
      void diffs.close(one);
      return decision;
    },
    async show(id) {
      const one = open.get(id);
      if (one) await diffs.show(one);
      return one !== undefined;
    },
    decide(id, decision, reason) {
      const one = open.get(id);
      if (!one) return false;
      if (decision === 'accept') return one.pending.settle({ decision, text: textOf(one, files) });
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

/** What the user has left of it. */
function textOf(one: OpenProposal, files: ProposalFiles): string {
  const shown = documentAt(one.after)?.getText() ?? files.text(one.after);
  return shown === undefined ? one.proposal.after : amendedText(one.proposal.after, shown);
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && sameUri(document.uri, uri));
}
