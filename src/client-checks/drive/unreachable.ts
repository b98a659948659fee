import dns from 'node:dns';

/** Names below `localhost` are loopback (RFC 6761 section 6.3), but many systems do not resolve them. */
const { lookup } = dns;
dns.lookup = Object.assign(
  (name: string, ...rest: readonly unknown[]) =>
    Reflect.apply(lookup, dns, [/\.localhost$/i.test(name) ? 'localhost' : name, ...rest]),
  lookup,
);

/** Returns why `fetch` failed to reach an address, with the fix; undefined if waiting may help. */
export function whyUnreachable(error: unknown, address: string): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const { hostname, origin } = new URL(address);
  if (code === 'ENOTFOUND')
    return `${origin}: the name ${hostname} does not resolve on this machine: use 127.0.0.1, localhost or a name below localhost`;
  if (/CERT|SIGNATURE|SELF_SIGNED/.test(code))
    return `${origin}: its certificate is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS, or let the application listen on http`;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return `${origin}: it speaks no TLS: begin its address with http://`;
  return undefined;
}
