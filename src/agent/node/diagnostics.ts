import type { Diagnostics } from '../host.ts';

/** Without an editor there are no language services to ask. */
export const noDiagnostics: Diagnostics = { list: async () => [] };
