import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ToolError } from '../../tools/toolError.ts';

/** Of what comes over the wire and of what it unpacks to. */
export const maxBytes = 5 * 1024 * 1024;

export type Body = { readonly text: string; readonly isCut: boolean };

/**
 * The text of an answer, unpacked up to a limit and no further.
 * @throws ToolError for what is no text, or packed in an unknown way
 */
export async function readBody(
  response: IncomingMessage,
  mediaType: string,
  charset: string | undefined,
): Promise<Body> {
  const { bytes, isCut } = await readBytes(unpack(response));
  if (bytes.subarray(0, 4096).includes(0) && !/^utf-?16/i.test(charset ?? '')) {
    throw new ToolError('The answer is no text. Only text can be fetched.');
  }
  return {
    text: decoderFor(charset ?? (mediaType.includes('html') ? declaredIn(bytes) : undefined)).decode(bytes),
    isCut,
  };
}

function unpack(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const unpacker = unpackerFor(encoding);
  if (unpacker === undefined) return response;
  let packed = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packed += chunk.length;
      if (packed > maxBytes) done(new ToolError('The answer is too long. Ask for a smaller page.'));
      else done(null, chunk);
    },
  });
  // A fault of any of them ends the last one, whose reader hears of it.
  return pipeline(response, counted, unpacker, () => undefined);
}

function unpackerFor(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new ToolError(`The answer is packed as ${encoding}, which was not asked for and is not understood.`);
  }
}

async function readBytes(stream: Readable): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop ends the stream.
      if (size > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: true };
    }
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(`The answer broke off or cannot be unpacked (${reason}). Try once more, or go on.`, { cause });
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

function declaredIn(bytes: Buffer): string | undefined {
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1];
}

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}
