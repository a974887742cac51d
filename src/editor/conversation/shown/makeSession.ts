import * as vscode from 'vscode';
import { createSession, type Provider, type Session, systemClock } from '../../../agent/index.ts';
import { readWorkspace } from '../../host/workspaceFolders.ts';
import type { ConversationParts } from '../contract.ts';
import { readCancellably } from './readCancellably.ts';

export type MadeSession = { readonly session: Session; readonly provider: Provider };

/**
 * A session on the folders of this window, a new one or one that is there; undefined when no folder is open, `cancelled` when
 * the user, or the signal, gave up the reading of it.
 */
export async function makeSession(
  parts: ConversationParts,
  resume: string | undefined,
  onGivenUp: () => void,
  signal?: AbortSignal,
): Promise<MadeSession | 'cancelled' | undefined> {
  const { settings, providers, definitions, log } = parts;
  const workspace = await readWorkspace();
  if (!workspace) return undefined;
  const provider = providers.current();
  const make = (given?: AbortSignal) =>
    createSession(
      {
        host: parts.host,
        broker: parts.broker,
        provider,
        catalog: providers.catalogOf(provider),
        workspace,
        settings: settings.read,
        definitions: () => definitions.current().definitions,
        definitionProblems: () => definitions.current().problems,
        skills: () => definitions.current().skills,
        stateDirectory: parts.stateDirectory,
        registeredHooks: parts.registeredHooks,
        redactor: parts.redactor,
        clock: systemClock,
        onGivenUp,
        isNamedByModel: true,
        log: log.info,
      },
      resume,
      given,
    );
  if (resume === undefined) return { session: await make(), provider };
  // One with a long journal takes a few seconds.
  const location = { viewId: 'offshoot.sidebar' };
  const read = () => readCancellably(vscode.l10n.t('Opening a long conversation'), make, signal);
  const session = await vscode.window.withProgress({ location }, read);
  return session === 'cancelled' ? session : { session, provider };
}
