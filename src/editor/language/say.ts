/** Says known sentences in another language, and leaves all others as they are. */
export type Say = (text: string) => string;

type Template = {
  readonly text: string;
  readonly pattern: RegExp;
  /** Characters that do not vary: the more, the better it fits. */
  readonly fixed: number;
};

/** In few words that are no sentence only numbers vary, so that nothing else is taken for them. */
const fewWords = 14;
const deepest = 3;
const mostSentences = 8;

/** @param translate a sentence as it is in `sentences`, and what stands in its places */
export function createSay(
  sentences: readonly string[],
  translate: (sentence: string, ...values: readonly string[]) => string,
): Say {
  const whole = new Set(sentences.filter((sentence) => !/\{\d\}/.test(sentence)));
  const templates = sentences
    .filter((sentence) => !whole.has(sentence))
    .map(toTemplate)
    .toSorted((left, right) => right.fixed - left.fixed);

  const sayWhole = (text: string, depth: number): string | undefined => {
    if (whole.has(text)) return translate(text);
    for (const template of templates) {
      const match = template.pattern.exec(text);
      if (match) return translate(template.text, ...match.slice(1).map((value) => sayAny(value, depth + 1)));
    }
    return undefined;
  };
  /** Several sentences in a row are said one by one. */
  const sayAny = (text: string, depth: number): string => {
    if (depth > deepest || text === '') return text;
    const said = sayWhole(text, depth);
    if (said !== undefined) return said;
    const parts = text.split(/(?<=[.?!。？！]) (?=\S)/);
    return parts.length > 1 && parts.length <= mostSentences ? sayEach(parts, depth).join(' ') : text;
  };
  /** As many at once as are known together. */
  const sayEach = (parts: readonly string[], depth: number): readonly string[] => {
    const [first, ...rest] = parts;
    if (first === undefined) return [];
    for (let count = parts.length; count > 0; count -= 1) {
      const said = sayWhole(parts.slice(0, count).join(' '), depth);
      if (said !== undefined) return [said, ...sayEach(parts.slice(count), depth)];
    }
    return [first, ...sayEach(rest, depth)];
  };
  return (text) => sayAny(text, 0);
}

function toTemplate(text: string): Template {
  const parts = text.split(/\{\d\}/);
  const fixed = parts.join('').length;
  const value = fixed < fewWords && !/^[A-Z]/.test(text) ? '([\\d.,+–-]+)' : '([\\s\\S]+?)';
  const pattern = new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join(value)}$`);
  return { text, pattern, fixed };
}
