import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { createBroker, createRedactor, type RegisteredHooks } from '../../agent/index.ts';
import { createDefinitions } from '../agents/definitions.ts';
import { createPermissions, type PermissionParts } from '../asking/permissions.ts';
import { createQuestions } from '../asking/questions.ts';
import { createConversation } from '../conversation/conversation.ts';
import { createEditorHost } from '../host/host.ts';
import type { Log } from '../log/log.ts';
import { createReviews } from '../review/review.ts';
import { createProviders } from '../settings/providers.ts';
import { createSecrets } from '../settings/secrets.ts';
import { createSettings, type EditorSettings } from '../settings/settings.ts';

export type CoreParts = Pick<PermissionParts, 'explain' | 'showAll'> & {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly registeredHooks: RegisteredHooks;
};

export type Core = ReturnType<typeof createCore>;

/** The conversation and what it works with: the host on the editor, settings, keys, and whoever asks the user. */
export function createCore(parts: CoreParts) {
  const { context, log, registeredHooks } = parts;
  const report = (text: string, cause?: unknown) => log.error(text, cause);
  const settings = createSettings((problem) => {
    log.warn(problem);
    void vscode.window.showWarningMessage(problem);
  });
  const asking = createAsking(settings, { ...parts, report });
  const definitions = createDefinitions({ home: homedir(), report });
  context.subscriptions.push(asking.reviews, definitions);
  const host = createEditorHost(asking);
  const broker = createBroker(host.prompts);
  const stateDirectory = context.globalStorageUri.fsPath;
  const sources = createSources(context, settings);
  const conversation = createConversation({
    ...{ host, broker, settings, definitions, stateDirectory, registeredHooks, log, ...sources },
    memory: context.workspaceState,
  });
  const { subscriptions, extensionUri: extension } = context;
  const { secrets } = sources;
  return {
    ...{ ...asking, host, broker, settings, secrets, definitions, conversation },
    ...{ stateDirectory, extension, subscriptions, log, report },
  };
}

function createAsking(
  settings: EditorSettings,
  { explain, showAll, report }: Pick<PermissionParts, 'explain' | 'showAll' | 'report'>,
) {
  const preference = () => settings.read()['permissions.prompt'];
  return {
    permissions: createPermissions({ preference, report, explain, showAll }),
    questions: createQuestions(preference),
    reviews: createReviews(report),
  };
}

/** Of answers; what is asked with never shows. */
function createSources({ secrets: store }: vscode.ExtensionContext, settings: EditorSettings) {
  const secrets = createSecrets(store, process.env);
  const redactor = createRedactor();
  const providers = createProviders(settings, async () => {
    const key = await secrets.apiKey();
    redactor.learn(key);
    return key;
  });
  return { secrets, redactor, providers };
}
