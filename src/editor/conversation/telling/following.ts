import type { AgentEvent, Session } from '../../../agent/index.ts';
import { type Attention, createAttentionCounter } from '../../asking/attention.ts';
import { type AgentSummary, createAgentList } from './agentList.ts';
import type { Audience } from './audience.ts';
import { createEndWatch } from './endWatch.ts';

/** What is known from the events of the session that shows, which are told on. */
export type Following = {
  /** @returns ends it */
  follow(session: Session): () => void;
  /** None shows. */
  forget(): void;
  agents(): readonly AgentSummary[];
  attention(): Attention;
};

export function createFollowing({ tell }: Pick<Audience, 'tell'>, pushState: () => void): Following {
  let counter = createAttentionCounter();
  let agents = createAgentList();

  function startAnew(): void {
    counter = createAttentionCounter();
    agents = createAgentList();
  }

  return {
    follow(session) {
      startAnew();
      for (const event of session.events()) agents.add(event);
      const watchEnd = createEndWatch(session, pushState);
      return session.subscribe((event) => {
        agents.add(event);
        if (counter.add(event)) tell((listener) => listener.attention());
        tell((listener) => listener.event(session.id, event));
        if (beginsWork(event)) watchEnd();
        if (beginsWork(event) || event.type === 'turn-end') pushState();
      });
    },
    forget() {
      startAnew();
      tell((listener) => listener.attention());
    },
    agents: () => agents.read(),
    attention: () => counter.read(),
  };
}

function beginsWork({ type }: AgentEvent): boolean {
  return type === 'turn-start' || type === 'agent-detach';
}
