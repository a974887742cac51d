import { parentPort, workerData } from 'node:worker_threads';
import { type ScanRequest, scanFolder } from './scanFolder.ts';

const aliveEveryMs = 100;

/** The thread's only input comes from `scan.ts`. */
const request: ScanRequest = workerData;
let lastSign = 0;

function showLife(): void {
  if (Date.now() - lastSign < aliveEveryMs) return;
  lastSign = Date.now();
  parentPort?.postMessage({ type: 'alive' });
}

try {
  showLife();
  const result = scanFolder(request, showLife);
  parentPort?.postMessage({ type: 'done', ...result });
} catch (error) {
  parentPort?.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}
