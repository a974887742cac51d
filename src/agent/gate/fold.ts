/** One spelling for names that some file systems do not tell apart. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
