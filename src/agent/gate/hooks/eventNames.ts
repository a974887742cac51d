/** What hooks are run for. */
export const firedEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'Notification',
] as const;

/** Names for what does not happen yet. A hook of one can be written; whoever wrote it is told that it never runs. */
export const reservedEvents = [
  'WorktreeCreate',
  'WorktreeRemove',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
] as const;

export type HookEventName = (typeof firedEvents)[number] | (typeof reservedEvents)[number];

/** Where a hook is from. */
export type HookOrigin = 'settings' | 'repository' | 'agent' | 'extension';
