/** The tokens that a store keeps after each token response (clauses 2.1 and 5.5). */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Expiry of the access token in milliseconds since 1970, computed when the answer arrived. */
  readonly expiresAt: number;
  /**
   * Time of the pending refresh in milliseconds since 1970. If a client that holds the lock finds it, the answer was lost. A
   * store keeps it like any other field.
   */
  readonly refreshSentAt?: number;
}

/**
 * Keeps the tokens of one user. A database needs a row per user, and a lock on that row (`SELECT … FOR UPDATE`, an advisory lock)
 * if several processes use it.
 */
export interface TokenStore {
  /** Returns the newest pair, or undefined before the first exchange. Must not read from a cache of its own. */
  read(): Promise<TokenPair | undefined>;
  /** Replaces the pair as a whole or not at all. When it resolves, the pair must survive a crash as far as the store can. */
  write(pair: TokenPair): Promise<void>;
  /**
   * Runs `work` while no other process or caller runs theirs on the same tokens. `work` takes as long as a request. Not
   * re-entrant.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

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

export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
