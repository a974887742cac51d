import { createWriteStream, type WriteStream } from 'node:fs';

export const maxFileChars = 100 * 1024 * 1024;

export type CollectedOutput = { readonly output: string; readonly outputChars: number; readonly isTruncated: boolean };

/**
 * Output of a command: head and tail in memory, the whole in a file, if there is to be one, once memory is full. The file
 * ends at `maxFileChars`.
 */
export interface OutputBuffer {
  /** @returns false when the file cannot keep up; `whenReady` is called once it can */
  add(text: string): boolean;
  /** Ends the file. Output stays available when the file could not be written. */
  end(): Promise<CollectedOutput>;
}

export function createOutputBuffer(maxChars: number, file: string | undefined, whenReady: () => void): OutputBuffer {
  const headLimit = Math.ceil(maxChars / 2);
  const tailLimit = maxChars - headLimit;
  let head = '';
  let tail = '';
  let total = 0;
  let stream: WriteStream | undefined;
  let hasFailed = false;

  function openFile(path: string): WriteStream {
    const opened = createWriteStream(path, { flags: 'w', mode: 0o600 });
    opened.on('error', () => {
      hasFailed = true;
      whenReady();
    });
    opened.on('drain', whenReady);
    opened.write(head + tail);
    return opened;
  }

  return {
    add(text) {
      const before = total;
      total += text.length;
      if (total > maxChars && file !== undefined) stream ??= openFile(file);
      const room = Math.max(0, headLimit - before);
      head += text.slice(0, room);
      tail += text.slice(room);
      // Cut at times only: cutting at every chunk would copy the tail each time.
      if (tail.length > 2 * tailLimit + 65_536) tail = tail.slice(-tailLimit);
      if (!stream || hasFailed || before >= maxFileChars) return true;
      return stream.write(text) || hasFailed;
    },
    async end() {
      const opened = stream;
      if (opened && !hasFailed) {
        await new Promise<void>((resolve) => {
          opened.once('error', () => resolve());
          opened.end(() => resolve());
        });
      }
      if (total <= maxChars) return { output: head + tail, outputChars: total, isTruncated: false };
      const end = tail.slice(-tailLimit);
      const left = total - head.length - end.length;
      return { output: `${head}\n[… ${left} characters left out …]\n${end}`, outputChars: total, isTruncated: true };
    },
  };
}
