/** Everything that a person would not see, or that reorders what they see: controls, bidi marks, zero-width and tag characters. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
const longBlank = /[ \t\u00a0]{20,}/g;

/** Text for an approval: nothing hides. Invisible characters stand as escapes, long runs of blanks are counted. */
export function reveal(text: string): string {
  return text
    .replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(longBlank, (blanks) => ` [${blanks.length} blanks] `);
}
