/** Does one thing with a session and prints the peak of its memory in MB and the seconds that it took. */

import { readFile } from 'node:fs/promises';
import { openIndex } from '../../../src/agent/store/index/open.ts';
import { readJournal } from '../../../src/agent/store/journal/readJournal.ts';
import { journalPath, listSessions } from '../../../src/agent/store/sessions.ts';
import { openSession } from './openSession.ts';

const [what = '', state = '', session = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const start = performance.now();
switch (what) {
  case 'list':
    await listSessions(state);
    break;
  case 'read':
    for await (const _ of readJournal(journalPath(state, session), { onProblem: () => undefined }));
    break;
  case 'open':
    await openSession(state, session);
    break;
  case 'index':
  case 'search': {
    const index = openIndex({ stateDirectory: state, onNotice: (text) => console.error(text) });
    if (what === 'index') await index.update(never);
    else await index.search('needle', { limit: 50 }, never);
    await index.close();
    break;
  }
}
const seconds = (performance.now() - start) / 1000;
// What \`resourceUsage\` says holds the peak of the process that started this one.
const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
const peak = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
console.log(`${peak / 1000} ${seconds}`);
