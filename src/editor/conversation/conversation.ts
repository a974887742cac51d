import type { Session } from '../../agent/index.ts';
import { createChoices } from './choices.ts';
import type { Conversation, ConversationParts } from './contract.ts';
import { createSessionAccess } from './shown/access.ts';
import { createOpener, type OpenSession } from './shown/opener.ts';
import { createReadings } from './shown/readings.ts';
import { createSlot } from './shown/slot.ts';
import { createSwitching } from './shown/switching.ts';
import { createAudience } from './telling/audience.ts';
import { createEarlier } from './telling/earlier.ts';
import { createFollowing } from './telling/following.ts';
import { createPanel } from './telling/panel.ts';
import { createSnapshots } from './telling/snapshots.ts';
import { createWork } from './work.ts';

export function createConversation(parts: ConversationParts): Conversation {
  const { providers, stateDirectory, log } = parts;
  const open = (): OpenSession | undefined => slot.open;
  const session = () => open()?.session;
  const audience = createAudience();
  const choices = createChoices(session);
  const access = createSessionAccess(stateDirectory, (freed) => {
    const failed = 'The conversation could not be read again';
    switching.catchUp(freed).catch((error) => log.error(failed, error));
  });
  const panel = createPanel({ ...parts, audience, access, choices, open });
  const following = createFollowing(audience, panel.push);
  const readings = createReadings();
  const onGivenUp = (lost: Session) => switching.lose(lost);
  const opener = createOpener({ ...parts, readings, access, choices, following, onGivenUp });
  const slot = createSlot<OpenSession>({
    start: opener.startNew,
    startLast: opener.startLast,
    onEmpty: following.forget,
    onLeave: ({ unsubscribe }) => unsubscribe(),
  });
  const earlier = createEarlier(stateDirectory, session);
  const snapshots = createSnapshots({ slot, earlier, panel, audience });
  const { reset } = snapshots;
  const switching = createSwitching({ slot, access, opener, readings, pushState: panel.push, reset });
  const { newChat, openPast, takeOver } = switching;
  return {
    ...createWork({ ...parts, slot, access, switching, panel, reset }),
    ...{ newChat, openPast, takeOver },
    snapshot: snapshots.read,
    readEarlier: earlier.read,
    stop: (agent) => session()?.stop(agent),
    agents: following.agents,
    attention: following.attention,
    controls: session,
    isRunning: () => session()?.isRunning ?? false,
    current: () => session()?.id,
    async setMode(mode) {
      choices.setMode(mode);
      panel.push();
    },
    async setModel(model) {
      choices.setModel(model);
      panel.push();
    },
    refresh: async () => panel.push(),
    stage: panel.stage,
    isCurrent: () => open() === undefined || open()?.provider === providers.current(),
    subscribe: audience.subscribe,
    close: slot.empty,
  };
}
