import type { Agent } from '../../loop/agent.ts';
import type { Roster } from './roster.ts';

/** Tells an agent whose history was made shorter whom it has at work; empty when nobody is. */
export function rosterText(roster: Roster, agent: Agent): string {
  const own = roster.working.filter(({ parent }) => parent.identity.id === agent.identity.id);
  if (own.length === 0) return '';
  const lines = own.map(({ agent: { identity }, task, isBackground }) => {
    const place = isBackground ? 'in the background' : 'in the foreground';
    return `- ${identity.name} (id ${identity.id}, ${identity.type}, ${place}): ${task.description}`;
  });
  return `<agents-at-work>\nThe history was shortened. You have these agents at work; their reports will reach you:\n${lines.join('\n')}\n</agents-at-work>`;
}
