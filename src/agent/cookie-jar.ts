import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isLoopback } from '../input/loopback.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  /** True if only this host gets the cookie, not its subdomains. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** Milliseconds since 1970; absent for a session cookie. */
  readonly expires?: number;
}

/**
 * Cookies of a user agent without a browser, by RFC 6265: domains, paths, expiry, `Secure` and the prefixes of names. Refuses a
 * domain without a dot for a host below it. A list of the public suffixes (4 MB) would refuse `co.uk` too, but the agents visit
 * the service's own origins only. `SameSite` and `HttpOnly` mean nothing without script.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  set(header: string, url: string): void {
    const cookie = parsed(header, new URL(url));
    if (cookie === undefined) return;
    const key = [cookie.domain, cookie.path, cookie.name].join('\n');
    // A cookie that is set again keeps its place.
    if (isOver(cookie)) this.#cookies.delete(key);
    else this.#cookies.set(key, cookie);
  }

  headerFor(url: string): string {
    const { hostname, pathname, ...at } = parts(url);
    return [...this.#cookies.values()]
      .filter((cookie) => !isOver(cookie))
      .filter(({ hostOnly, domain }) => (hostOnly ? hostname === domain : isWithin(hostname, domain)))
      .filter(({ path }) => isBelow(pathname, path))
      .filter(({ secure }) => !secure || at.trusted)
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
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
    ...(expires === undefined ? {} : { expires }),
  };
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

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** Returns the default path of a cookie: up to the last slash. */
function folderOf(pathname: string): string {
  const end = pathname.lastIndexOf('/');
  return end <= 0 ? '/' : pathname.slice(0, end);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DELIMITERS = /[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;

/**
 * Parses `Expires` as RFC 6265 section 5.1.1: parts in any order, always UTC.
 *
 * @returns milliseconds since 1970; undefined for an invalid date
 */
export function cookieDate(text: string): number | undefined {
  let time: readonly number[] | undefined;
  let [day, month, year]: (number | undefined)[] = [];
  for (const word of text.split(DELIMITERS)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(word);
    const named = MONTHS.indexOf(word.slice(0, 3).toLowerCase());
    if (time === undefined && clock) time = clock.slice(1).map(Number);
    else if (day === undefined && /^\d{1,2}(?:\D|$)/.test(word)) day = Number.parseInt(word, 10);
    else if (month === undefined && named >= 0) month = named;
    else if (year === undefined && /^\d{2,4}(?:\D|$)/.test(word)) year = fullYear(Number.parseInt(word, 10));
  }
  if (time === undefined || day === undefined || month === undefined || year === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time;
  if (day < 1 || day > 31 || year < 1601 || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(Date.UTC(year, month, day, hours, minutes, seconds));
  return date.getUTCDate() === day ? date.getTime() : undefined;
}

function fullYear(year: number): number {
  if (year >= 100) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
