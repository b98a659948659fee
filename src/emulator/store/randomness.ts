import { createHash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** Creates unguessable values: url-safe, at least 128 bits (RFC 6749 section 10.10). */
export interface Randomness {
  /** Returns a new value of `bytes` bytes, base64url-encoded. */
  token(bytes?: number): string;
}

/** Default bytes of a token: 43 characters. */
const TOKEN_BYTES = 32;

const POOL_BYTES = 8_192;

/** Draws from the system's random source in bulk, because each draw costs more than a token. */
export function createRandomness(): Randomness {
  const pool = Buffer.allocUnsafe(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    token(bytes = TOKEN_BYTES) {
      if (used + bytes > POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      const from = used;
      used += bytes;
      return pool.toString('base64url', from, used);
    },
  };
}

/** Returns the same values for the same seed, for tests that compare whole answers. Not secret. */
export function createSeededRandomness(seed: string): Randomness {
  let count = 0;
  return {
    token(bytes = TOKEN_BYTES) {
      count += 1;
      const digest = createHash('sha512').update(`${seed}\n${count}`).digest();
      return digest.toString('base64url', 0, Math.min(bytes, digest.length));
    },
  };
}

/** Compares two secrets in a time that depends only on the length of `given`, which the sender knows. */
export function equalSecrets(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  const wanted = Buffer.from(expected);
  const cut = Buffer.alloc(bytes.length);
  wanted.copy(cut);
  return timingSafeEqual(bytes, cut) && bytes.length === wanted.length;
}
