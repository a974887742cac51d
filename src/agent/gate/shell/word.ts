const plainCharacter = /[A-Za-z0-9_./:=,@%+^!#-]/;
/** What may follow a `$` in double quotes without making it an expansion. */
const afterPlainDollar = /["| )]/;

/**
 * What a word stands for, when it stands for itself: quotes and escapes are taken away, nothing else may be in it. Reads
 * more narrowly than a shell does, and apart from the parser, so that both have to be wrong for a trick to pass.
 * @returns undefined for a word with an expansion, a pattern, or anything unusual
 */
export function literalOf(text: string): string | undefined {
  if (text === '[' || text === ']' || text === '{}') return text;
  let value = '';
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    const part =
      character === "'"
        ? singleQuoted(text, index)
        : character === '"'
          ? doubleQuoted(text, index)
          : unquoted(text, index);
    if (!part) return undefined;
    value += part.value;
    index = part.end;
  }
  return value;
}

type Part = { readonly value: string; readonly end: number };

function singleQuoted(text: string, start: number): Part | undefined {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? undefined : { value: text.slice(start + 1, end), end: end + 1 };
}

function doubleQuoted(text: string, start: number): Part | undefined {
  let value = '';
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === '"') return { value, end: index + 1 };
    if (character === '`' || (character === '$' && !afterPlainDollar.test(next))) return undefined;
    if (character !== '\\') value += character;
    else if (next === '\n') return undefined;
    else if (/[$`"\\]/.test(next)) {
      value += next;
      index += 1;
    } else value += character;
  }
  return undefined;
}

function unquoted(text: string, index: number): Part | undefined {
  const character = text.charAt(index);
  const next = text.charAt(index + 1);
  if (character === '\\') return /[!-~ ]/.test(next) ? { value: next, end: index + 2 } : undefined;
  // A tilde behind a letter is one, e.g. in HEAD~1; braces without a list in them are, e.g. in stash@{0}.
  const isPlainTilde = character === '~' && /[A-Za-z0-9_}]/.test(text.charAt(index - 1)) && index > 0;
  const isPlainBrace = /[{}]/.test(character) && !text.includes(',') && !text.includes('..');
  const isPlain = plainCharacter.test(character) || isPlainTilde || isPlainBrace;
  return isPlain ? { value: character, end: index + 1 } : undefined;
}

/** A literal as a person would write it. */
export function quoteLiteral(value: string): string {
  if (value !== '' && /^[A-Za-z0-9_./:=,@%+^-]+$/.test(value)) return value;
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** The program that a name or path means. */
export function baseName(name: string | undefined): string {
  return name?.slice(name.lastIndexOf('/') + 1).replace(/\.(exe|cmd|bat)$/i, '') ?? '';
}
