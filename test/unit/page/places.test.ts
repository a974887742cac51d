import { expect, test } from 'vitest';
import { parsePlace, splitPlaces } from '../../../src/webview/app/markdown/places.ts';

const found = (text: string) =>
  splitPlaces(text).flatMap((piece) => (piece.place ? [[piece.text, piece.place.path, piece.place.line]] : []));

test.each([
  ['see src/a.ts:12.', [['src/a.ts:12', 'src/a.ts', 12]]],
  ['see src/a.ts:12-20, then', [['src/a.ts:12-20', 'src/a.ts', 12]]],
  ['in src/a.ts:12:5 and', [['src/a.ts:12:5', 'src/a.ts', 12]]],
  ['in lib/router/index.js, which', [['lib/router/index.js', 'lib/router/index.js', null]]],
  ['(src/a.ts:3)', [['src/a.ts:3', 'src/a.ts', 3]]],
  ['guard.ts:41 checks', [['guard.ts:41', 'guard.ts', 41]]],
  [
    './a/b.py and ../c/d.go#L7',
    [
      ['./a/b.py', './a/b.py', null],
      ['../c/d.go#L7', '../c/d.go', 7],
    ],
  ],
  ['.github/workflows/ci.yml', [['.github/workflows/ci.yml', '.github/workflows/ci.yml', null]]],
  ['app/[id]/page.tsx:4', [['app/[id]/page.tsx:4', 'app/[id]/page.tsx', 4]]],
  ['ünï/dätei.ts:2', [['ünï/dätei.ts:2', 'ünï/dätei.ts', 2]]],
  ['see https://example.com/a/b.js:3 or www.example.com/a.html', []],
  ['and/or, 1/2, e.g. this, v1.2.3, a.b.c, 10:30, TCP/IP', []],
  ['package.json alone is only a name', []],
])('places in prose: %s', (text, expected) => {
  expect(found(text)).toEqual(expected);
  expect(
    splitPlaces(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

test.each([
  ['package.json', { path: 'package.json', line: null }],
  ['src/a.ts:12-20', { path: 'src/a.ts', line: 12 }],
  ['Makefile:3', { path: 'Makefile', line: 3 }],
  ['console.log', undefined],
  ['req.headers.authorization', undefined],
  ['npm run build', undefined],
  ['a ? b/c.ts : d', undefined],
  ['//server/share/x.ts', undefined],
])('a place in code: %s', (text, expected) => {
  expect(parsePlace(text)).toEqual(expected);
});
