/** Progress for people: one line when a step starts, one every few seconds while it lasts, one when it ends. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const everyMilliseconds = 10_000;

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {number} since */
const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;

/**
 * Runs one step and shows that it is alive.
 *
 * @template Result
 * @param {string} title
 * @param {(report: (detail: string) => void) => Promise<Result>} work `report` gives the detail that the next line shows.
 * @returns {Promise<Result>}
 */
export async function step(title, work) {
  const start = Date.now();
  let detail = '';
  say(`[offshoot] ${title} …`);
  const ticker = setInterval(() => {
    say(`[offshoot]   still at it after ${seconds(start)}${detail === '' ? '' : `: ${detail}`}`);
  }, everyMilliseconds);
  try {
    const result = await work((next) => {
      detail = next.trim().slice(0, 100);
    });
    say(`[offshoot]   done in ${seconds(start)}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

/** A failure that a person can act on: the message says what to do, and no stack is shown. */
export class PlainError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'PlainError';
  }
}

/**
 * Runs a script's main function if the script is what was started; a failure is printed and sets the exit code.
 *
 * @param {string} url The script's `import.meta.url`.
 * @param {() => Promise<void>} main
 */
export async function runMain(url, main) {
  const started = process.argv[1];
  if (started === undefined || realpathSync(started) !== fileURLToPath(url)) return;
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof PlainError) console.error(`\n[offshoot] ${error.message}`);
    else console.error(error);
  }
}
