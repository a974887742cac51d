const lineEnd = /\r\n|\r|\n/g;

/**
 * The text that the user left in a buffer, with the line ends of the text the buffer was made of: the editor shows one kind
 * of line end per document, so lines that were not touched get their own back.
 */
export function amendedText(proposed: string, shown: string): string {
  if (withPlainEnds(proposed) === withPlainEnds(shown)) return proposed;
  const kinds = new Set(proposed.match(lineEnd));
  if (kinds.size === 0) return shown;
  const [kind = '\n'] = kinds;
  if (kinds.size === 1) return shown.replace(lineEnd, kind);
  return splice(toLines(proposed), toLines(shown));
}

function withPlainEnds(text: string): string {
  return text.replace(lineEnd, '\n');
}

/** Lines with their ends. */
function toLines(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function splice(own: readonly string[], edited: readonly string[]): string {
  const isSame = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && withPlainEnds(a) === withPlainEnds(b);
  const shorter = Math.min(own.length, edited.length);
  let head = 0;
  while (head < shorter && isSame(own[head], edited[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(own[own.length - 1 - tail], edited[edited.length - 1 - tail])) tail += 1;
  return [...own.slice(0, head), ...edited.slice(head, edited.length - tail), ...own.slice(own.length - tail)].join('');
}
