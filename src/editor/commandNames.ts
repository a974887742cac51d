/** Every command, without its prefix. */
export const commandNames = [
  'explore',
  'newChat',
  'history',
  'stop',
  'focus',
  'setApiKey',
  'acceptEdit',
  'rejectEdit',
  'showLogs',
  'compact',
  'previewSpawn',
  'pauseAgent',
  'continueAgent',
  'detachAgent',
  'messageAgent',
  'retryAgent',
  'openTranscript',
] as const;
export type CommandName = (typeof commandNames)[number];
