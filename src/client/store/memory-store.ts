import { oneAtATime } from './one-at-a-time.ts';
import type { TokenPair, TokenStore } from './token-store.ts';

/**
 * Keeps a pair in memory: for tests and trials. The tokens are lost when the process ends, and a rotated refresh token cannot be
 * recovered.
 *
 * @param pair initial pair
 */
export function memoryStore(pair?: TokenPair): TokenStore {
  let stored = pair;
  const exclusively = oneAtATime();
  return {
    exclusively,
    read: async () => stored,
    write: async (next) => {
      stored = next;
    },
  };
}
