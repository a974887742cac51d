/** The kind of editor that shows one agent. */
export const transcriptViewType = 'offshoot.transcript';
