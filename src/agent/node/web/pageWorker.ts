import { parentPort, workerData } from 'node:worker_threads';
import { type RawPage, toMarkdown } from './markdown.ts';

/** The thread's only input comes from `page.ts`. */
const page: RawPage = workerData;

try {
  parentPort?.postMessage(toMarkdown(page));
} catch (error) {
  parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) });
}
