import { filesContract } from '../contract/files.ts';
import { searchContract } from '../contract/search.ts';
import { shellContract } from '../contract/shell.ts';
import { createSidebarHost } from './sidebarHost.ts';

const { host, dispose } = createSidebarHost('contract');
after(dispose);
const parts = { makeHost: () => host, describe, it };

filesContract('editor', parts);
if (process.platform !== 'win32') shellContract('editor', parts);
searchContract('editor', parts);
