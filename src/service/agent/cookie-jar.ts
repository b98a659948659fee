import { Cookie, CookieJar as StandardJar } from 'tough-cookie';

/**
 * Cookies of a user agent without a browser, as Chromium keeps them. Without a known `SameSite` a cookie is `Lax`, and `None` without
 * `Secure` is not stored. Loopback addresses count as trusted. `HttpOnly` means nothing without script.
 */
export class CookieJar {
  readonly #jar = new StandardJar();
  readonly #refused = new Set<string>();
  readonly #heedsSameSite: boolean;
  /** Number of cookies that were set. */
  changes = 0;

  constructor({ heedsSameSite = true }: { readonly heedsSameSite?: boolean } = {}) {
    this.#heedsSameSite = heedsSameSite;
  }

  set(header: string, url: string): void {
    const cookie = Cookie.parse(header);
    if (cookie === undefined) return;
    if (this.#heedsSameSite && cookie.sameSite === 'none' && !cookie.secure) {
      this.#refused.add(`${cookie.key} (SameSite=None without Secure)`);
      return;
    }
    cookie.sameSite ??= 'lax';
    // A host of one word, as in a container's network, may name itself.
    if (cookie.domain === new URL(url).hostname && !cookie.domain.includes('.')) cookie.domain = null;
    this.#jar.setCookieSync(cookie, url, { ignoreError: true });
    this.changes += 1;
  }

  /** Returns every cookie that has not expired. */
  all(): readonly Cookie[] {
    const { cookies = [] } = this.#jar.serializeSync() ?? {};
    return cookies.flatMap((one) => Cookie.fromJSON(one) ?? []).filter((one) => one.TTL() > 0);
  }

  /** @param crossSite the method, if a page of another site led to the address */
  headerFor(url: string, crossSite?: string): string {
    const sameSiteContext = crossSite === 'GET' ? 'lax' : 'none';
    const heeds = this.#heedsSameSite && crossSite !== undefined;
    return this.#jar.getCookieStringSync(url, heeds ? { sameSiteContext } : {});
  }

  /** Returns the cookies that do not go to an address because another site led there, or that were not stored. */
  keptBack(url: string): readonly string[] {
    const strict = this.#jar.getCookiesSync(url).filter(({ sameSite }) => sameSite === 'strict');
    const kept = this.#heedsSameSite ? strict.map(({ key }) => `${key} (SameSite=Strict)`) : [];
    return [...kept, ...this.#refused];
  }
}
