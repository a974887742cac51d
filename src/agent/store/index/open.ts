import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { HistoryIndex, IndexedSession, IndexState, OpenIndexOptions, Report, SearchAnswer } from './contract.ts';
import type { Answer, FromThread, Question, ToThread } from './threadProtocol.ts';
import type { WorkerData } from './worker.ts';

type Waiting = {
  readonly thread: Worker;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

const closingMs = 10_000;
/** Without a question for so long the thread and its memory are given back. */
const idleMs = 600_000;

/** Starts nothing before the first question. A thread that dies is started anew with the next one. */
export function openIndex(options: OpenIndexOptions): HistoryIndex {
  return new ThreadedIndex(options);
}

class ThreadedIndex implements HistoryIndex {
  readonly #options: OpenIndexOptions;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: OpenIndexOptions) {
    this.#options = options;
  }

  async update(signal: AbortSignal): Promise<IndexState> {
    const answer = await this.#ask({ ask: 'update' }, signal);
    return answer.to === 'update' ? answer.value : wrongAnswer();
  }

  async sessions(
    filter: Parameters<HistoryIndex['sessions']>[0],
    signal: AbortSignal,
  ): Promise<readonly IndexedSession[]> {
    const answer = await this.#ask({ ask: 'sessions', filter }, signal);
    return answer.to === 'sessions' ? answer.value : wrongAnswer();
  }

  async search(
    text: string,
    options: Parameters<HistoryIndex['search']>[1],
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    const answer = await this.#ask({ ask: 'search', text, options }, signal);
    return answer.to === 'search' ? answer.value : wrongAnswer();
  }

  async report(query: Parameters<HistoryIndex['report']>[0], signal: AbortSignal): Promise<Report> {
    const answer = await this.#ask({ ask: 'report', query }, signal);
    return answer.to === 'report' ? answer.value : wrongAnswer();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    // Whoever asks meanwhile gets another one.
    this.#thread = undefined;
    if (!thread) return;
    // What is not saved in time is read from the journals again.
    await this.#askThread(thread, { ask: 'close' }, AbortSignal.timeout(closingMs)).catch(() => undefined);
    await thread.terminate();
  }

  async #ask(question: Question, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    try {
      return await this.#askThread(this.#running(), question, signal);
    } finally {
      clearTimeout(this.#idle);
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  #askThread(thread: Worker, question: Question, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const id = this.#lastId;
      const send = (message: ToThread) => thread.postMessage(message);
      const settle = (finish: () => void) => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', cancel);
        if (!this.#isWaitingFor(thread)) thread.unref();
        finish();
      };
      const cancel = () => {
        send({ cancel: id });
        settle(() => reject(signal.reason));
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(id, {
        thread,
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (error) => settle(() => reject(error)),
      });
      thread.ref();
      send({ ...question, id });
    });
  }

  #isWaitingFor(thread: Worker): boolean {
    return [...this.#waiting.values()].some((waiting) => waiting.thread === thread);
  }

  #running(): Worker {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  #start(): Worker {
    const data: WorkerData = { stateDirectory: this.#options.stateDirectory };
    const thread = new Worker(findWorker(), { workerData: data });
    thread.on('message', (message: FromThread) => {
      if ('notice' in message) this.#options.onNotice(message.notice);
      else if ('error' in message) this.#waiting.get(message.id)?.reject(new Error(message.error));
      else this.#waiting.get(message.id)?.resolve(message.answer);
    });
    let cause: unknown;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
      const text = 'The index of conversations stopped working. Try again; nothing is lost.';
      for (const waiting of [...this.#waiting.values()]) {
        if (waiting.thread === thread) waiting.reject(new Error(text, { cause }));
      }
    });
    return thread;
  }
}

function wrongAnswer(): never {
  throw new Error('The index of conversations answered another question. Reload the window.');
}

function findWorker(): URL {
  const names = ['./worker.ts', './indexWorker.js', '../indexWorker.js'];
  const found = names.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
  if (!found) throw new Error('A part of Offshoot is missing (indexWorker.js). Install the extension again.');
  return found;
}
