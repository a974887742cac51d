/** A piece of text as it is, or the visible stand-in of something that would not show. */
export type Revealed = { readonly text: string; readonly isStandIn: boolean };

const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\p{Zs}{24,}|\n{6,}/gu;

/**
 * Splits text so that nothing in it can hide: control, bidirectional, zero-width and tag characters become escapes, and
 * long runs of white space, which could push the rest out of sight, become a count.
 */
export function reveal(text: string): readonly Revealed[] {
  const pieces: Revealed[] = [];
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isStandIn: false });
    pieces.push({ text: standIn(match[0]), isStandIn: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isStandIn: false });
  return pieces;
}

/** The same as one string, for lines that hold no markup. */
export function revealText(text: string): string {
  return reveal(text)
    .map((piece) => piece.text)
    .join('');
}

function standIn(match: string): string {
  if (match.length > 2 && !match.startsWith('\n')) return `[space ×${match.length}]`;
  if (match.startsWith('\n')) return `[newline ×${match.length}]`;
  return `\\u{${(match.codePointAt(0) ?? 0).toString(16)}}`;
}
