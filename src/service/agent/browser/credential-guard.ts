import type { BrowserContext, Route } from 'playwright-core';
import { SecretRegistry } from '../../../http/secrets/registry.ts';
import type { CredentialSource } from '../sign-in-values.ts';
import type { ForeignOrigin } from '../trusted-origins.ts';
import { settles, withPageDeadline } from './deadline.ts';

export interface GuardedRequest {
  readonly url: string;
  readonly body: string | undefined;
}

/** Shorter values match only as whole words, because they may be part of any address. */
const SHORTEST_PART = 12;

/**
 * Keeps the password and one-time codes from untrusted origins even after typing: changed form targets, redirects that
 * repeat the form, the page's own requests.
 */
export class CredentialGuard {
  readonly #source: CredentialSource;
  readonly #typed = new SecretRegistry();
  #refused: ForeignOrigin | undefined;
  #report = Promise.withResolvers<void>();

  constructor(source: CredentialSource) {
    this.#source = source;
    const { password = '' } = source.owner;
    if (password !== '') this.#typed.register('password', password);
  }

  get source(): CredentialSource {
    const { totp } = this.#source;
    if (totp === undefined) return this.#source;
    return {
      ...this.#source,
      totp: async () => {
        const code = await totp();
        this.#typed.register('secret', code);
        return code;
      },
    };
  }

  /** The reason for stopping a request since {@link guarding} began; undefined if none was stopped. */
  get refused(): ForeignOrigin | undefined {
    return this.#refused;
  }

  get whenRefused(): Promise<void> {
    return this.#report.promise;
  }

  stops({ url, body }: GuardedRequest): boolean {
    if (!/^(?:https?|wss?):/.test(url) || this.#source.trusted.has(url)) return false;
    const holds = body === undefined || this.#isIn(url) || this.#isIn(body);
    if (!holds) return false;
    if (body !== undefined) {
      this.#refused ??= this.#source.trusted.refusal(url, 'would be sent');
      this.#report.resolve();
    }
    return true;
  }

  /**
   * Watches everything that a browser context sends during `act`, pop-ups and frames included. Redirects are only seen by the
   * page's `RedirectCatcher`.
   * @throws PageSilent if the browser does not watch by the deadline; `act` was not called
   */
  async guarding<T>(context: BrowserContext, deadlineMs: number, act: () => Promise<T>): Promise<T> {
    this.#refused = undefined;
    this.#report = Promise.withResolvers();
    const watch = async (route: Route) => {
      const request = route.request();
      const body = request.postDataBuffer()?.toString('latin1') ?? '';
      if (this.stops({ url: request.url(), body })) await route.abort('blockedbyclient');
      else await route.fallback();
    };
    try {
      await withPageDeadline(context.route('**', watch), deadlineMs, 'prepared to sign in');
      return await act();
    } finally {
      await settles(context.unroute('**', watch));
    }
  }

  #isIn(text: string): boolean {
    return this.#typed.find(text).some(({ begin, end }) => {
      const [before = '', after = ''] = [text[begin - 1], text[end]];
      return end - begin >= SHORTEST_PART || !(/[A-Za-z0-9]/.test(before) || /[A-Za-z0-9]/.test(after));
    });
  }
}
