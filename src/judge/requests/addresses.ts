import { isLoopback } from '../../document/input/loopback.ts';
import type { Application } from '../../target/target.ts';

/** A reserved host (RFC 2606), for addresses that must never receive a code. */
const STRANGER = 'attacker.invalid';

/**
 * Returns unauthorized addresses, one per common comparison mistake: another host, a sub-domain, the authorized host as
 * prefix, suffix, pattern or userinfo; another, deeper or longer path; another scheme or port.
 */
export function unauthorizedAddresses({ redirectUris }: Pick<Application, 'redirectUris'>) {
  const uri = redirectUris[0];
  const parsed = new URL(uri);
  const rest = uri.slice(uri.indexOf(parsed.host) + parsed.host.length);
  const { protocol, host, hostname } = parsed;
  const at = (newProtocol: string, authority: string, tail: string) => `${newProtocol}//${authority}${tail}`;
  const others = (addresses: readonly string[]) =>
    addresses.filter((address) => !redirectUris.includes(address));
  return {
    host: others([
      at(protocol, STRANGER, rest),
      at(protocol, `evil.${host}`, rest),
      at(protocol, `${host}.${STRANGER}`, rest),
      at(protocol, `${hostname.replaceAll('.', '-')}.${STRANGER}`, rest),
      at(protocol, `evil${host}`, rest),
      at(protocol, `${host}@${STRANGER}`, rest),
      ...(/[a-z]/i.test(hostname) ? [at(protocol, host.replace('.', '-'), rest)] : []),
    ]),
    path: others([
      at(protocol, host, '/elsewhere'),
      at(protocol, host, `/elsewhere${rest}`),
      `${uri.split('?')[0]}/deeper`,
      `${uri.split('?')[0]}x`,
    ]),
    origin: others([
      at(protocol === 'https:' ? 'http:' : 'https:', host, rest),
      ...(isLoopback(hostname) ? [] : [at(protocol, `${hostname}:8443`, rest)]),
    ]),
  };
}

/** Returns variants that an exact comparison rejects (RFC 9700 section 2.1): query, trailing slash, letter case, fragment. */
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
