import { describe, expect, test } from 'vitest';
import { contracts, layers } from './layers/rules.ts';
import { parse, readSources, type SourceFile } from './layers/source.ts';
import { layerOf, violations } from './layers/violations.ts';

const faultsOf = (path: string, text: string) => violations([parse(path, text)]);

test('the code keeps to its layers, its sizes and its types', () => {
  const found = violations(readSources('src'));
  expect(found, `\n${found.join('\n')}\n`).toEqual([]);
});

test('the table of layers leads downward only', () => {
  const upward = layers.flatMap((layer, index) =>
    layer.uses.filter((entry) => {
      const probe = entry.endsWith('/') ? `${entry}x.ts` : entry;
      const target = layerOf(probe);
      return !target || layers.indexOf(target) >= index;
    }),
  );
  expect(upward).toEqual([]);
  const existing = new Set(readSources('src/agent').map((file) => file.path.slice('src/agent/'.length)));
  const named = layers.flatMap((layer) => [...layer.holds, ...layer.uses, ...layer.knows]);
  expect(named.filter((entry) => !entry.endsWith('/') && !existing.has(entry))).toEqual([]);
});

test('every way to import is seen', () => {
  const file = parse(
    'src/agent/loop/x.ts',
    `import type { A } from './a.ts';
import { type B, type C } from './b.ts';
import { type D, e } from './d.ts';
import './f.ts';
export * from './g.ts';
export type { H } from './h.ts';
const i = await import('../i.ts');
type J = import('./j.ts').J;
const text = "import x from './no.ts'"; // import y from './no.ts'
const k = await import(\`./\${text}.ts\`);`,
  );
  expect(file.imports.map((entry) => [entry.file ?? entry.specifier, entry.isTypeOnly, entry.line])).toEqual([
    ['src/agent/loop/a.ts', true, 1],
    ['src/agent/loop/b.ts', true, 2],
    ['src/agent/loop/d.ts', false, 3],
    ['src/agent/loop/f.ts', false, 4],
    ['src/agent/loop/g.ts', false, 5],
    ['src/agent/loop/h.ts', true, 6],
    ['src/agent/i.ts', false, 7],
    ['src/agent/loop/j.ts', true, 8],
    ['(computed)', false, 10],
  ]);
});

describe('a breach is found:', () => {
  test.each([
    ['the agent and the editor', 'src/agent/loop/x.ts', `import * as vscode from 'vscode';`],
    ['a type of the editor', 'src/agent/node/x.ts', `import type { Uri } from 'vscode';`],
    ['the agent and src/editor', 'src/agent/session/x.ts', `import { x } from '../../editor/x.ts';`],
    ['the agent and the page', 'src/agent/index.ts', `export * from '../webview/protocol.ts';`],
    ['headless and the editor', 'src/headless.ts', `const vscode = await import('vscode');`],
    ['the loop and a tool', 'src/agent/loop/x.ts', `import { readTool } from '../tools/read.ts';`],
    ['the loop and the gate as a value', 'src/agent/loop/x.ts', `import { createGate } from '../gate/gate.ts';`],
    ['the loop and the disk', 'src/agent/loop/x.ts', `import { readFile } from 'node:fs/promises';`],
    ['the store and the loop', 'src/agent/store/x.ts', `import type { Agent } from '../loop/agent.ts';`],
    ['a contract and a package', 'src/agent/host.ts', `import diff from 'diff';`],
    ['a new folder', 'src/agent/fresh/x.ts', `import * as z from 'zod';`],
    ['the page and Node', 'src/webview/app/x.ts', `import { join } from 'node:path';`],
    ['the page and the protocol as a value', 'src/webview/app/x.ts', `import { hostCalls } from '../protocol.ts';`],
    ['the page and the agent', 'src/webview/app/x.ts', `import type { Host } from '../../agent/host.ts';`],
    ['the editor and the page', 'src/editor/x.ts', `import { x } from '../webview/app/x.ts';`],
    ['the editor and the inside of the agent', 'src/editor/x.ts', `import { run } from '../agent/loop/run.ts';`],
    ['a barrel', 'src/agent/store/index.ts', `export * from './journal.ts';\nexport { x } from './x.ts';`],
    ['a cast', 'src/editor/x.ts', `export const x = JSON.parse('1') as number;`],
    ['any', 'src/editor/x.ts', `export function x(y: any): void { y(); }`],
    ['a long file', 'src/editor/x.ts', 'export {};\n'.repeat(301)],
    ['a long extension.ts', 'src/extension.ts', 'export {};\n'.repeat(121)],
  ])('%s', (_, path, text) => {
    expect(faultsOf(path, text)).toHaveLength(1);
  });

  test('a circle, of types too', () => {
    const files: readonly SourceFile[] = [
      parse('src/editor/a.ts', `import { b } from './b.ts';`),
      parse('src/editor/b.ts', `import { c } from './c.ts';`),
      parse('src/editor/c.ts', `import type { A } from './a.ts';`),
    ];
    expect(violations(files)).toEqual([
      'circle: src/editor/a.ts → src/editor/b.ts → src/editor/c.ts → src/editor/a.ts',
    ]);
  });
});

test('what is allowed is no breach', () => {
  expect(
    faultsOf('src/agent/loop/x.ts', `import type { Gate } from '../gate/gate.ts';\nexport const x = [1] as const;`),
  ).toEqual([]);
  expect(
    faultsOf(
      'src/webview/app/x.ts',
      `import hljs from 'highlight.js/lib/core';\nimport type { Snapshot } from '../protocol.ts';`,
    ),
  ).toEqual([]);
  expect(
    faultsOf(
      'src/agent/node/x.ts',
      `import { FileError } from '../host.ts';\nimport { open } from 'node:fs/promises';`,
    ),
  ).toEqual([]);
  for (const path of contracts) expect(layerOf(path)).toBe(layers[0]);
});
