import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../node/clock.ts';
import { loadSqlite } from './database.ts';
import { IndexEngine } from './engine.ts';
import type { Answer, FromThread, Question, ToThread } from './threadProtocol.ts';

export type WorkerData = { readonly stateDirectory: string };

/** The thread's only input comes from `open.ts`. */
const { stateDirectory }: WorkerData = workerData;
const port = parentPort;
const running = new Map<number, AbortController>();
const send = (message: FromThread) => port?.postMessage(message);

const engine = loadSqlite().then(
  (openDatabase) =>
    new IndexEngine({ stateDirectory, openDatabase, clock: systemClock, onNotice: (notice) => send({ notice }) }),
);

async function answer(question: Question, signal: AbortSignal): Promise<Answer> {
  const index = await engine;
  switch (question.ask) {
    case 'update':
      return { to: 'update', value: await index.update(signal) };
    case 'sessions':
      return { to: 'sessions', value: await index.sessions(question.filter) };
    case 'search':
      return { to: 'search', value: await index.search(question.text, question.options, signal) };
    case 'report':
      return { to: 'report', value: await index.report(question.query) };
    case 'close':
      await index.close();
      return { to: 'close', value: undefined };
  }
}

port?.on('message', (message: ToThread) => {
  if ('cancel' in message) {
    running.get(message.cancel)?.abort();
    return;
  }
  const { id } = message;
  const controller = new AbortController();
  running.set(id, controller);
  answer(message, controller.signal)
    .then((value) => send({ id, answer: value }))
    .catch((error: unknown) => send({ id, error: error instanceof Error ? error.message : String(error) }))
    .finally(() => running.delete(id));
});
