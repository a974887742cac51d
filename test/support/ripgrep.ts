import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ripgrepCandidates } from '../../src/agent/node/search/ripgrep.ts';

/** Where the ripgrep of a test editor may be; searches without one on PATH fall back to the scan. */
export function testRipgrep(): readonly string[] {
  const cache = join(import.meta.dirname, '..', '..', '.vscode-test');
  const named = process.env.OFFSHOOT_TEST_RIPGREP;
  return [...(named === undefined ? [] : [named]), ...editorFolders(cache).flatMap(ripgrepCandidates)];
}

function editorFolders(cache: string): readonly string[] {
  try {
    return readdirSync(cache).flatMap((name) => [
      join(cache, name, 'package', 'lib', 'vscode'),
      join(cache, name, 'lib', 'vscode'),
      join(cache, name),
      join(cache, name, 'resources', 'app'),
    ]);
  } catch {
    return [];
  }
}
