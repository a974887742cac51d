import { forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { isCovered, type Span } from './coverage.ts';
import { baseName, literalOf } from './word.ts';

export type ShellWord = {
  /** As written. */
  readonly text: string;
  /** What it stands for; undefined when that cannot be told from its text. */
  readonly value: string | undefined;
  /** What it stands for as the parser sees it: good enough to forbid, not to allow. */
  readonly likely: string;
};

export type ShellCommand = {
  /** The name and what follows it. */
  readonly words: readonly ShellWord[];
  /** Texts that it gets as input: here-documents. */
  readonly inputs: readonly string[];
  /** Variables set for it or by it. */
  readonly assignments: readonly ShellWord[];
  /** Reads what another command of a pipe writes. */
  readonly isFed: boolean;
};

export type Doubt =
  | 'syntax'
  | 'characters'
  | 'length'
  | 'expansion'
  | 'redirect'
  | 'assignment'
  | 'heredoc'
  | 'structure'
  | 'background'
  | 'nested';

export type ShellScript = {
  /** Every simple command, wherever it stands: in substitutions, functions and strings given to a shell too. */
  readonly commands: readonly ShellCommand[];
  /** Files that output is written to, other than /dev/null. */
  readonly targets: readonly ShellWord[];
  /** Words that are neither part of a command nor a target: what a loop runs over, files that are read from. */
  readonly otherWords: readonly ShellWord[];
  /** Why it cannot be told from the text alone what runs; empty: each command is a list of literal words. */
  readonly doubts: ReadonlySet<Doubt>;
};

const maxLength = 20_000;
const maxDepth = 4;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const strangeCharacter = /[\u0000-\u0008\u000b-\u001f\u007f]/;

type Found = {
  readonly commands: ShellCommand[];
  readonly targets: ShellWord[];
  readonly otherWords: ShellWord[];
  readonly doubts: Set<Doubt>;
  /** Where words, redirections and brackets of the script itself stand. */
  readonly spans: Span[];
};

/** Takes a script apart. Never throws: what is not understood is a doubt. */
export function readScript(text: string, depth = 0): ShellScript {
  const found: Found = { commands: [], targets: [], otherWords: [], doubts: new Set(), spans: [] };
  if (text.length > maxLength) return { ...found, doubts: new Set(['length']) };
  if (strangeCharacter.test(text) || /\p{Cs}/u.test(text)) found.doubts.add('characters');
  try {
    const script = parse(text);
    visit(script, found, false);
    if (found.doubts.size === 0 && !isCovered(text, found.spans)) found.doubts.add('syntax');
  } catch {
    found.doubts.add('syntax');
  }
  for (const inner of found.commands.flatMap(scriptsIn)) {
    const nested: ShellScript =
      depth < maxDepth ? readScript(inner, depth + 1) : { ...found, commands: [], doubts: new Set(['nested']) };
    found.doubts.add('nested');
    found.commands.push(...nested.commands);
    if (depth >= maxDepth) continue;
    found.targets.push(...nested.targets);
    found.otherWords.push(...nested.otherWords);
    for (const doubt of nested.doubts) found.doubts.add(doubt);
  }
  return found;
}

function visit(node: SyntaxNode, found: Found, isFed: boolean): void {
  switch (node.type) {
    case 'Script':
      if (node.errors !== undefined && node.errors.length > 0) found.doubts.add('syntax');
      break;
    case 'Statement':
      if (node.background) found.doubts.add('background');
      break;
    case 'Command':
      visitCommand(node, found, isFed);
      return;
    case 'Redirect':
    case 'HereDoc':
    case 'HereString':
      visitRedirection(node, found);
      return;
    case 'Pipeline':
      for (const prefix of node.prefixes) found.spans.push(prefix);
      for (const [index, command] of node.commands.entries()) visit(command, found, isFed || index > 0);
      return;
    case 'Word':
      found.otherWords.push(readWord(node));
      break;
    case 'Subshell':
    case 'BraceGroup':
      found.spans.push({ pos: node.pos, end: node.pos + 1 }, { pos: node.end - 1, end: node.end });
      break;
    case 'AndOr':
    case 'CompoundList':
    case 'Redirected':
    case 'Literal':
    case 'SingleQuoted':
    case 'DoubleQuoted':
      break;
    case 'If':
    case 'For':
    case 'While':
    case 'Case':
    case 'Elif':
    case 'CaseItem':
      found.doubts.add('structure');
      break;
    default:
      found.doubts.add(isExpansion(node) ? 'expansion' : 'structure');
  }
  forEachChild(node, (child) => visit(child, found, isFed));
}

function isExpansion(node: SyntaxNode): boolean {
  return /Expansion|Glob|Substitution|Parameter|Quoted|LocaleString/.test(node.type);
}

function visitCommand(node: Extract<SyntaxNode, { type: 'Command' }>, found: Found, isFed: boolean): void {
  const words: ShellWord[] = [];
  const inputs: string[] = [];
  const assignments: ShellWord[] = [];
  for (const part of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
    found.spans.push(part);
    if (part.type === 'Word') {
      const word = readWord(part);
      words.push(word);
      if (word.value === undefined) found.doubts.add('expansion');
      forEachChild(part, (child) => visit(child, found, false));
    } else if (part.type === 'Assignment') {
      assignments.push({ text: part.text, value: literalOf(part.text), likely: part.text });
      if (node.suffix.includes(part)) words.push({ text: part.text, value: undefined, likely: part.text });
      found.doubts.add('assignment');
      forEachChild(part, (child) => visit(child, found, false));
    } else {
      if (part.type === 'HereDoc') inputs.push(part.body.text);
      if (part.type === 'HereString' && part.target) inputs.push(part.target.value);
      visitRedirection(part, found);
    }
  }
  if (words.length > 0 || assignments.length > 0) found.commands.push({ words, inputs, assignments, isFed });
}

function visitRedirection(node: Redirection, found: Found): void {
  found.spans.push(node);
  if (node.type !== 'Redirect') {
    found.doubts.add('heredoc');
    forEachChild(node, (child) => visit(child, found, false));
    return;
  }
  const target = node.target && readWord(node.target);
  const isPlainDescriptor =
    node.descriptor === undefined || (node.descriptor.type === 'FileDescriptor' && node.descriptor.value <= 2);
  const isDuplicate = node.operator === '>&' && (target?.value === '1' || target?.value === '2');
  const isDiscard = target?.value === '/dev/null' && node.operator !== '<>' && node.operator !== '<&';
  if (isPlainDescriptor && (isDuplicate || isDiscard)) return;
  found.doubts.add('redirect');
  if (target && !isDuplicate) (node.operator === '<' ? found.otherWords : found.targets).push(target);
  if (node.target) forEachChild(node.target, (child) => visit(child, found, false));
}

function readWord(node: { readonly text: string; readonly value: string }): ShellWord {
  const value = literalOf(node.text);
  return { text: node.text, value: value === node.value ? value : undefined, likely: node.value };
}

const shells = /^(ba|z|da|k|mk|fi|c|tc)?sh$/;

/** Scripts that a command is given as a string or as input. */
function scriptsIn({ words, inputs }: ShellCommand): readonly string[] {
  const values = words.map(({ value }) => value);
  const name = baseName(values[0]);
  if (name === 'eval') return values.includes(undefined) ? [] : [values.slice(1).join(' ')];
  const at = values.findIndex((value) => shells.test(baseName(value)));
  if (at < 0) return [];
  const flag = values.findIndex((value, index) => index > at && value !== undefined && /^-[a-z]*c[a-z]*$/.test(value));
  const given = flag < 0 ? undefined : values[flag + 1];
  return given === undefined ? inputs : [given, ...inputs];
}
