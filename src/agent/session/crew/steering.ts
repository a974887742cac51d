import type { Agent } from '../../loop/agent.ts';

/** It waits before its next step. */
export function pause(agent: Agent): void {
  if (agent.controls.isPaused) return;
  agent.controls.pause();
  agent.emit({ type: 'agent-status', activity: 'pausing' });
}

/** @param instruction takes the place of its last instruction; empty: it stays */
export function resume(agent: Agent, instruction: string): void {
  const { controls } = agent;
  if (instruction.trim() !== '') controls.tell(`The user changed your instruction. It now reads:\n${instruction}`);
  const { isPausing } = controls;
  controls.resume();
  if (isPausing) agent.emit({ type: 'agent-status', activity: 'running' });
}

export function tell(agent: Agent, message: string): void {
  agent.controls.tell(`Message from the user:\n${message}`);
}
