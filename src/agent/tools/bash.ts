import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import type { ShellResult } from '../host.ts';
import { defineTool, type Tool, type ToolContext, ToolError, type ToolResult } from './tool.ts';

const maxTimeoutMs = 600_000;
const maxOutputChars = 30_000;
const progressEveryMs = 100;
const maxProgressChars = 4000;

/** @param defaultTimeoutMs for calls that name none */
export function createBashTool(defaultTimeoutMs: number): Tool {
  return defineTool({
    name: 'Bash',
    description:
      'Runs a command in a fresh shell in the workspace folder, without input. What it leaves running is ended with it. To read, search and edit files use the other tools.',
    input: z.strictObject({
      command: z.string().min(1),
      description: z.string().optional().describe('What it does, 5 to 10 words'),
      timeout: z.int().min(1).max(maxTimeoutMs).optional().describe(`Milliseconds; default ${defaultTimeoutMs}`),
    }),
    effect: 'execute',
    isConcurrent: false,
    summarize: ({ command, description }) => `Bash ${description ?? firstLine(command)}`,
    command: ({ command }) => command,
    run: ({ command, timeout }, context) => runCommand(command, timeout ?? defaultTimeoutMs, context),
  });
}

async function runCommand(command: string, timeoutMs: number, context: ToolContext): Promise<ToolResult> {
  const directory = context.workspace.roots[0];
  if (directory === undefined) throw new ToolError('No folder is open, so there is no place to run commands in.');
  if (command.includes('\0')) throw new ToolError('The command holds a NUL character. Leave it out.');
  const outputFile = await context.artifactPath('txt');
  const progress = createProgress(context);
  try {
    const result = await context.host.shell.run(
      { command, directory, timeoutMs, maxOutputChars, outputFile, onOutput: progress.add },
      context.signal,
    );
    return describe(command, result, outputFile, timeoutMs);
  } finally {
    progress.end();
  }
}

function describe(command: string, result: ShellResult, outputFile: string, timeoutMs: number): ToolResult {
  const ending = describeEnding(result, timeoutMs);
  const cut = result.isTruncated ? `(Cut; the whole output is in ${outputFile}.)` : '';
  const output = cleanOutput(result.output);
  const isOk = result.exitCode === 0;
  const parts = [output, cut, isOk ? '' : `(${ending.text})`].filter((part) => part !== '');
  return {
    content: parts.length > 0 ? parts.join('\n') : '(No output.)',
    summary: ending.summary,
    command: { command, exitCode: result.exitCode },
    ...(!isOk && { isError: true }),
    ...(result.isTruncated && { artifact: outputFile }),
  };
}

function describeEnding(result: ShellResult, timeoutMs: number): { readonly text: string; readonly summary: string } {
  switch (result.ending) {
    case 'exited':
      return { text: `Exit code ${result.exitCode}`, summary: `exit ${result.exitCode}` };
    case 'timed_out': {
      const text = `Ended after ${timeoutMs} ms, its output up to then is above. Give more time with \`timeout\`, or do less at once.`;
      return { text, summary: 'timed out' };
    }
    case 'cancelled':
      return { text: 'Stopped by the user', summary: 'stopped' };
    case 'killed':
      return { text: 'Ended by a signal', summary: 'killed' };
  }
}

/** As a terminal would show it in the end: without colours, and without lines that were written over. */
function cleanOutput(output: string): string {
  const plain = stripVTControlCharacters(output).replaceAll('\r\n', '\n');
  const lines = plain.includes('\r')
    ? plain.split('\n').map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    : [plain];
  return lines.join('\n').trimEnd();
}

function createProgress(context: ToolContext) {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const text = waiting.slice(-maxProgressChars);
    waiting = '';
    if (text !== '') context.progress(text);
  };
  return {
    add(text: string) {
      waiting = (waiting + text).slice(-maxProgressChars);
      timer ??= setTimeout(flush, progressEveryMs);
    },
    end() {
      clearTimeout(timer);
      flush();
    },
  };
}

function firstLine(command: string): string {
  const line = command.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
