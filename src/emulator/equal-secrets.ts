import { timingSafeEqual } from 'node:crypto';

/** Compares two secrets in a time that depends only on the length of `given`, which the sender knows. */
export function equalSecrets(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  const wanted = Buffer.from(expected);
  const cut = Buffer.alloc(bytes.length);
  wanted.copy(cut);
  return timingSafeEqual(bytes, cut) && bytes.length === wanted.length;
}
