export type Translate = (key: string, ...values: readonly (string | number)[]) => string;

/** Translations by English text, from a JSON script element that the host writes into the page. */
export function readStrings(element: Element | null): ReadonlyMap<string, string> {
  try {
    const table: unknown = JSON.parse(element?.textContent ?? '');
    if (typeof table !== 'object' || table === null) return new Map();
    return new Map(Object.entries(table).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

/** The English text is the key; `{0}` stands for the first value. */
export function createTranslate(table: ReadonlyMap<string, string>): Translate {
  return (key, ...values) =>
    (table.get(key) ?? key).replace(/\{(\d)\}/g, (match, index: string) => String(values[Number(index)] ?? match));
}
