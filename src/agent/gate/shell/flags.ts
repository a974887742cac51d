/**
 * Flags that a command may have when it runs unasked. Written as one text: `-a` is a flag, `-n:` one with a value,
 * `--color?` one that may have a value behind `=`, `-#` a number with a hyphen. What is not in it is not known to be harmless.
 */
export type FlagList = {
  readonly plain: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  readonly hasNumbers: boolean;
};

export function readFlags(text: string): FlagList {
  const all = text.split(/\s+/).filter((flag) => flag !== '');
  const ending = (end: string) => new Set(all.filter((flag) => flag.endsWith(end)).map((flag) => flag.slice(0, -1)));
  return {
    plain: new Set(all.filter((flag) => !/[:?]$/.test(flag))),
    valued: ending(':'),
    optional: ending('?'),
    hasNumbers: all.includes('-#'),
  };
}

export type Arguments = {
  /** What is neither a flag nor a flag's value. */
  readonly operands: readonly string[];
  /** Flags that are there, without their values. */
  readonly flags: ReadonlySet<string>;
  /** Words with a flag that is not in the list, or with a value that might be one. */
  readonly faults: readonly string[];
};

/** Sorts the words behind a command's name. */
export function sortArguments(words: readonly string[], list: FlagList): Arguments {
  const operands: string[] = [];
  const flags = new Set<string>();
  const faults: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const read = word.startsWith('--') ? readLong(word, list) : readShort(word, list);
    for (const flag of read.flags) flags.add(flag);
    const value = words[index + 1];
    // Some other version of the command may take the next word for a flag.
    const isOdd = read.needsValue && (value === undefined || (value.startsWith('-') && value !== '-'));
    if (read.isUnknown || isOdd) faults.push(word);
    if (read.needsValue) index += 1;
  }
  return { operands, flags, faults };
}

type ReadFlag = { readonly flags: readonly string[]; readonly needsValue: boolean; readonly isUnknown: boolean };

function readLong(word: string, list: FlagList): ReadFlag {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const isKnown =
    equals < 0 ? list.plain.has(name) || list.optional.has(name) : list.valued.has(name) || list.optional.has(name);
  const needsValue = equals < 0 && list.valued.has(name);
  return { flags: [name], needsValue, isUnknown: !isKnown && !needsValue };
}

function readShort(word: string, list: FlagList): ReadFlag {
  if (list.hasNumbers && /^-\d+$/.test(word)) return { flags: ['-#'], needsValue: false, isUnknown: false };
  // Some commands spell long flags with one hyphen.
  if (list.plain.has(word)) return { flags: [word], needsValue: false, isUnknown: false };
  const flags: string[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const flag = `-${word.charAt(index)}`;
    flags.push(flag);
    if (list.valued.has(flag)) return { flags, needsValue: index === word.length - 1, isUnknown: false };
    if (list.optional.has(flag)) return { flags, needsValue: false, isUnknown: false };
    if (!list.plain.has(flag)) return { flags, needsValue: false, isUnknown: true };
  }
  return { flags, needsValue: false, isUnknown: false };
}
