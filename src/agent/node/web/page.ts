import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { ToolError } from '../../tools/toolError.ts';
import type { PageText, RawPage } from './markdown.ts';

const pageTimeoutMs = 10_000;
/** A page that wants more ends its thread and nothing else. */
const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 8 };

const answerSchema = z.union([z.object({ title: z.string(), text: z.string() }), z.object({ failure: z.string() })]);

/** A page as markdown, made in a thread that can be ended at any time: pages are as large and as strange as others make them. */
export function readPage(page: RawPage, signal: AbortSignal, timeoutMs = pageTimeoutMs): Promise<PageText> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const thread = new Worker(findWorker(), { workerData: page, env: {}, resourceLimits });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      settle();
      void thread.terminate();
    };
    const timer = setTimeout(() => finish(() => reject(unreadable('it takes too long'))), timeoutMs);
    const cancel = () => finish(() => reject(signal.reason));
    signal.addEventListener('abort', cancel, { once: true });
    thread.once('message', (message: unknown) => {
      const answer = answerSchema.parse(message);
      finish(() => ('failure' in answer ? reject(unreadable(answer.failure)) : resolve(answer)));
    });
    thread.once('error', (error) => finish(() => reject(unreadable(error.message))));
  });
}

function unreadable(reason: string): ToolError {
  return new ToolError(`The page could not be turned into text: ${reason}. Look for another page.`);
}

function findWorker(): URL {
  const names = ['./pageWorker.ts', './pageWorker.js', '../pageWorker.js'];
  const found = names.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
  if (!found) throw new ToolError('A part of Offshoot is missing, so pages cannot be read. Install it again.');
  return found;
}
