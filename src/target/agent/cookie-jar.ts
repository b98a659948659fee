import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isLoopback } from '../../document/input/loopback.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  /** True if only this host gets the cookie, not its subdomains. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly sameSite: 'strict' | 'lax' | 'none';
  /** Milliseconds since 1970; absent for a session cookie. */
  readonly expires?: number;
}

/**
 * Cookies of a user agent without a browser, by RFC 6265 and as Chromium does: domains, paths, expiry, `Secure`, `SameSite` and the
 * prefixes of names. Refuses a domain without a dot for a host below it. A list of the public suffixes (4 MB) would refuse `co.uk`
 * too, but the agents visit the service's own origins only. `HttpOnly` means nothing without script.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();
  readonly #refused = new Set<string>();
  readonly #heedsSameSite: boolean;

  constructor({ heedsSameSite = true }: { readonly heedsSameSite?: boolean } = {}) {
    this.#heedsSameSite = heedsSameSite;
  }

  set(header: string, url: string): void {
    const cookie = parsed(header, new URL(url));
    if (cookie === undefined) return;
    if (this.#heedsSameSite && cookie.sameSite === 'none' && !cookie.secure) {
      this.#refused.add(`${cookie.name} (SameSite=None without Secure)`);
      return;
    }
    const key = [cookie.domain, cookie.path, cookie.name].join('\n');
    // A cookie that is set again keeps its place.
    if (isOver(cookie)) this.#cookies.delete(key);
    else this.#cookies.set(key, cookie);
  }

  /** @param crossSite the method, if a page of another site led to the address */
  headerFor(url: string, crossSite?: string): string {
    return this.#at(url)
      .filter((cookie) => this.#goes(cookie, crossSite))
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** Returns the cookies that do not go to an address because another site led there, or that were not stored. */
  keptBack(url: string): readonly string[] {
    const strict = this.#at(url).filter((cookie) => !this.#goes(cookie, 'GET'));
    return [...strict.map(({ name }) => `${name} (SameSite=Strict)`), ...this.#refused];
  }

  #at(url: string): readonly Cookie[] {
    const { hostname, pathname, ...at } = parts(url);
    return [...this.#cookies.values()]
      .filter((cookie) => !isOver(cookie))
      .filter(({ hostOnly, domain }) => (hostOnly ? hostname === domain : isWithin(hostname, domain)))
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .filter(({ secure }) => !secure || at.trusted);
  }

  #goes({ sameSite }: Cookie, crossSite: string | undefined): boolean {
    if (crossSite === undefined || !this.#heedsSameSite || sameSite === 'none') return true;
    return sameSite === 'lax' && crossSite === 'GET';
  }
}

function parsed(header: string, url: URL): Cookie | undefined {
  const [pair = '', ...rest] = header.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = pair.slice(at + 1).trim();
  if (name === '' || /[\x00-\x1f\x7f]/.test(name + value)) return undefined;
  const attributes = attributesIn(rest);
  const { hostname, pathname, trusted } = parts(url.href);
  const wanted = domainToASCII((attributes.get('domain') ?? '').replace(/^\./, ''));
  if (attributes.get('domain') && wanted === '') return undefined;
  const hostOnly = wanted === '';
  const domain = hostOnly ? hostname : wanted;
  if (!isWithin(hostname, domain) || (hostname !== domain && !domain.includes('.'))) return undefined;
  const secure = attributes.has('secure');
  if (secure && !trusted) return undefined;
  const path = attributes.get('path');
  if (/^__(?:Secure|Host)-/i.test(name) && !secure) return undefined;
  if (/^__Host-/i.test(name) && (!hostOnly || path !== '/')) return undefined;
  const expires = expiry(attributes.get('max-age'), attributes.get('expires'));
  return {
    name,
    value,
    domain,
    hostOnly,
    path: path?.startsWith('/') ? path : folderOf(pathname),
    secure,
    sameSite: sameSiteOf(attributes.get('samesite')),
    ...(expires === undefined ? {} : { expires }),
  };
}

/** Without a known value a cookie is `Lax`. */
function sameSiteOf(value: string | undefined): Cookie['sameSite'] {
  const known = value?.toLowerCase();
  return known === 'strict' || known === 'none' ? known : 'lax';
}

function attributesIn(texts: readonly string[]): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const text of texts) {
    const [word = '', ...words] = text.split('=');
    const [key, value] = [word.trim().toLowerCase(), words.join('=').trim()];
    if (key === 'max-age' && !/^-?\d+$/.test(value)) continue;
    if (key === 'expires' && cookieDate(value) === undefined) continue;
    if (key === 'domain' && value === '') continue;
    attributes.set(key, value);
  }
  return attributes;
}

function parts(url: string): {
  readonly hostname: string;
  readonly pathname: string;
  readonly trusted: boolean;
} {
  const { hostname, pathname, protocol } = new URL(url);
  return { hostname, pathname, trusted: protocol === 'https:' || isLoopback(hostname) };
}

/** `Max-Age` has precedence over `Expires`. */
function expiry(maxAge: string | undefined, expires: string | undefined): number | undefined {
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1_000;
  return expires === undefined ? undefined : cookieDate(expires);
}

function isOver({ expires }: Cookie): boolean {
  return expires !== undefined && expires <= Date.now();
}

function isWithin(hostname: string, domain: string): boolean {
  if (hostname === domain) return true;
  return hostname.endsWith(`.${domain}`) && isIP(hostname) === 0;
}

/** Returns the default path of a cookie: up to the last slash. */
function folderOf(pathname: string): string {
  const end = pathname.lastIndexOf('/');
  return end <= 0 ? '/' : pathname.slice(0, end);
}

/** Parses `Expires`, always as UTC; undefined for an invalid date. */
export function cookieDate(text: string): number | undefined {
  // To browsers a number alone, as in `Expires=0`, is no date, so the cookie stays for the session. To the engine it is a year.
  const time = Date.parse(`${text.replace(/ *GMT$/i, '')} GMT`);
  return Number.isNaN(time) || !/[a-z]{3}/i.test(text) ? undefined : time;
}
