import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Encoding } from '../host.ts';

export type DecodedText = { readonly text: string; readonly encoding: Encoding };

const utf8Mark = [0xef, 0xbb, 0xbf];
const utf16leMark = [0xff, 0xfe];
const utf16beMark = [0xfe, 0xff];

/**
 * Bytes as text, without the byte order mark. Encoding the result again gives the same bytes.
 * @returns undefined when the bytes are no text: NUL bytes, or UTF-16 that is not whole
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(buffer, utf16leMark)) return decodeUtf16(buffer.subarray(2), 'utf16le');
  if (startsWith(buffer, utf16beMark)) return decodeUtf16(buffer.subarray(2), 'utf16be');
  if (buffer.includes(0)) return undefined;
  if (!isUtf8(buffer)) return { text: buffer.toString('latin1'), encoding: 'latin1' };
  if (startsWith(buffer, utf8Mark)) return { text: buffer.toString('utf8', utf8Mark.length), encoding: 'utf8bom' };
  return { text: buffer.toString('utf8'), encoding: 'utf8' };
}

/**
 * Text as bytes, with the byte order mark of the encoding.
 * @returns undefined when reading the bytes would give another text: characters that the encoding lacks, NUL
 */
export function encodeText(text: string, encoding: Encoding): Uint8Array | undefined {
  switch (encoding) {
    case 'utf8':
      return isPlain(text) ? Buffer.from(text, 'utf8') : undefined;
    case 'utf8bom':
      return isPlain(text) ? Buffer.concat([Buffer.from(utf8Mark), Buffer.from(text, 'utf8')]) : undefined;
    case 'utf16le':
      return text.startsWith('\0')
        ? undefined
        : Buffer.concat([Buffer.from(utf16leMark), Buffer.from(text, 'utf16le')]);
    case 'utf16be':
      return Buffer.concat([Buffer.from(utf16beMark), Buffer.from(text, 'utf16le').swap16()]);
    case 'latin1': {
      const bytes = Buffer.from(text, 'latin1');
      return decodeText(bytes)?.text === text ? bytes : undefined;
    }
  }
}

/** The same for the same text, whatever its encoding and wherever it is held (on disk or in an editor). */
export function textVersion(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, 22);
}

function isPlain(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

function startsWith(buffer: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, index) => buffer[index] === byte);
}

function decodeUtf16(body: Buffer, encoding: 'utf16le' | 'utf16be'): DecodedText | undefined {
  if (body.length % 2 !== 0) return undefined;
  // FF FE 00 00 is the mark of UTF-32, which is not supported.
  if (encoding === 'utf16le' && body.length >= 2 && body[0] === 0 && body[1] === 0) return undefined;
  const littleEndian = encoding === 'utf16le' ? body : Buffer.from(body).swap16();
  return { text: littleEndian.toString('utf16le'), encoding };
}
