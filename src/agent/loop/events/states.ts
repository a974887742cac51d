import type { PermissionAnswer } from '../../host.ts';

/** How an agent ended, or how a turn did. `cached` is for reports that were taken from an earlier delegation. */
export type EndStatus = 'completed' | 'limit_reached' | 'stopped' | 'failed' | 'cached';

/**
 * What an agent does now. `waiting_user`: a question is open. `waiting_agents`: its children work. `pausing`: it was asked to
 * pause, and does once its step has ended.
 */
export type AgentActivity =
  | 'queued'
  | 'running'
  | 'waiting_user'
  | 'waiting_agents'
  | 'retrying'
  | 'stalled'
  | 'pausing'
  | 'paused';

export type ToolStatus = 'ok' | 'error' | 'denied' | 'cancelled';

/**
 * What decided about a call. `tool`: it only reads; `readOnly`: so does every part of its command; `trust`: the workspace is
 * not trusted; `outside`: a path lies outside the workspace; `session`: the same call was allowed before; `hook`: a hook said so.
 */
export type DecidedBy =
  | 'rule'
  | 'mode'
  | 'tool'
  | 'readOnly'
  | 'trust'
  | 'outside'
  | 'session'
  | 'hook'
  | PermissionAnswer['by'];
