/** What is stored after each token response (clauses 2.1 and 5.5). */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires: milliseconds since 1970, computed when the answer arrived. */
  readonly expiresAt: number;
  /**
   * Set while a refresh with this refresh token is under way: milliseconds since 1970. Found by somebody who holds the
   * lock, it means that the answer was lost. A store keeps it like any other field.
   */
  readonly refreshSentAt?: number;
}

/**
 * Keeps the tokens of one user. Whoever implements it for a database needs a row per user, and a lock on that row
 * (`SELECT … FOR UPDATE`, an advisory lock) if several processes use it.
 */
export interface TokenStore {
  /** The newest pair, or undefined before the first exchange. Reads what is stored now, from no cache of its own. */
  read(): Promise<TokenPair | undefined>;
  /** Replaces the pair, whole or not at all. Once it resolves, the pair must survive a crash as far as the store can. */
  write(pair: TokenPair): Promise<void>;
  /**
   * Runs `work` while nobody else, in this process or another, runs theirs on the same tokens. `work` takes a request's
   * time, so the lock must bear that. Not re-entrant.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}
