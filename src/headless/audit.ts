import { once } from 'node:events';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AuditFormat, auditFormats, auditHead, auditLine, readAudit } from '../agent/index.ts';
import { UsageError } from './arguments.ts';

export const auditUsage = `node dist/headless.js audit [options]

  --state DIR           where sessions are kept (default: ~/.offshoot)
  --session S           one session; left out: all
  --format FORMAT       ${auditFormats.join(' or ')} (default: jsonl)

Prints every decision of the gate: who wanted to do what, what was decided, and by which rule or by whom.`;

type AuditArguments = {
  readonly stateDirectory: string;
  readonly session: string | undefined;
  readonly format: AuditFormat;
};

/** @throws UsageError */
function readAuditArguments(argv: readonly string[]): AuditArguments | 'help' {
  const options = {
    state: { type: 'string' },
    session: { type: 'string' },
    format: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parse(() => parseArgs({ args: [...argv], options }));
  if (values.help) return 'help';
  const format = auditFormats.find((name) => name === (values.format ?? 'jsonl'));
  if (!format) throw new UsageError(`--format is ${auditFormats.join(' or ')}, not ${JSON.stringify(values.format)}.`);
  return {
    stateDirectory: resolve(values.state ?? join(homedir(), '.offshoot')),
    session: values.session,
    format,
  };
}

function parse<Parsed>(read: () => Parsed): Parsed {
  try {
    return read();
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`${line} See node dist/headless.js audit --help.`);
  }
}

/** Prints the audit, no faster than it is read. @throws UsageError */
export async function printAudit(argv: readonly string[]): Promise<void> {
  const read = readAuditArguments(argv);
  if (read === 'help') return console.log(auditUsage);
  const { stateDirectory, session, format } = read;
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Who reads it has seen enough.
  process.stdout.once('error', stop);
  process.once('SIGINT', stop);
  const tell = (message: string) => console.error(message);
  const write = async (text: string) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal: controller.signal });
  };
  try {
    await write(auditHead(format));
    for await (const entry of readAudit(
      stateDirectory,
      session === undefined ? {} : { session },
      controller.signal,
      tell,
    ))
      await write(auditLine(entry, format));
  } catch (error) {
    if (controller.signal.aborted) return;
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
