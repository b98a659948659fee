import { readFileSync } from 'node:fs';
import { isLoopback } from '../../document/input/loopback.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { basicCredentials, type ConnectionOptions } from '../../http/connections.ts';
import { type Environment, isExempt, noProxyIn, variableIn } from '../../http/proxy.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';

/** A broker, and the credentials for it. They are never passed on a command line, where other processes can read them. */
export interface BrokerAccess {
  readonly baseUrl: string;
  /** Value of the header `Authorization`. */
  readonly authorization?: string;
  /** Token or password. */
  readonly secret?: string;
}

/**
 * Reads the broker's address and credentials from Pact's own variables: `PACT_BROKER_BASE_URL`, and `PACT_BROKER_TOKEN` or
 * `PACT_BROKER_USERNAME` with `PACT_BROKER_PASSWORD`. An empty variable counts as missing: CI systems pass a secret that a fork
 * may not have as empty.
 *
 * @throws UsageError for missing or contradictory values
 */
export function brokerAccess(env: Environment): BrokerAccess {
  const written = textOf(env.PACT_BROKER_BASE_URL);
  if (written === undefined) throw new UsageError('no broker is configured: set PACT_BROKER_BASE_URL');
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      'the address of the broker: expected an absolute http or https address without query, such as https://broker.example',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'the address of the broker holds credentials: take them out, and set PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD, or PACT_BROKER_TOKEN',
    );
  }
  return { baseUrl: url.href.replace(/\/+$/, ''), ...credentialsIn(env) };
}

function credentialsIn(env: Environment): Omit<BrokerAccess, 'baseUrl'> {
  const token = textOf(env.PACT_BROKER_TOKEN);
  const username = textOf(env.PACT_BROKER_USERNAME);
  const password = textOf(env.PACT_BROKER_PASSWORD);
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw new UsageError(
      'both PACT_BROKER_TOKEN and PACT_BROKER_USERNAME or PACT_BROKER_PASSWORD are set: unset what does not belong to this broker',
    );
  }
  if (token !== undefined) return { authorization: `Bearer ${token}`, secret: token };
  if (username === undefined && password === undefined) return {};
  if (username === undefined || password === undefined) {
    throw new UsageError(
      `only ${username === undefined ? 'PACT_BROKER_PASSWORD' : 'PACT_BROKER_USERNAME'} is set: set both, or neither`,
    );
  }
  return { authorization: `Basic ${basicCredentials(username, password)}`, secret: password };
}

export function withoutCredentials({ secret }: BrokerAccess, text: string): string {
  if (secret === undefined) return text;
  const secrets = new SecretRegistry();
  secrets.register('secret', secret);
  return secrets.redact(text);
}

function textOf(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/**
 * Returns the connection to a broker: through the proxy of `HTTPS_PROXY` or `HTTP_PROXY` unless `NO_PROXY` names its host,
 * trusting the authority of `SSL_CERT_FILE` as well. Pact's own programs read these variables.
 *
 * @throws UsageError for a proxy that is no address, and a file that cannot be read
 */
export function connectionToBroker(baseUrl: string, env: Environment): ConnectionOptions {
  const url = new URL(baseUrl);
  const named = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const name = variableIn(env, named) ?? variableIn(env, 'ALL_PROXY');
  const ca = authorityIn(env);
  if (name === undefined || isLoopback(url.hostname) || isExempt(url, noProxyIn(env))) return { ca };
  const written = env[name] ?? '';
  const proxy = URL.parse(written.includes('://') ? written : `http://${written}`);
  if (proxy?.protocol !== 'http:')
    throw new UsageError(`${name}: expected the address of an HTTP proxy, such as http://proxy.example:3128`);
  return { ca, proxy, proxyName: name };
}

function authorityIn({ SSL_CERT_FILE: file }: Environment): string | undefined {
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError('SSL_CERT_FILE: expected a file of certificates that can be read');
  }
}
