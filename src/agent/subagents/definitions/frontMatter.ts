import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { DefinitionFault } from './fault.ts';

export type Field = {
  readonly value: unknown;
  /** 1-based line in the file. */
  readonly line: number;
};

export type FrontMatter = {
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields whose value is no YAML and was taken as the text that it is. */
  readonly recovered: readonly string[];
  /** What follows, with `\n` as line ends. */
  readonly body: string;
  /** 1-based line in the file of the body's first line. */
  readonly bodyLine: number;
};

const fence = /^---[ \t]*$/;

/**
 * Divides a markdown file into the fields between its first two lines of `---` and the rest. Other products read descriptions
 * that are no YAML (`description: Use this when: …`, examples over several lines that are not indented); where YAML fails, the
 * fields are told apart by their names at the start of a line, and a value that is no YAML is text.
 * @param isField whether a name at the start of a line begins a field
 * @returns undefined when the file has no front matter
 * @throws DefinitionFault
 */
export function readFrontMatter(text: string, isField: (name: string) => boolean): FrontMatter | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (!fence.test(lines[first] ?? '')) return undefined;
  const length = lines.slice(first + 1).findIndex((line) => fence.test(line));
  if (length < 0) throw new DefinitionFault(first + 1, 'the front matter has no end: close it with a line of ---.');
  const head = lines.slice(first + 1, first + 1 + length);
  const bodyStart = first + length + 2;
  return {
    ...readFields(head, first + 2, isField),
    body: lines.slice(bodyStart).join('\n'),
    bodyLine: bodyStart + 1,
  };
}

type Fields = Pick<FrontMatter, 'fields' | 'recovered'>;

function readFields(head: readonly string[], firstLine: number, isField: (name: string) => boolean): Fields {
  const parsed = parseFields(head.join('\n'), firstLine);
  if (!(parsed instanceof DefinitionFault)) return { fields: parsed, recovered: [] };
  return recoverFields(head, firstLine, isField, parsed);
}

function parseFields(text: string, firstLine: number): ReadonlyMap<string, Field> | DefinitionFault {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line - 1 + firstLine;
  const [fault] = document.errors;
  if (fault) return new DefinitionFault(lineAt(fault.pos[0]), fault.message);
  if (document.contents === null) return new Map();
  if (!isMap(document.contents))
    return new DefinitionFault(firstLine, 'the front matter must hold fields: `name: value`.');
  const fields = new Map<string, Field>();
  for (const { key, value } of document.contents.items) {
    const line = isScalar(key) ? lineAt(key.range?.[0] ?? 0) : firstLine;
    try {
      fields.set(String(isScalar(key) ? key.value : key), {
        value: isNode(value) ? value.toJS(document) : value,
        line,
      });
    } catch (error) {
      return new DefinitionFault(line, error instanceof Error ? error.message : String(error));
    }
  }
  return fields;
}

/** @throws DefinitionFault the fault that YAML found, when there are no fields to be told apart */
function recoverFields(
  head: readonly string[],
  firstLine: number,
  isField: (name: string) => boolean,
  fault: DefinitionFault,
): Fields {
  const fields = new Map<string, Field>();
  const recovered: string[] = [];
  for (const { name, line, lines } of divide(head, firstLine, isField, fault)) {
    if (fields.has(name)) throw new DefinitionFault(line, `${name} is there twice; keep one of them.`);
    const parsed = parseFields(lines.join('\n'), line);
    const only = parsed instanceof DefinitionFault || parsed.size !== 1 ? undefined : parsed.get(name);
    if (only === undefined) recovered.push(name);
    fields.set(name, only ?? { value: textOf(name, lines), line });
  }
  return { fields, recovered };
}

type Chunk = { readonly name: string; readonly line: number; readonly lines: string[] };

function divide(
  head: readonly string[],
  firstLine: number,
  isField: (name: string) => boolean,
  fault: DefinitionFault,
): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (const [index, text] of head.entries()) {
    const name = /^([A-Za-z][\w-]*):(?=\s|$)/.exec(text)?.[1];
    if (name !== undefined && isField(name)) chunks.push({ name, line: firstLine + index, lines: [text] });
    else if (chunks.length > 0) chunks.at(-1)?.lines.push(text);
    else if (text.trim() !== '' && !text.startsWith('#')) throw fault;
  }
  return chunks;
}

function textOf(name: string, lines: readonly string[]): string {
  const text = lines
    .join('\n')
    .slice(name.length + 1)
    .trim();
  const unmarked = text.replace(/^[|>][+-]?\s*\n/, '');
  const quote = /^(["'])([\s\S]*)\1$/.exec(unmarked);
  return (quote?.[2] ?? unmarked).replaceAll('\\"', '"');
}
