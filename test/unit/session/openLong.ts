/** Opens a session in a process of its own and prints what it costs. */
import { openSession } from '../../bench/store/openSession.ts';

const [, , state = '', id = ''] = process.argv;
const session = await openSession(state, id);
globalThis.gc?.();
const { heapUsed } = process.memoryUsage();
const snapshot = JSON.stringify(session.snapshot().events).length;
console.log(JSON.stringify({ heapUsed, snapshot, events: session.events().length }));
