import { BlockList, isIP } from 'node:net';
import { orElse } from './or-else.ts';

export interface ProxySettings {
  readonly proxy?: URL;
  /** The key or variable that names it. Default: `proxy`. */
  readonly proxyName?: string;
  /** Value of `NO_PROXY`. */
  readonly noProxy?: string | undefined;
}

/** Returns the proxy for an address; undefined if `NO_PROXY` exempts it. */
export function proxyFor(address: string, { proxy, noProxy }: ProxySettings): URL | undefined {
  return proxy && !isExempt(new URL(address), noProxy) ? proxy : undefined;
}

/** Names the proxy before an address, to stand behind a failure; empty without one. */
export function throughProxy(address: string, settings: ProxySettings): string {
  const proxy = proxyFor(address, settings);
  return proxy === undefined
    ? ''
    : ` (through the proxy ${proxy.origin}, \`${settings.proxyName ?? 'proxy'}\`)`;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the name under which a variable is set: lower case takes precedence, as in curl. An empty one counts as missing. */
export function variableIn(env: Environment, name: string): string | undefined {
  return [name.toLowerCase(), name].find((one) => env[one]);
}

export function noProxyIn(env: Environment): string | undefined {
  return env[variableIn(env, 'NO_PROXY') ?? ''];
}

/** Tells if one of the names, addresses and networks in a list covers an address for curl or for Go. */
export function isExempt(url: URL, list = ''): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    const [, inBrackets, plain = '', only = port] =
      /^(?:\[(.*)\]|([^:]*|.*:.*:.*))(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const name = inBrackets ?? plain;
    return only === port && (name === '*' || (isIP(host) ? covers(name, host) : isBelow(host, name)));
  });
}

/** Tells if an address, or a network such as `10.0.0.0/8`, covers an address. */
function covers(entry: string, host: string): boolean {
  const [address = '', bits] = entry.split('/');
  const family = (one: string) => (isIP(one) === 6 ? 'ipv6' : 'ipv4');
  const range = new BlockList();
  return orElse(() => {
    if (bits === undefined) range.addAddress(address, family(address));
    else range.addSubnet(address, Number(bits), family(address));
    return range.check(host, family(host));
  }, false);
}

/** Tells if a host is a name or below it; `*.corp.test` covers what is below alone. */
function isBelow(host: string, entry: string): boolean {
  const name = entry.replace(/^(?:\*?\.)|\.$/g, '');
  return name !== '' && (host.endsWith(`.${name}`) || (host === name && !entry.startsWith('*')));
}
