import { nameOf, type ProxySettings, throughProxy } from './proxy.ts';

/** Words for an address that gives no answer, by the error’s code: Node’s or Chromium’s. */
const WORDS: readonly (readonly [code: RegExp, words: string])[] = [
  [/ECONNREFUSED|CONNECTION_REFUSED/, 'refuses connections'],
  [/ENOTFOUND|EAI_AGAIN|NAME_NOT_RESOLVED/, 'has a host name that does not resolve'],
  [
    /ECONNRESET|EPIPE|socket hang up|closed twice|CONNECTION_(?:RESET|CLOSED)|EMPTY_RESPONSE/,
    'closes connections without an answer',
  ],
  [/ETIMEDOUT|TIMED_OUT/, 'does not accept connections in time'],
  [/E(?:HOST|NET)UNREACH|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED/, 'cannot be reached from this machine'],
  [/CERT_HAS_EXPIRED|CERT_DATE_INVALID/, 'has a certificate that has expired'],
  [/ALTNAME_INVALID|COMMON_NAME_INVALID/, 'has a certificate for another name'],
  [/SELF_SIGNED|UNABLE_TO_|AUTHORITY_INVALID/, 'has a certificate that no trusted authority signed'],
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long|SSL_PROTOCOL_ERROR/,
    'does not speak HTTPS',
  ],
  [
    /NO_APPLICATION_PROTOCOL|alert number 120|HPE_INVALID_CONSTANT/,
    'offers no HTTP/1.1, perhaps HTTP/2 alone',
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|alert number 70/, 'offers no TLS version from 1.2 on'],
  [/EPROTO|SSL|TLS/, 'refuses the TLS connection'],
  [/TUNNEL_CONNECTION|PROXY_CONNECTION/, 'cannot be reached'],
];

/** Says in plain words why an address gave no answer, from the code and message of the failed connection. */
export function unreachable(address: string, error: string, through: ProxySettings = {}): string {
  return `the service at ${new URL(address).origin} ${wordsFor(error)}${throughProxy(address, through)}`;
}

/** Says why the proxy itself gave no answer. */
export function proxyUnreachable(proxy: URL, settings: ProxySettings, error: string): string {
  return `${PROXY}${proxy.origin} (\`${nameOf(settings)}\`) ${wordsFor(error)}`;
}

/** Parse errors of Node, whose parser `fetch` has too, for answers that curl may read: `tests/http/wire-faults.spec.ts`. */
const CURL_MAY_READ =
  /Duplicate|character in Content-L|Transfer-Enc|header (?:token|value|field)|xpected (?:CR|LF after h|dot)|overflow|chunk size/;

function wordsFor(error: string): string {
  const [, fault] = /HPE_(?!INVALID_CONSTANT).*Parse Error: (.*)/.exec(error) ?? [];
  if (fault !== undefined)
    return `writes answers that break HTTP/1.1 (${fault}): ${CURL_MAY_READ.test(fault) ? '`fetch` refuses them, curl may read them' : 'curl and `fetch` refuse them'}`;
  return WORDS.find(([code]) => code.test(error))?.[1] ?? `gave no answer (${error})`;
}

const PROXY = 'the proxy ';

const NEEDS_PROXY = 'set `proxy` if this machine needs one (the suite reads `NO_PROXY`, not `HTTP_PROXY`)';

/** By the words of a failure the fix; KEY stands for the key of the address. */
const CURES: readonly (readonly [words: RegExp, cure: string])[] = [
  [/^the proxy /, 'correct `proxy`, or remove it'],
  [/that has expired/, 'renew the certificate; the suite accepts no expired one'],
  [/for another name/, 'write the name that the certificate has into KEY'],
  [/does not resolve/, `correct the host name in KEY, or ${NEEDS_PROXY}`],
  [/not speak HTTPS/, 'write `http://` in KEY if the service has no certificate; else correct its port'],
  [/HTTP\/2/, 'have the service or its gateway offer HTTP/1.1: the suite speaks no HTTP/2'],
  [/break HTTP/, 'have the service or its gateway write answers as RFC 9112 says'],
  [/TLS version/, 'have the service or its gateway offer TLS 1.2 or newer'],
  [
    /closes conn|refuses the TLS/,
    'check that the service runs; if it wants a client certificate, name it in `tls.client`',
  ],
  [/ /, `check that the service runs; if it does, correct KEY, its port, or ${NEEDS_PROXY}`],
];

/** Returns the fix of a failure: the advice in its own message, or the row of its words. */
export function cureOf(message: string, key: string): string {
  const advice = message.split('; ').slice(1).join('; ');
  return advice || (CURES.find(([words]) => words.test(message))?.[1] ?? '').replace('KEY', `\`${key}\``);
}

export interface Unreached {
  readonly origin: string;
  /** The run's number of the first request without an answer; absent before the first one. */
  readonly since?: number;
  /** As {@link unreachable} has it, or another failure's message; the last one. */
  readonly message: string;
  /** All messages, each once. */
  readonly said?: ReadonlySet<string>;
}

/** By origin the key of the configuration that names it. */
export function keysOf({ authUrl, baseUrl }: { readonly authUrl: string; readonly baseUrl: string }) {
  return new Map([
    [new URL(baseUrl).origin, 'baseUrl'],
    [new URL(authUrl).origin, 'authUrl'],
  ]);
}

/** Adds to each address without an answer the key of the configuration. */
export function withKeys(text: string, keys: ReadonlyMap<string, string>): string {
  return text.replace(/the service at (\S+) (?!\(`)/g, (own, origin) =>
    keys.has(origin) ? `${own}(\`${keys.get(origin)}\`) ` : own,
  );
}

/** Tells of addresses that no longer answer in one sentence. @param keys by origin the key of the configuration */
export function unreachedText(all: readonly Unreached[], keys: ReadonlyMap<string, string>): string {
  const proxy = all.find(({ message }) => message.startsWith(PROXY));
  if (proxy !== undefined) return proxy.message;
  const told = all.map(({ origin, message }) => {
    const [, words = `gives ${message}`] = /^the service at \S+ (?:\(`\w+`\) )?(.*)/.exec(message) ?? [];
    return { at: `at ${origin} (\`${keys.get(origin) ?? 'another address'}\`)`, words };
  });
  const first = told[0]?.words ?? '';
  const where = new Set(told.filter(({ words }) => words === first).map(({ at }) => at));
  const plural = (verb: string) => ({ has: 'have', does: 'do' })[verb] ?? verb.slice(0, -1);
  const words = where.size > 1 ? first.replace(/^\w+s(?= )/, plural) : first;
  const since = all.flatMap((one) => one.since ?? []);
  const act = first.startsWith('refuses') ? 'start it' : 'check that it runs,';
  const from = since.length === 0 ? '' : ` since request ${Math.min(...since)}: ${act} and run again`;
  return `the service ${[...where].join(' and ')} ${words}${from}`;
}
