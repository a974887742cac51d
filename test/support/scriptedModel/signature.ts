import { createHash } from 'node:crypto';

/** The same in every process, so that a history outlives the server that signed it. */
const secret = 'scripted model';

const digest = (text: string): string => createHash('sha256').update(secret).update(text).digest('base64');

export const sign = (thinking: string): string => digest(thinking);
export const isSignatureValid = (thinking: string, signature: string): boolean => digest(thinking) === signature;

export const redact = (thinking: string): string => `${Buffer.from(thinking).toString('base64')}.${digest(thinking)}`;
export function isRedactedDataValid(data: string): boolean {
  const [encoded = '', signature] = data.split('.');
  return digest(Buffer.from(encoded, 'base64').toString()) === signature;
}
