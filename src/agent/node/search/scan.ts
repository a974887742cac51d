import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import type { SearchResult } from '../../host.ts';
import { ToolError } from '../../tools/toolError.ts';
import type { ScanRequest } from './scanFolder.ts';

/** A regular expression that is stuck in one file shows no life. Counts from the first sign: code must load before. */
const silenceMs = 1500;

const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('done'), lines: z.array(z.string()), isTruncated: z.boolean() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);

/** Searches without ripgrep, in a thread that can be ended at any time. */
export function runScan(request: ScanRequest, worker: URL | undefined, signal: AbortSignal): Promise<SearchResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const thread = new Worker(worker ?? findWorker(), { workerData: request });
    let watchdog: NodeJS.Timeout | undefined;
    const finish = (settle: () => void) => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', cancel);
      settle();
      void thread.terminate();
    };
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => finish(() => reject(stuck())), silenceMs);
    };
    const cancel = () => finish(() => reject(signal.reason));
    signal.addEventListener('abort', cancel, { once: true });
    thread.on('message', (message: unknown) => {
      const answer = answerSchema.parse(message);
      if (answer.type === 'alive') watch();
      else if (answer.type === 'failed') finish(() => reject(new ToolError(answer.message)));
      else finish(() => resolve({ lines: answer.lines, isTruncated: answer.isTruncated }));
    });
    thread.once('error', (error) => finish(() => reject(error)));
  });
}

function stuck(): ToolError {
  return new ToolError(
    'The pattern is too slow: it tries too many ways to match a line. Simplify nested repetitions such as (a+)+.',
  );
}

function findWorker(): URL {
  const names = ['./scanWorker.ts', './scanWorker.js', '../scanWorker.js'];
  const found = names.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
  if (!found)
    throw new ToolError('Searching needs ripgrep, which was not found. Install ripgrep so that `rg` is on PATH.');
  return found;
}
