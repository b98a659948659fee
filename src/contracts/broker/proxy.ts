import { readFileSync } from 'node:fs';
import type { Reach } from '../../exchange/connections.ts';
import { isLoopback } from '../../input/loopback.ts';
import { UsageError } from '../../input/usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the connection to a broker: through the proxy of `HTTPS_PROXY` or `HTTP_PROXY` unless `NO_PROXY` names its host,
 * trusting the authority of `SSL_CERT_FILE` as well. Pact's own programs read these variables.
 *
 * @throws UsageError for a proxy that is no address, and a file that cannot be read
 */
export function connectionToBroker(baseUrl: string, env: Environment): Reach {
  const url = new URL(baseUrl);
  const named = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const name = [named, 'ALL_PROXY'].find((one) => variable(env, one) !== undefined);
  const ca = authorityIn(env);
  if (name === undefined || isLoopback(url.hostname) || exempt(url.hostname, variable(env, 'NO_PROXY')))
    return { ca };
  const written = variable(env, name) ?? '';
  const proxy = URL.parse(written.includes('://') ? written : `http://${written}`);
  if (proxy?.protocol !== 'http:')
    throw new UsageError(`${name}: expected the address of an HTTP proxy, such as http://proxy.example:3128`);
  return { ca, proxy };
}

function authorityIn({ SSL_CERT_FILE: file }: Environment): string | undefined {
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError('SSL_CERT_FILE: expected a file of certificates that can be read');
  }
}

function exempt(host: string, list = ''): boolean {
  return list
    .split(',')
    .map((one) => one.trim().replace(/^\./, '').replace(/:\d+$/, ''))
    .some((one) => one === '*' || (one !== '' && (host === one || host.endsWith(`.${one}`))));
}

/** Reads either spelling; lower case takes precedence, as in curl. */
function variable(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}
