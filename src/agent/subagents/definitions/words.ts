const maxDescription = 700;

/**
 * A description for the list of agents that every request of a lead carries: one line, without the worked examples that
 * some products ask for, and not long.
 */
export function briefDescription(text: string): string {
  const plain = oneLine(text.replaceAll('\\n', '\n').replaceAll('\\t', ' '));
  const bare = plain
    .replace(/<example>.*?(<\/example>|$)/gi, ' ')
    .replace(/<commentary>.*?(<\/commentary>|$)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.:;–-]*\bexamples?( (usage|scenarios?))?:?$/i, '.')
    .trim();
  const kept = showHidden(bare.length > 1 ? bare : plain);
  return kept.length > maxDescription ? `${kept.slice(0, maxDescription - 1).trimEnd()}…` : kept;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Characters that hide text or turn its order around; not those that emoji and scripts need. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\u0000-\u0008\u000b-\u001f\u007f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e0fff}]/gu;

/** What hides stands as an escape, so that a file says to people what it says to a model. */
export function showHidden(text: string): string {
  return text.replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** @returns the 0-based line of the first character that hides */
export function hiddenAt(text: string): number | undefined {
  const at = text.search(new RegExp(hidden.source, 'u'));
  return at < 0 ? undefined : text.slice(0, at).split('\n').length - 1;
}
