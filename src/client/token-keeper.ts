import { AuthorizationNeeded, ClientError, RefreshLost, TokenRefused, TokenStoreFailed } from './errors.ts';
import type { Settings } from './options.ts';
import type { TokenPair } from './store/token-store.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** A new pair that could not be written yet. */
interface Unsaved {
  readonly pair: TokenPair;
  /** Refresh token of the pair that it succeeds; absent for a pair that succeeds whatever there is. */
  readonly replaces?: string;
}

/** Keeps the pair of one user: reads it, refreshes it in time and once, writes it before it is used (clause 5.5). */
export class TokenKeeper {
  readonly #settings: Settings;
  readonly #endpoint: TokenEndpoint;
  #refreshing: Promise<TokenPair> | undefined;
  #unsaved: Unsaved | undefined;
  /** A refresh token that was refused with `invalid_grant`, and how. It is not sent again. */
  #dead: { readonly refreshToken: string; readonly refusal: TokenRefused } | undefined;

  constructor(settings: Settings, endpoint: TokenEndpoint) {
    this.#settings = settings;
    this.#endpoint = endpoint;
  }

  /** The stored pair, however old. @throws AuthorizationNeeded, TokenStoreFailed */
  async current(): Promise<TokenPair> {
    if (this.#unsaved !== undefined) await this.#exclusively(() => this.#saveAtLast());
    return this.#stored();
  }

  /** Whether the access token counts as expired: from `expiryLeewaySeconds` before its expiry on. */
  isExpired({ expiresAt }: TokenPair): boolean {
    const { now, expiryLeewaySeconds } = this.#settings;
    return now() >= expiresAt - expiryLeewaySeconds * 1000;
  }

  /** Stores the pair of an exchange in place of whatever there was. @throws TokenStoreFailed */
  async keep(pair: TokenPair): Promise<void> {
    const unsaved = { pair };
    // From here on the pair cannot be had again, also if the lock cannot be taken.
    this.#unsaved = unsaved;
    await this.#exclusively(() => this.#save(unsaved));
  }

  /**
   * A pair newer than the given one. All who ask at the same time share one refresh; if another keeper, in this process
   * or another, has refreshed meanwhile, its pair is returned and nothing is sent.
   *
   * @param recover sends the stored refresh token although the answer to its last use was lost
   * @throws RefreshLost, TokenRefused, TokenStoreFailed and whatever else the token endpoint throws
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

  /** Takes the mark back unless the answer was lost: the stored pair stands then, and a later call may try again. */
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

  /** Writes the pair whose first writing failed, unless another keeper has stored, or removed, another one since. */
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

/** What a store of the application's own throws may quote the tokens (a database quotes its statement), so it is not kept. */
function storeFailed(error: unknown, message: string): never {
  if (error instanceof ClientError) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  throw new TokenStoreFailed(
    `${message}: the store threw ${name}. Its message is withheld, it may quote a token`,
  );
}
