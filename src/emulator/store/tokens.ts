import type { Grant, TokenPair } from '../records.ts';
import type { Scopes } from '../scopes.ts';
import type { Tokens } from '../store.ts';
import { type Place, TextShelf } from './text-shelf.ts';

/** How many retired token pairs are still told apart from tokens that never were. */
const RETIRED_KEPT = 50_000;

/** Token pairs in memory. */
export class MemoryTokens implements Tokens {
  readonly #byAccess = new TextShelf<ShelvedPair>();
  readonly #byRefresh = new TextShelf<ShelvedPair>();
  readonly #shelves: Shelves = { access: this.#byAccess, refresh: this.#byRefresh };
  /** Ring of pairs both of whose tokens are dead, so that a chain of refreshes keeps a bounded past. */
  readonly #retired: ShelvedPair[] = [];
  #next = 0;
  #accessCount = 0;
  #refreshCount = 0;

  get size(): number {
    return this.#byAccess.size;
  }

  add(made: TokenPair): TokenPair {
    const { accessToken, refreshToken } = made;
    // Another pair may have the same token: a policy need not rotate. It keeps a copy, and its ordinal counts for both.
    const [sameAccess, sameRefresh] = [this.#byAccess.get(accessToken), this.#byRefresh.get(refreshToken)];
    sameAccess?.takeTexts();
    sameRefresh?.takeTexts();
    const pair = new ShelvedPair(made, this.#shelves);
    pair.accessOrdinal = sameAccess?.accessOrdinal ?? ++this.#accessCount;
    pair.refreshOrdinal = sameRefresh?.refreshOrdinal ?? ++this.#refreshCount;
    pair.grant.latest = pair;
    return pair;
  }

  byAccessToken(value: string): TokenPair | undefined {
    return this.#byAccess.get(value);
  }

  byRefreshToken(value: string): TokenPair | undefined {
    return this.#byRefresh.get(value);
  }

  revokeAccess(pair: TokenPair): void {
    if (pair.accessRevoked) return;
    pair.accessRevoked = true;
    if (pair.refreshRevoked) this.#retire(pair);
  }

  revokeRefresh(pair: TokenPair): void {
    if (pair.refreshRevoked) return;
    pair.refreshRevoked = true;
    if (pair.accessRevoked) this.#retire(pair);
  }

  values(): Iterable<TokenPair> {
    return this.#byAccess.values();
  }

  #retire(pair: TokenPair): void {
    pair.supersedes = undefined;
    if (!(pair instanceof ShelvedPair)) return;
    const forgotten = this.#retired[this.#next];
    this.#retired[this.#next] = pair;
    this.#next = (this.#next + 1) % RETIRED_KEPT;
    if (forgotten === undefined) return;
    const { accessToken, refreshToken } = forgotten;
    forgotten.takeTexts();
    if (this.#byAccess.get(accessToken) === forgotten) this.#byAccess.delete(accessToken);
    if (this.#byRefresh.get(refreshToken) === forgotten) this.#byRefresh.delete(refreshToken);
  }
}

/** A pair that knows where its tokens are. */
class ShelvedPair implements TokenPair {
  accessOrdinal = 0;
  refreshOrdinal = 0;
  readonly grant: Grant;
  readonly scopes: Scopes;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly refreshExpiresAt: number | undefined;
  accessRevoked = false;
  refreshRevoked = false;
  supersedes: TokenPair | undefined;
  readonly #shelves: Shelves;
  #access: Place;
  #refresh: Place;

  constructor(made: TokenPair, shelves: Shelves) {
    this.grant = made.grant;
    this.scopes = made.scopes;
    this.issuedAt = made.issuedAt;
    this.expiresAt = made.expiresAt;
    this.refreshExpiresAt = made.refreshExpiresAt;
    this.accessRevoked = made.accessRevoked;
    this.refreshRevoked = made.refreshRevoked;
    this.supersedes = made.supersedes;
    this.#shelves = shelves;
    this.#access = shelves.access.set(made.accessToken, this);
    this.#refresh = shelves.refresh.set(made.refreshToken, this);
  }

  get accessToken(): string {
    return this.#shelves.access.textAt(this.#access);
  }

  get refreshToken(): string {
    return this.#shelves.refresh.textAt(this.#refresh);
  }

  /** Keeps its tokens by itself from now on: their places are another pair's. */
  takeTexts(): void {
    this.#access = this.accessToken;
    this.#refresh = this.refreshToken;
  }
}

interface Shelves {
  readonly access: TextShelf<ShelvedPair>;
  readonly refresh: TextShelf<ShelvedPair>;
}
