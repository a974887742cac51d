/** A file that a text names, and the lines if it names them. */
export type Place = { readonly path: string; readonly line: number | null };
export type PlacePiece = { readonly text: string; readonly place: Place | undefined };

const folder = '[\\p{L}\\p{N}_@.+~$\\[\\]()-]+';
const name =
  '[\\p{L}\\p{N}_@.+$\\[\\]()-]*[\\p{L}\\p{N}_+$\\])-]\\.[A-Za-z][A-Za-z0-9]{0,9}|\\.[A-Za-z][\\w.-]+|Makefile|Dockerfile';
const lines = '(?::(\\d{1,7})(?:[-–](\\d{1,7})|:\\d{1,5})?|#L(\\d{1,7})(?:-L?\\d{1,7})?)';
const whole = new RegExp(`^((?:\\.{0,2}/)?(?:${folder}/)*(?:${name}))${lines}?$`, 'u');
const candidate = /[\p{L}\p{N}_@.+~$/[\]()#:–-]{3,300}/gu;

/** The place that a whole string names, as inline code does. */
export function parsePlace(text: string): Place | undefined {
  const match = whole.exec(text);
  const path = match?.[1];
  if (!match || path === undefined || path.includes('//')) return undefined;
  const line = Number(match[2] ?? match[4] ?? 0);
  if (line === 0 && !path.includes('/') && !isFileName(path)) return undefined;
  return { path, line: line > 0 ? line : null };
}

/** Finds places in prose. A bare name counts only with a line, a path always, a web address never. */
export function splitPlaces(text: string): readonly PlacePiece[] {
  const pieces: PlacePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    const trimmed = trimPunctuation(match[0]);
    const start = match.index + trimmed.skipped;
    const place = isProsePlace(trimmed.text) ? parsePlace(trimmed.text) : undefined;
    if (!place) continue;
    if (start > end) pieces.push({ text: text.slice(end, start), place: undefined });
    pieces.push({ text: trimmed.text, place });
    end = start + trimmed.text.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), place: undefined });
  return pieces;
}

function isProsePlace(text: string): boolean {
  if (text.includes('://') || /^www\./.test(text)) return false;
  return text.includes('/') || /[.\w](?::\d|#L\d)/.test(text);
}

/** Names that are files even without a folder or a line, when they stand in code. */
function isFileName(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|jsonc?|py|go|rs|java|kt|rb|php|cs?|h|cc|cpp|hpp|sh|md|ya?ml|toml|html?|css|scss|sql|xml|txt|lock|svelte|vue|swift)$/.test(
    path,
  );
}

function trimPunctuation(text: string): { readonly text: string; readonly skipped: number } {
  const opened = /^[([]+/.exec(text)?.[0] ?? '';
  const isWrapped = opened !== '' && !/^\([\w-]+\)\//.test(text);
  const skipped = isWrapped ? opened.length : 0;
  return { text: text.slice(skipped).replace(/[.:\-–#/]+$|[)\]]+[.:]*$/u, ''), skipped };
}
