import { TransportFailure } from './exchange.ts';
import { type ProxySettings, throughProxy } from './proxy.ts';

interface Silence {
  /** Codes and messages of Node and Chromium. */
  readonly errors: RegExp;
  /** The words about one address, and about several. */
  readonly one: string;
  readonly several: string;
  /** The fix; KEY stands for the key of the address. */
  readonly fix: string;
}

const NEEDS_PROXY = 'set `proxy` if this machine needs one (the suite reads `NO_PROXY`, not `HTTP_PROXY`)';

const RUNS = `check that the service runs; if it does, correct KEY, its port, or ${NEEDS_PROXY}`;

const CLIENT_CERTIFICATE =
  'check that the service runs; if it wants a client certificate, name it in `tls.client`';

/** The ways in which an address gives no answer. The first whose errors match counts. */
const SILENCES = {
  // Node says behind the colon which rule of HTTP/1.1 an answer breaks.
  'broken HTTP': {
    errors: /HPE_(?!INVALID_CONSTANT).*Parse Error: (.*)/,
    one: 'writes answers that break HTTP/1.1',
    several: 'write answers that break HTTP/1.1',
    fix: 'have the service or its gateway write answers as RFC 9112 says',
  },
  refused: {
    errors: /ECONNREFUSED|CONNECTION_REFUSED/,
    one: 'refuses connections',
    several: 'refuse connections',
    fix: RUNS,
  },
  unresolved: {
    errors: /ENOTFOUND|EAI_AGAIN|NAME_NOT_RESOLVED/,
    one: 'has a host name that does not resolve',
    several: 'have host names that do not resolve',
    fix: `correct the host name in KEY, or ${NEEDS_PROXY}`,
  },
  closed: {
    errors: /ECONNRESET|EPIPE|socket hang up|CONNECTION_(?:RESET|CLOSED)|EMPTY_RESPONSE/,
    one: 'closes connections without an answer',
    several: 'close connections without an answer',
    fix: CLIENT_CERTIFICATE,
  },
  late: {
    errors: /ETIMEDOUT|TIMED_OUT/,
    one: 'does not accept connections in time',
    several: 'do not accept connections in time',
    fix: RUNS,
  },
  unroutable: {
    errors: /E(?:HOST|NET)UNREACH|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED/,
    one: 'cannot be reached from this machine',
    several: 'cannot be reached from this machine',
    fix: RUNS,
  },
  'certificate expired': {
    errors: /CERT_HAS_EXPIRED|CERT_DATE_INVALID/,
    one: 'has a certificate that has expired',
    several: 'have certificates that have expired',
    fix: 'renew the certificate; the suite accepts no expired one',
  },
  'certificate of another name': {
    errors: /ALTNAME_INVALID|COMMON_NAME_INVALID/,
    one: 'has a certificate for another name',
    several: 'have certificates for other names',
    fix: 'write the name that the certificate has into KEY',
  },
  'certificate not trusted': {
    errors: /SELF_SIGNED|UNABLE_TO_|AUTHORITY_INVALID/,
    one: 'has a certificate that no trusted authority signed',
    several: 'have certificates that no trusted authority signed',
    fix: RUNS,
  },
  'plain HTTP': {
    errors: /WRONG_VERSION_NUMBER|wrong version number|packet length too long|SSL_PROTOCOL_ERROR/,
    one: 'does not speak HTTPS',
    several: 'do not speak HTTPS',
    fix: 'write `http://` in KEY if the service has no certificate; else correct its port',
  },
  'HTTP/2 alone': {
    errors: /NO_APPLICATION_PROTOCOL|alert number 120|HPE_INVALID_CONSTANT/,
    one: 'offers no HTTP/1.1, perhaps HTTP/2 alone',
    several: 'offer no HTTP/1.1, perhaps HTTP/2 alone',
    fix: 'have the service or its gateway offer HTTP/1.1: the suite speaks no HTTP/2',
  },
  'old TLS': {
    errors: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|alert number 70/,
    one: 'offers no TLS version from 1.2 on',
    several: 'offer no TLS version from 1.2 on',
    fix: 'have the service or its gateway offer TLS 1.2 or newer',
  },
  'TLS refused': {
    errors: /EPROTO|SSL|TLS/,
    one: 'refuses the TLS connection',
    several: 'refuse the TLS connection',
    fix: CLIENT_CERTIFICATE,
  },
  proxy: {
    errors: /TUNNEL_CONNECTION|PROXY_CONNECTION/,
    one: 'cannot be reached',
    several: 'cannot be reached',
    fix: RUNS,
  },
} as const satisfies Readonly<Record<string, Silence>>;

/** The way in which an address gave no answer; `unknown` for an error that no row names. */
type SilenceKind = keyof typeof SILENCES | 'unknown';

interface Silent {
  readonly origin: string;
  readonly how: SilenceKind;
  /** The error of Node or the browser. */
  readonly error: string;
  /** Names the proxy before the address, or is empty. */
  readonly through: string;
  /** The proxy itself gave no answer, or refused: its address with its key or variable. */
  readonly proxy?: string;
  /** The words in place of those of its row. */
  readonly words?: string;
  /** The fix, where the error itself tells more than its row. */
  readonly advice?: string | undefined;
  /** The key of the configuration that names the address. */
  readonly key?: string | undefined;
}

/** No connection to an address, or none that lasts until an answer. Its message has the address, its key, and the reason. */
export class Unreachable extends TransportFailure {
  readonly silent: Silent;

