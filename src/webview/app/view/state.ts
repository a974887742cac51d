import type { AgentActivity, EndStatus } from '../../protocol.ts';
import type { AgentNode, Conversation } from '../model/types.ts';
import type { Translate } from '../strings.ts';

/** `running` and `done` are the expected ones; all others say their word where the row has room. */
export type AgentState = AgentActivity | EndStatus;
export type Tone = 'muted' | 'accent' | 'ok' | 'warn' | 'error';

/** @param isLive the host says that a turn runs; after a crash agents may have no end */
export function stateOf(agent: AgentNode, isLive: boolean): AgentState {
  const { end, activity } = agent.info.value;
  if (end) return end.status;
  if (!isLive) return 'stopped';
  return agent.pending.value.length > 0 ? 'waiting_user' : activity;
}

/** The lead has answered while agents work on in the background. */
export function isResting({ turn, background }: Conversation): boolean {
  return turn.value?.isRunning === false && background.value.length > 0;
}

export function isActive(state: AgentState): boolean {
  switch (state) {
    case 'completed':
    case 'cached':
    case 'failed':
    case 'stopped':
    case 'limit_reached':
      return false;
    default:
      return true;
  }
}

export function wordOf(t: Translate, state: AgentState): string {
  switch (state) {
    case 'queued':
      return t('queued');
    case 'running':
      return t('running');
    case 'waiting_user':
      return t('waiting for you');
    case 'waiting_agents':
      return t('waiting for agents');
    case 'retrying':
      return t('retrying');
    case 'stalled':
      return t('stalled');
    case 'pausing':
      return t('pausing');
    case 'paused':
      return t('paused');
    case 'completed':
      return t('done');
    case 'cached':
      return t('done, earlier report');
    case 'failed':
      return t('failed');
    case 'stopped':
      return t('stopped');
    case 'limit_reached':
      return t('limit reached');
  }
}

const looks: Readonly<Record<AgentState, { readonly icon: string; readonly tone: Tone }>> = {
  queued: { icon: 'circle-large-outline', tone: 'muted' },
  running: { icon: 'loading', tone: 'accent' },
  waiting_user: { icon: 'bell-dot', tone: 'warn' },
  waiting_agents: { icon: 'watch', tone: 'accent' },
  retrying: { icon: 'sync', tone: 'accent' },
  stalled: { icon: 'debug-disconnect', tone: 'muted' },
  pausing: { icon: 'debug-pause', tone: 'accent' },
  paused: { icon: 'debug-pause', tone: 'muted' },
  completed: { icon: 'pass', tone: 'ok' },
  cached: { icon: 'history', tone: 'ok' },
  failed: { icon: 'error', tone: 'error' },
  stopped: { icon: 'circle-slash', tone: 'muted' },
  limit_reached: { icon: 'warning', tone: 'warn' },
};

export function lookOf(state: AgentState): { readonly icon: string; readonly tone: Tone } {
  return looks[state];
}
