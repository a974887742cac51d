import { createModelCatalog } from '../model/catalog.ts';
import { createArtifacts } from '../store/artifacts.ts';
import { newSessionId } from '../store/sessions.ts';
import { Conversation } from './conversation.ts';
import { withinTrust } from './guards/withinTrust.ts';
import { leadSource } from './lead.ts';
import { noPast, readPast } from './past/readPast.ts';
import { EventLog } from './record/eventLog.ts';
import { createRedactor } from './secrets/redactor.ts';
import { artifactsWithoutSecrets, hostWithoutSecrets, providerWithoutSecrets } from './secrets/withoutSecrets.ts';
import type { Session, SessionDependencies } from './session.ts';

/**
 * A new session, or one that is there already. Nothing is written before the first prompt.
 * @param resume the id of a session in the state directory
 * @param signal ends the reading of it
 * @throws when there is no such session
 */
export async function createSession(
  dependencies: SessionDependencies,
  resume?: string,
  signal?: AbortSignal,
): Promise<Session> {
  const { clock, stateDirectory, provider, log } = dependencies;
  const id = resume ?? newSessionId(clock.now());
  const past = resume === undefined ? noPast() : await readPast(stateDirectory, resume, signal);
  const { redactor = createRedactor() } = dependencies;
  const events = new EventLog(id, past.recollection, () => clock.now(), log, redactor.value);
  for (const { agent, parent, ...body } of past.closings) events.emit({ agent, parent }, body);
  for (const problem of past.problems) {
    const text = `The record of this conversation is damaged: ${problem} The rest is there.`;
    events.emit(leadSource, { type: 'notice', level: 'warning', text });
  }
  return new Conversation({
    ...dependencies,
    host: hostWithoutSecrets(withinTrust(dependencies.host, dependencies.workspace), redactor),
    provider: providerWithoutSecrets(provider, redactor),
    id,
    past,
    events,
    artifacts: artifactsWithoutSecrets(createArtifacts(stateDirectory, id), redactor),
    catalog: dependencies.catalog ?? createModelCatalog(provider),
  });
}
