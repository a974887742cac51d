/**
 * Everything that a person would not see, or that reorders what they see, or that only looks like a blank: by what Unicode says
 * of it, so that no list has to name it. Line ends, tabs and plain blanks stay.
 */
const invisible =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{8})\p{M}/gu;
const longBlank = /[ \t]{20,}/g;
const emptyLines = /\n(?:[ \t]*\n){5,}/g;

/** Text for an approval: nothing hides. Invisible characters stand as escapes, long runs of blanks and of empty lines are counted. */
export function reveal(text: string): string {
  return text
    .replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(emptyLines, (lines) => `\n[${lines.split('\n').length - 2} empty lines]\n`)
    .replace(longBlank, (blanks) => ` [${blanks.length} blanks] `);
}
