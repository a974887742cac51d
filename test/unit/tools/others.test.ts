import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { askUserTool } from '../../../src/agent/tools/askUser.ts';
import { createBashTool } from '../../../src/agent/tools/bash.ts';
import { diagnosticsTool } from '../../../src/agent/tools/diagnostics.ts';
import { builtInTools } from '../../../src/agent/tools/list.ts';
import { createToolBench, type ToolBench } from '../../support/toolContext.ts';

let bench: ToolBench;
afterEach(() => bench.remove());

describe('Bash', () => {
  const bashTool = createBashTool(10_000);
  const bash = async (command: string, more = {}, signal?: AbortSignal) =>
    bench.run(bashTool, { command, ...more }, signal);

  it('gives output and exit code', async () => {
    bench = await createToolBench();
    expect(await bash('echo one; pwd')).toEqual({
      content: `one\n${bench.folder}`,
      summary: 'exit 0',
      command: { command: 'echo one; pwd', exitCode: 0 },
    });
    expect(await bash('echo wrong >&2; exit 2')).toEqual({
      content: 'wrong\n(Exit code 2)',
      summary: 'exit 2',
      isError: true,
      command: { command: 'echo wrong >&2; exit 2', exitCode: 2 },
    });
    expect((await bash('true')).content).toBe('(No output.)');
    expect(bashTool.prepare({ command: 'npm test', description: 'Run the tests' })).toMatchObject({
      summary: 'Bash Run the tests',
      command: 'npm test',
      paths: [],
    });
  });

  it('shows what a terminal would show in the end', async () => {
    bench = await createToolBench();
    const { content } = await bash(`printf '\\033[31mred\\033[0m\\r\\n10%%\\r50%%\\r100%%\\nlast\\r'`);
    expect(content).toBe('red\n100%\nlast');
  });

  it('keeps the whole of a long output as an artifact', async () => {
    bench = await createToolBench();
    const result = await bash('seq 1 20000');
    expect(result.content.length).toBeLessThan(30_500);
    expect(result.content).toContain(`the whole output is in ${result.artifact}`);
    expect((await readFile(result.artifact ?? '', 'utf8')).split('\n')).toHaveLength(20_001);
  });

  it('ends at the time-out with what there is', async () => {
    bench = await createToolBench();
    expect(await bash('echo begun; sleep 20', { timeout: 300 })).toMatchObject({
      content: expect.stringMatching(/^begun\n\(Ended after 300 ms/),
      summary: 'timed out',
      isError: true,
      command: { exitCode: undefined },
    });
    expect(() => bashTool.prepare({ command: 'x', timeout: 600_001 })).toThrow('timeout');
  });

  it('reports progress, and stops when it is told to', async () => {
    bench = await createToolBench();
    const stop = new AbortController();
    const running = bash('echo begun; sleep 20', {}, stop.signal);
    await expect.poll(() => bench.progress.join(''), { timeout: 10_000 }).toBe('begun\n');
    stop.abort();
    expect(await running).toMatchObject({ content: 'begun\n(Stopped by the user)', summary: 'stopped', isError: true });
  });
});

describe('AskUser', () => {
  it('gives the answer, or says that there is none', async () => {
    bench = await createToolBench({ answer: 'the left one' });
    expect((await bench.run(askUserTool, { question: 'Which?', options: ['the left one'] })).content).toBe(
      'the left one',
    );
    await bench.remove();
    bench = await createToolBench();
    expect(await bench.run(askUserTool, { question: 'Which?' })).toMatchObject({ summary: 'no answer', isError: true });
  });
});

describe('Diagnostics', () => {
  it('lists errors first', async () => {
    bench = await createToolBench({
      diagnostics: [
        { path: '/x/b.ts', line: 2, column: 1, severity: 'warning', message: 'unused', source: 'lint' },
        { path: '/x/c.ts', line: 9, column: 3, severity: 'error', message: 'two\n  lines' },
        { path: '/x/c.ts', line: 1, column: 3, severity: 'error', message: 'first' },
      ],
    });
    expect(await bench.run(diagnosticsTool, {})).toEqual({
      content: '/x/c.ts:1:3 error: first\n/x/c.ts:9:3 error: two lines\n/x/b.ts:2:1 warning: unused (lint)',
      summary: '2 errors, 1 others',
    });
  });
});

describe('the list of tools', () => {
  it('stays small and strict', async () => {
    bench = await createToolBench();
    const specs = builtInTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(specs.map(({ name }) => name)).toEqual([
      'Read',
      'Write',
      'Edit',
      'Glob',
      'Grep',
      'Bash',
      'Diagnostics',
      'WebFetch',
      'AskUser',
    ]);
    expect(JSON.stringify(specs).length).toBeLessThan(4500);
    for (const { inputSchema } of specs)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    const readers = builtInTools.filter(({ effect }) => effect === 'read').map(({ name }) => name);
    expect(readers).toEqual(['Read', 'Glob', 'Grep', 'Diagnostics', 'AskUser']);
  });
});
