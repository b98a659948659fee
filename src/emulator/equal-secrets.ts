import { timingSafeEqual } from 'node:crypto';

/** Compares two secrets in a time that depends on the given one's length alone, which whoever gave it knows. */
export function equalSecrets(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  const wanted = Buffer.from(expected);
  const cut = Buffer.alloc(bytes.length);
  wanted.copy(cut);
  return timingSafeEqual(bytes, cut) && bytes.length === wanted.length;
}
