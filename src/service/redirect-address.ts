import { isLoopback } from '../document/input/loopback.ts';
import { keysOf } from '../http/unreachable.ts';
import { applicationsOf, type Target } from './target.ts';

export function redirectUrisOf(target: Target): readonly string[] {
  return applicationsOf(target).flatMap(({ redirectUris }) => redirectUris);
}

/** Returns the origins of both addresses, which may be one. */
export function serviceOrigins(target: Target): readonly string[] {
  return [...keysOf(target).keys()];
}

export function isLocal({ authUrl, baseUrl }: Pick<Target, 'authUrl' | 'baseUrl'>): boolean {
  return [authUrl, baseUrl].every((url) => isLoopback(new URL(url).hostname));
}

/**
 * Returns true for a client's address: a navigation there must be caught and never delivered. If a redirect address shares its
 * origin with the service, its path decides; otherwise the origin alone, so that a wrong path of the client's host is caught too.
 */
export function isClientAddress(
  address: string,
  redirectUris: readonly string[],
  serviceOrigins: readonly string[],
): boolean {
  return redirectUris.some((redirectUri) => {
    if (redirectUri === '') return false;
    const [at, wanted] = [URL.parse(address), URL.parse(redirectUri)];
    if (at === null || wanted === null) return address.startsWith(redirectUri);
    // Custom schemes (`app:/callback`) have the origin "null".
    if (wanted.origin === 'null') return at.protocol === wanted.protocol;
    if (at.origin !== wanted.origin) return false;
    return !serviceOrigins.includes(wanted.origin) || at.pathname === wanted.pathname;
  });
}

/** Returns the first parameter of a redirect address's own query that a redirect to it lacks (RFC 6749 section 3.1.2). */
export function lostParameter(redirectUri: string, query: URLSearchParams): string | undefined {
  const own = URL.parse(redirectUri)?.searchParams ?? [];
  return [...own].find(([name, value]) => !query.getAll(name).includes(value))?.[0];
}

/**
 * Classifies a difference between redirect addresses: undefined for none, `near` if only RFC 9700 forbids it, `open`
 * for a loopback port (undocumented), else `other`.
 */
export function redirectMismatch(address: string, wanted: string): 'near' | 'open' | 'other' | undefined {
  if (address === wanted) return undefined;
  const [one, other] = [URL.parse(address), URL.parse(wanted)];
  if (one === null || other === null) return 'other';
  if (isLoopback(one.hostname) && one.hostname === other.hostname && one.port !== other.port) return 'open';
  if (one.origin !== other.origin || one.username !== other.username || one.password !== other.password)
    return 'other';
  const path = (url: URL) => url.pathname.replace(/\/$/, '').toLowerCase();
  return path(one) === path(other) ? 'near' : 'other';
}
