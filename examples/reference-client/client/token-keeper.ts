import { AuthorizationNeeded, ClientError, RefreshLost, TokenRefused, TokenStoreFailed } from './errors.ts';
import type { Settings } from './options.ts';
import type { TokenPair } from './store/token-store.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** A new pair that could not be written yet. */
interface Unsaved {
  readonly pair: TokenPair;
  /** Refresh token of the replaced pair; absent for a pair that replaces any other. */
  readonly replaces?: string;
}

/** Keeps the pair of one user: refreshes it in time and only once, and stores a new pair before its first use (clause 5.5). */
export class TokenKeeper {
  readonly #settings: Settings;
  readonly #endpoint: TokenEndpoint;
  #refreshing: Promise<TokenPair> | undefined;
  #unsaved: Unsaved | undefined;
  /** A refresh token refused with `invalid_grant`. It is never sent again. */
  #dead: { readonly refreshToken: string; readonly refusal: TokenRefused } | undefined;

  constructor(settings: Settings, endpoint: TokenEndpoint) {
    this.#settings = settings;
    this.#endpoint = endpoint;
  }

  /** Returns the stored pair, expired or not. @throws AuthorizationNeeded, TokenStoreFailed */
  async current(): Promise<TokenPair> {
    if (this.#unsaved !== undefined) await this.#exclusively(() => this.#saveAtLast());
    return this.#stored();
  }

  /** True from `expiryLeewaySeconds` before the expiry on. */
  isExpired({ expiresAt }: TokenPair): boolean {
    const { now, expiryLeewaySeconds } = this.#settings;
    return now() >= expiresAt - expiryLeewaySeconds * 1000;
  }

  /** Stores the pair of an exchange in place of any other. @throws TokenStoreFailed */
  async keep(pair: TokenPair): Promise<void> {
    const unsaved = { pair };
    // From here on the pair cannot be obtained again, even if the lock fails.
    this.#unsaved = unsaved;
    await this.#exclusively(() => this.#save(unsaved));
  }

  /**
   * Returns a pair newer than the given one. Concurrent callers share one refresh. If another keeper or process has refreshed
   * meanwhile, returns its pair and sends nothing.
   *
   * @param recover sends the stored refresh token although the answer to its last use was lost
   * @throws RefreshLost, TokenRefused, TokenStoreFailed and all other errors of the token endpoint
   */
  successorOf(stale: TokenPair, recover = false): Promise<TokenPair> {
    this.#refreshing ??= this.#exclusively(() => this.#refreshUnlessDone(stale, recover)).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshUnlessDone(stale: TokenPair, recover: boolean): Promise<TokenPair> {
    await this.#saveAtLast();
    const stored = await this.#stored();
    if (stored.accessToken !== stale.accessToken && !this.isExpired(stored)) return stored;
    if (this.#dead?.refreshToken === stored.refreshToken) throw this.#dead.refusal;
    if (stored.refreshSentAt !== undefined && !recover) throw new RefreshLost();

    // Written first: if this process dies before the answer is stored, the next one must not send the token again.
    await this.#write({ ...stored, refreshSentAt: this.#settings.now() });
    const pair = await this.#endpoint
      .refresh(stored.refreshToken)
      .catch((error: unknown) => this.#failed(error, stored));
    await this.#save({ pair, replaces: stored.refreshToken });
    return pair;
  }

  /** Removes the mark unless the answer was lost: the stored pair is still valid, and a later call may try again. */
  async #failed(error: unknown, { accessToken, refreshToken, expiresAt }: TokenPair): Promise<never> {
    if (error instanceof TokenRefused && error.error === 'invalid_grant') {
      this.#dead = { refreshToken, refusal: error };
    }
    if (!(error instanceof RefreshLost)) {
      // If this write fails the mark stays, and a later call reports a lost refresh: too careful, but not wrong.
      await this.#write({ accessToken, refreshToken, expiresAt }).catch(() => undefined);
    }
    throw error;
  }

  async #save(unsaved: Unsaved): Promise<void> {
    this.#unsaved = unsaved;
    await this.#write(unsaved.pair);
    if (this.#unsaved === unsaved) this.#unsaved = undefined;
  }

  /** Writes the pair whose first write failed, unless another keeper has stored or removed one since. */
  async #saveAtLast(): Promise<void> {
    const unsaved = this.#unsaved;
    if (unsaved === undefined) return;
    const { replaces } = unsaved;
    if (replaces === undefined || (await this.#read())?.refreshToken === replaces) await this.#save(unsaved);
    else this.#unsaved = undefined;
  }

  async #stored(): Promise<TokenPair> {
    const pair = await this.#read();
    if (pair === undefined) throw new AuthorizationNeeded();
    return pair;
  }

  async #read(): Promise<TokenPair | undefined> {
    return await this.#settings.store
      .read()
      .catch((error: unknown) => storeFailed(error, 'the tokens cannot be read'));
  }

  async #write(pair: TokenPair): Promise<void> {
    await this.#settings.store
      .write(pair)
      .catch((error: unknown) => storeFailed(error, 'the tokens cannot be written'));
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return await this.#settings.store
      .exclusively(work)
      .catch((error: unknown) => storeFailed(error, 'the tokens cannot be locked'));
  }
}

/** The error of a custom store may quote the tokens (a database quotes its statement), so it is not kept as the cause. */
function storeFailed(error: unknown, message: string): never {
  if (error instanceof ClientError) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  throw new TokenStoreFailed(
    `${message}: the store threw ${name}. Its message is withheld, it may quote a token`,
  );
}