  constructor(silent: Silent, cause?: Error) {
    const { origin, proxy, key } = silent;
    const at = proxy ?? `the service at ${origin}${key === undefined ? '' : ` (\`${key}\`)`}`;
    super('connection', `${at} ${wordsOf(silent)}`, { cause });
    this.silent = silent;
  }

  /** Returns the same with the key of the configuration that names the address. */
  named(keys: ReadonlyMap<string, string>): Unreachable {
    const key = keys.get(this.silent.origin);
    return key === undefined ? this : new Unreachable({ ...this.silent, key }, this);
  }
}

function wordsOf(silent: Silent, count: 'one' | 'several' = 'one'): string {
  const { advice } = silent;
  return `${reasonOf(silent, count)}${advice === undefined ? '' : `; ${advice}`}`;
}

function reasonOf({ how, error, through, words }: Silent, count: 'one' | 'several'): string {
  if (words !== undefined) return words;
  if (how === 'unknown') return `gave no answer (${error})${through}`;
  const [, fault] = how === 'broken HTTP' ? (SILENCES[how].errors.exec(error) ?? []) : [];
  return `${SILENCES[how][count]}${fault === undefined ? '' : faultText(fault)}${through}`;
}

/** Parse errors of Node, whose parser `fetch` has too, for answers that curl may read: `tests/http/wire-faults.spec.ts`. */
const CURL_MAY_READ =
  /Duplicate|character in Content-L|Transfer-Enc|header (?:token|value|field)|xpected (?:CR|LF after h|dot)|overflow|chunk size/;

function faultText(fault: string): string {
  const who = CURL_MAY_READ.test(fault)
    ? '`fetch` refuses them, curl may read them'
    : 'curl and `fetch` refuse them';
  return ` (${fault}): ${who}`;
}

function howOf(error: string): SilenceKind {
  const rows = Object.entries(SILENCES) as [keyof typeof SILENCES, Silence][];
  return rows.find(([, { errors }]) => errors.test(error))?.[0] ?? 'unknown';
}

/** Returns the failure of a connection, from the code and message of Node's or the browser's error. */
export function unreachable(
  address: string,
  error: string,
  settings: ProxySettings = {},
  advice?: string,
  cause?: Error,
): Unreachable {
  const { origin } = new URL(address);
  const through = throughProxy(address, settings);
  return new Unreachable({ origin, how: howOf(error), error, through, advice }, cause);
}

/** Returns the failure of a connection to the proxy itself. */
export function proxyUnreachable(
  proxy: URL,
  settings: ProxySettings,
  error: string,
  cause: Error,
): Unreachable {
  return new Unreachable({ ...atProxy(proxy, settings), how: howOf(error), error }, cause);
}

/** Returns the failure of a request that the proxy itself refuses. @param to the request, in words */
export function refusedByProxy(
  proxy: URL,
  settings: ProxySettings,
  status: number | undefined,
  to: string,
): Unreachable {
  const words = `answered ${status ?? 'nothing'} to ${to}`;
  return new Unreachable({ ...atProxy(proxy, settings), how: 'proxy', error: '', words });
}

function atProxy({ origin }: URL, { proxyName = 'proxy' }: ProxySettings) {
  return { origin, through: '', proxy: `the proxy ${origin} (\`${proxyName}\`)` };
}

/** Returns the fix of a failure. @param key the key of the configuration that names the address */
export function cureOf(failure: TransportFailure, key: string): string {
  if (!(failure instanceof Unreachable)) return RUNS.replace('KEY', `\`${key}\``);
  const { advice, proxy, how } = failure.silent;
  const direct = how === 'unknown' ? RUNS : SILENCES[how].fix;
  const fix = proxy ? 'correct `proxy`, or remove it' : direct;
  return advice ?? fix.replace('KEY', `\`${key}\``);
}

/** An address that gave no answer to the last requests. */
export interface Unreached {
  readonly origin: string;
  /** The run's number of the first request without an answer; absent before the first one. */
  readonly since?: number;
  /** The last failure. */
  readonly failure: TransportFailure;
}

/** By origin the key of the configuration that names it. */
export function keysOf({ authUrl, baseUrl }: { readonly authUrl: string; readonly baseUrl: string }) {
  return new Map([
    [new URL(baseUrl).origin, 'baseUrl'],
    [new URL(authUrl).origin, 'authUrl'],
  ]);
}

const CERTIFICATE = 'check that it runs, and `tls.client` if it wants a client certificate,';

/** Begins the advice behind a run, by the way in which the service stopped to answer. */
const ACTS: Readonly<Partial<Record<SilenceKind, string>>> = {
  refused: 'start it',
  closed: CERTIFICATE,
  'TLS refused': CERTIFICATE,
};

/** Tells of addresses that do not answer in one sentence. @param keys by origin the key of the configuration */
export function unreachedText(all: readonly Unreached[], keys: ReadonlyMap<string, string>): string {
  const [first] = all;
  const proxy = all.find(({ failure }) => failure instanceof Unreachable && failure.silent.proxy)?.failure;
  if (proxy !== undefined || first === undefined) return proxy?.message ?? '';
  const words = ({ failure }: Unreached, count: 'one' | 'several') => {
    if (!(failure instanceof Unreachable)) return `${count === 'one' ? 'gives' : 'give'} ${failure.message}`;
    return wordsOf(failure.silent, count);
  };
  const same = all.filter((one) => words(one, 'one') === words(first, 'one'));
  const where = new Set(
    same.map(({ origin }) => `at ${origin} (\`${keys.get(origin) ?? 'another address'}\`)`),
  );
  const since = all.flatMap((one) => one.since ?? []);
  const how = first.failure instanceof Unreachable ? first.failure.silent.how : 'unknown';
  const act = ACTS[how] ?? 'check that it runs,';
  const from = since.length === 0 ? '' : ` since request ${Math.min(...since)}: ${act} and run again`;
  return `the service ${[...where].join(' and ')} ${words(first, where.size > 1 ? 'several' : 'one')}${from}`;
}
