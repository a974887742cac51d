import { describe, it } from 'vitest';
import type { Prompts } from '../../src/agent/host.ts';
import { createNodeHost } from '../../src/agent/node/host.ts';
import { findRipgrep } from '../../src/agent/node/search/ripgrep.ts';
import { createSearch } from '../../src/agent/node/search.ts';
import { testRipgrep } from '../support/ripgrep.ts';
import { filesContract } from './files.ts';
import { searchContract } from './search.ts';
import { shellContract } from './shell.ts';

const nobody: Prompts = {
  permission: async () => ({ decision: 'deny', scope: 'once', by: 'dismissed' }),
  review: async () => ({ decision: 'reject' }),
  question: async () => undefined,
};
const ripgrep = await findRipgrep(testRipgrep());
const makeHost = () => createNodeHost({ prompts: nobody, ripgrep: ripgrep === undefined ? [] : [ripgrep] });
const makeScanningHost = () => ({ ...makeHost(), search: createSearch({ ripgrep: [], onlyScan: true }) });

filesContract('Node', { makeHost, describe, it });
if (process.platform !== 'win32') shellContract('Node', { makeHost, describe, it });
// Without an editor set up for tests there may be no ripgrep on this machine.
searchContract('Node with ripgrep', { makeHost, describe: ripgrep === undefined ? describe.skip : describe, it });
searchContract('Node without ripgrep', { makeHost: makeScanningHost, describe, it });
