/** One spelling for names that some file systems do not tell apart. As long as before, so that `?` still stands for one of its letters. */
export function fold(text: string): string {
  return text.normalize('NFC').replace(/./gsu, foldLetter);
}

/** Some letters share their capital alone, such as `s` and the long `ſ`. */
function foldLetter(letter: string): string {
  const capital = letter.toUpperCase();
  return (capital.length === letter.length ? capital : letter).toLowerCase();
}
