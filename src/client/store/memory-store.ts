import { oneAtATime } from './one-at-a-time.ts';
import type { TokenPair, TokenStore } from './token-store.ts';

/**
 * Keeps a pair in memory: for tests and trials. When the process ends the tokens are gone, and with a rotated refresh
 * token nobody gets them back.
 *
 * @param pair to begin with
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
