import * as z from 'zod';
import type { Diagnostic } from '../host.ts';
import { defineTool, type ToolContext } from './tool.ts';

const maxShown = 100;
const severities = ['error', 'warning', 'information', 'hint'] as const;

export const diagnosticsTool = defineTool({
  name: 'Diagnostics',
  description: "Lists the editor's problems (type errors, lint) of a file, a folder or the workspace.",
  input: z.strictObject({ file_path: z.string().optional() }),
  effect: 'read',
  isConcurrent: true,
  summarize: ({ file_path }) => `Diagnostics${file_path === undefined ? '' : ` ${file_path}`}`,
  paths: ({ file_path }) => (file_path === undefined ? [] : [file_path]),
  async run({ file_path }, context) {
    const path = file_path === undefined ? undefined : await context.paths.resolve(file_path, 'read');
    const all = await context.host.diagnostics.list(path, context.signal);
    const found = all.filter((diagnostic) => !context.isHidden?.(diagnostic.path));
    if (found.length === 0) return { content: 'The editor reports no problems.', summary: 'no problems' };
    const sorted = [...found].sort(
      (left, right) => severities.indexOf(left.severity) - severities.indexOf(right.severity) || compare(left, right),
    );
    const lines = sorted.slice(0, maxShown).map((diagnostic) => format(diagnostic, context));
    if (found.length > maxShown) lines.push(`(Only the first ${maxShown} of ${found.length}. Name a file.)`);
    const errors = found.filter(({ severity }) => severity === 'error').length;
    return { content: lines.join('\n'), summary: `${errors} errors, ${found.length - errors} others` };
  },
});

function compare(left: Diagnostic, right: Diagnostic): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}

function format({ path, line, column, severity, message, source }: Diagnostic, context: ToolContext): string {
  const from = source === undefined ? '' : ` (${source})`;
  return `${context.paths.show(path)}:${line}:${column} ${severity}: ${message.replace(/\s*\n\s*/g, ' ')}${from}`;
}
