import type { AuthorizeOutcome } from '../agent/user-agent.ts';
import { isClientAddress } from '../targets/redirect-address.ts';
import type { Target } from '../targets/target.ts';
import { ConformanceFailure } from './outcome.ts';

/** A host that nobody owns (RFC 2606), for addresses that must never receive a code. */
const STRANGER = 'attacker.invalid';

/**
 * Addresses that are not authorized, one for each mistake that services make when they compare: other host, sub-domain,
 * the authorized host as a prefix, a suffix, a pattern or as userinfo, other path, deeper path, other directory, other
 * scheme, other port, and what another application has authorized.
 *
 * @returns none of the application's own
 */
export function unauthorizedAddresses({ application, secondApplication }: Target): readonly string[] {
  const authorized = application.redirectUris;
  const uri = authorized[0];
  const parsed = new URL(uri);
  const rest = uri.slice(uri.indexOf(parsed.host) + parsed.host.length);
  const { protocol, host, hostname } = parsed;
  const at = (newProtocol: string, authority: string, tail: string) => `${newProtocol}//${authority}${tail}`;
  const addresses = [
    at(protocol, STRANGER, rest),
    at(protocol, `evil.${host}`, rest),
    at(protocol, `${host}.${STRANGER}`, rest),
    at(protocol, `${hostname.replaceAll('.', '-')}.${STRANGER}`, rest),
    at(protocol, `evil${host}`, rest),
    at(protocol, `${host}@${STRANGER}`, rest),
    ...(/[a-z]/i.test(hostname) ? [at(protocol, host.replace('.', '-'), rest)] : []),
    at(protocol, host, '/elsewhere'),
    at(protocol, host, `/elsewhere${rest}`),
    `${uri.split('?')[0]}/deeper`,
    `${uri.split('?')[0]}x`,
    at(protocol === 'https:' ? 'http:' : 'https:', host, rest),
    ...(isLoopback(hostname) ? [] : [at(protocol, `${hostname}:8443`, rest)]),
    ...(secondApplication?.redirectUris ?? []),
  ];
  return addresses.filter((address) => !authorized.includes(address));
}

/** Variants that an exact comparison refuses (RFC 9700 section 2.1): query, trailing slash, letter case, fragment. */
export function variantsOfAddress(uri: string): readonly string[] {
  const { pathname } = new URL(uri);
  const upper = pathname.toUpperCase() === pathname ? pathname.toLowerCase() : pathname.toUpperCase();
  return [
    `${uri}${uri.includes('?') ? '&' : '?'}added=1`,
    `${uri}/`,
    ...(upper === pathname ? [] : [uri.replace(pathname, upper)]),
    `${uri}#fragment`,
  ];
}

/** Demands that the browser was not sent to an address that is not authorized. */
export function expectNoDelivery(
  outcome: AuthorizeOutcome,
  address: string,
  authorized: readonly [string, ...string[]],
): void {
  const { caught } = outcome;
  if (caught === undefined) return;
  const [reached] = caught.url.split(/[?#]/);
  if (authorized.some((uri) => uri.split('?')[0] === reached)) return;
  if (!isClientAddress(caught.url, [address], [])) return;
  throw new ConformanceFailure(
    'no redirect to an address that is not authorized',
    `a redirect to ${reached}`,
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
