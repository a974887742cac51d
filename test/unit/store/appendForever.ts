/** Appends to the journal named on the command line until it is killed, and prints the number of each record that is durable. */
import { openJournal } from '../../../src/agent/store/journal/journal.ts';

const journal = await openJournal(process.argv[2] ?? '', { onProblem: (message) => console.error(message) });
for (let seq = 1; ; seq++) {
  const stamp = { session: 's1', agent: 'lead', parent: null, seq, time: seq };
  await journal.append({ ...stamp, type: 'notice', level: 'info', text: 'x'.repeat(seq % 700) }, 'lazy');
  process.stdout.write(`${seq}\n`);
}
