import { expect, test } from 'vitest';
import { isIn } from '../../../src/agent/model/demo/task.ts';
import { exploreAreas, explorePrompt } from '../../../src/agent/subagents/exploration/explore.ts';

function files(folder: string, count: number, extension = 'ts'): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${folder}/file${index}.${extension}`);
}

test('areas follow the folders, the top-level files first', () => {
  const paths = ['README.md', 'package.json', ...files('src/api', 8), ...files('src/page', 9), ...files('test', 7)];
  expect(exploreAreas(paths).map(({ name, patterns, files: own }) => [name, patterns, own.length])).toEqual([
    ['top-level files', ['*'], 2],
    ['src/api', ['src/api/**/*'], 8],
    ['src/page', ['src/page/**/*'], 9],
    ['test', ['test/**/*'], 7],
  ]);
});

test('every relevant file is in exactly one area, which its patterns find', () => {
  const paths = [
    'go.mod',
    'main.go',
    '.github/workflows/ci.yml',
    'node_modules/a/index.js',
    'dist/bundle.js',
    ...files('cmd', 3, 'go'),
    ...files('internal/store/sql', 20, 'go'),
    ...files('internal/store', 4, 'go'),
    ...files('internal/http', 30, 'go'),
    ...files('docs', 12, 'md'),
    ...files('app/[id]/(group)', 5),
  ];
  const areas = exploreAreas(paths);
  expect(areas.length).toBeGreaterThanOrEqual(2);
  expect(areas.length).toBeLessThanOrEqual(6);
  const own = areas.flatMap((area) => area.files);
  expect(own.toSorted()).toEqual(paths.filter((path) => !/^(node_modules|dist)\//.test(path)).sort());
  for (const area of areas) expect(area.files.filter((path) => !isIn(path, area.patterns))).toEqual([]);
  for (const path of own) expect(areas.filter((area) => isIn(path, area.patterns))).toHaveLength(1);
});

test('a folder that is built and nothing else is explored as it is', () => {
  expect(exploreAreas(['package.json', ...files('dist', 6, 'js')]).flatMap((area) => area.files)).toHaveLength(7);
});

test('a flat folder is divided by first letters', () => {
  const paths = ['abc.py', 'bcd.py', 'cde.py', 'def.py', 'xyz.py', 'yyy.py', 'Zed.py', '中.py'];
  const areas = exploreAreas(paths);
  expect(areas.map((area) => area.files)).toEqual([
    ['abc.py', 'bcd.py', 'cde.py', 'def.py'],
    ['Zed.py', 'xyz.py', 'yyy.py', '中.py'],
  ]);
  for (const path of paths) expect(areas.filter((area) => isIn(path, area.patterns))).toHaveLength(1);
});

test('nothing gives no area, and the least gives one', () => {
  expect(exploreAreas([])).toEqual([]);
  expect(exploreAreas(['a.ts'])).toHaveLength(1);
});

test('the prompt stays under 1.5 kB whatever the areas are', () => {
  const deep = Array.from({ length: 40 }, (_, index) => `包/${'很长的名字'.repeat(8)}${index}`);
  const wide = Array.from({ length: 60 }, (_, index) => files(`packages/package-with-a-long-name-${index}`, 3)).flat();
  for (const paths of [[], wide, deep.flatMap((folder) => files(folder, 4))]) {
    for (const thoroughness of ['quick', 'medium', 'very thorough'] as const) {
      const prompt = explorePrompt(thoroughness, exploreAreas(paths));
      expect(Buffer.byteLength(prompt)).toBeLessThan(1500);
      expect(prompt).toContain(`Thoroughness: ${thoroughness}.`);
      expect(prompt).toContain('Delegate in one message');
    }
  }
});
