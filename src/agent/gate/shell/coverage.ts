export type Span = { readonly pos: number; readonly end: number };

/**
 * Whether all of a script is accounted for: between the words, redirections and brackets that the parser found there
 * are only operators, blanks and comments. A parser that loses a token would otherwise lose a command.
 */
export function isCovered(text: string, spans: readonly Span[]): boolean {
  const sorted = [...spans].sort((left, right) => left.pos - right.pos);
  let index = 0;
  for (let next = 0; index < text.length; ) {
    const span = sorted[next];
    if (span && span.pos < index) {
      // Inside of what was passed already, e.g. the target of a redirection; anything else hides in a comment.
      if (span.end > index) return false;
      next += 1;
    } else if (span && span.pos === index) {
      index = Math.max(span.end, index + 1);
      next += 1;
    } else {
      const end = passGap(text, index);
      if (end === undefined || (span && end > span.pos)) return false;
      index = end;
    }
  }
  return true;
}

/** @returns the place behind one thing that needs no word; undefined when there is another thing */
function passGap(text: string, index: number): number | undefined {
  const character = text.charAt(index);
  if (character === '\\' && text.charAt(index + 1) === '\n') return index + 2;
  if (/[ \t\n;|&]/.test(character)) return index + 1;
  const isComment = character === '#' && (index === 0 || /[ \t\n;|&()]/.test(text.charAt(index - 1)));
  if (!isComment) return undefined;
  const end = text.indexOf('\n', index);
  return end < 0 ? text.length : end;
}
