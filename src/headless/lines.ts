/** Prints objects as lines of JSON. What comes within a moment goes out in one write, which costs as much as making its text. */
export function createLines(write: (text: string) => void): (value: object) => void {
  let waiting: object[] = [];
  const flush = () => {
    write(waiting.map((value) => `${JSON.stringify(value)}\n`).join(''));
    waiting = [];
  };
  return (value) => {
    if (waiting.length === 0) setTimeout(flush, gatherMs);
    waiting.push(value);
  };
}

/** Long enough for a request to go out first; nobody waits for a line who would notice. */
const gatherMs = 2;
