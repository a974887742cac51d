/**
 * Wildcards without regular expressions: patterns come from files that others wrote, and no pattern may keep the host busy.
 */

/** Texts with a `*`, which stands for anything, between each two of them. */
export type Wildcard = readonly string[];

/** `\*` is a plain star. */
export function readWildcard(pattern: string): Wildcard {
  const parts = [''];
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    if (character === '*') {
      parts.push('');
      continue;
    }
    const isEscaped = character === '\\' && (pattern[index + 1] === '*' || pattern[index + 1] === '\\');
    if (isEscaped) index += 1;
    parts[parts.length - 1] += pattern.charAt(index);
  }
  return parts;
}

export function escapeWildcard(text: string): string {
  return text.replace(/[*\\]/g, '\\$&');
}

export function matchesWildcard(parts: Wildcard, text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return from <= end;
}
