import type { AgentEvent } from '../../loop/events.ts';

/** `synced`: the record and all before it are on the medium when it counts as arrived. `lazy`: they are with the system. */
export type Durability = 'lazy' | 'synced';

/** When an event must be on the medium: at the user's message and around everything that may change the world. */
export function syncPoint(event: AgentEvent): Durability {
  switch (event.type) {
    case 'turn-start':
    case 'prompt-queue':
    case 'turn-end':
    case 'tool-start':
    case 'tool-end':
      return 'synced';
    default:
      return 'lazy';
  }
}
