import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export const root = join(import.meta.dirname, '../../..');

export type Import = {
  readonly specifier: string;
  /** The file below the repository's root, with `/`; undefined for packages. */
  readonly file: string | undefined;
  /** Gone after compilation. */
  readonly isTypeOnly: boolean;
  readonly line: number;
};

export type SourceFile = {
  /** Below the repository's root, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly reExports: number;
  readonly declarations: number;
  /** Lines with a cast or an `any`. */
  readonly looseTypes: readonly string[];
};

/** Every TypeScript file below a folder of the repository, parsed. */
export function readSources(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map((path) => parse(path, readFileSync(join(root, path), 'utf8')));
}

export function parse(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const looseTypes: string[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  let reExports = 0;
  const add = (specifier: string, isTypeOnly: boolean, start: number) => {
    const file = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
    imports.push({ specifier, file, isTypeOnly, line: lineOf(start) });
  };
  const found = (what: string, start: number) => looseTypes.push(`${path}:${lineOf(start)} ${what}`);
  new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers.map((entry) => entry.type === 'ImportSpecifier' && entry.importKind === 'type');
      const isTypeOnly = node.importKind === 'type' || (named.length > 0 && named.every(Boolean));
      add(node.source.value, isTypeOnly, node.start);
    },
    ExportNamedDeclaration(node) {
      if (!node.source) return;
      reExports += 1;
      const isTypeOnly = node.exportKind === 'type' || node.specifiers.every((entry) => entry.exportKind === 'type');
      add(node.source.value, isTypeOnly, node.start);
    },
    ExportAllDeclaration(node) {
      reExports += 1;
      add(node.source.value, node.exportKind === 'type', node.start);
    },
    ImportExpression(node) {
      const isText = node.source.type === 'Literal' && 'value' in node.source && typeof node.source.value === 'string';
      add(isText ? text.slice(node.source.start + 1, node.source.end - 1) : '(computed)', false, node.start);
    },
    TSImportType(node) {
      add(node.source.value, true, node.start);
    },
    TSAsExpression(node) {
      const type = text.slice(node.typeAnnotation.start, node.typeAnnotation.end);
      if (type !== 'const') found(`casts with \`as ${type}\``, node.start);
    },
    TSTypeAssertion: (node) => void found('casts with `<…>`', node.start),
    TSNonNullExpression: (node) => void found('asserts with `!`', node.start),
    TSAnyKeyword: (node) => void found('uses `any`', node.start),
  }).visit(program);
  const declarations = program.body.filter(
    (node) => !/^(Import|ExportAll)/.test(node.type) && !(node.type === 'ExportNamedDeclaration' && node.source),
  ).length;
  return { path, lines: text.split('\n').length - 1, imports, reExports, declarations, looseTypes };
}
