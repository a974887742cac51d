import * as vscode from 'vscode';
import { createSession, type Provider, type Session, systemClock } from '../../agent/index.ts';
import { readWorkspace } from '../host/workspaceFolders.ts';
import type { ConversationParts } from './contract.ts';

/** A session on the folders of this window, a new one or one that is there; undefined when no folder is open. */
export async function makeSession(
  parts: ConversationParts,
  resume: string | undefined,
  onGivenUp: () => void,
): Promise<{ readonly session: Session; readonly provider: Provider } | undefined> {
  const { settings, providers, definitions, log } = parts;
  const workspace = await readWorkspace();
  if (!workspace) return undefined;
  const provider = providers.current();
  const make = () =>
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
    );
  // One with a long journal takes a few seconds.
  const location = { viewId: 'offshoot.sidebar' };
  const session = await (resume === undefined ? make() : vscode.window.withProgress({ location }, make));
  return { session, provider };
}
