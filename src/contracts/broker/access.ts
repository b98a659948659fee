import { UsageError } from '../../input/usage-error.ts';
import { SecretRegistry } from '../../secrets/registry.ts';

/** Credentials for the broker. Never passed on a command line, where other processes can read them. */
export type BrokerCredentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string };

export interface BrokerAccess {
  readonly baseUrl: string;
  readonly credentials: BrokerCredentials;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the broker's address and credentials from Pact's own variables: `PACT_BROKER_BASE_URL`, and `PACT_BROKER_TOKEN` or
 * `PACT_BROKER_USERNAME` with `PACT_BROKER_PASSWORD`. An empty variable counts as missing: CI systems pass a secret that a fork
 * may not have as empty.
 *
 * @param given address from the command line; has precedence
 * @throws UsageError for missing or contradictory values
 */
export function brokerAccess(env: Environment, given?: string): BrokerAccess {
  const written = given ?? textOf(env.PACT_BROKER_BASE_URL);
  if (written === undefined) {
    throw new UsageError('which broker? Set PACT_BROKER_BASE_URL, or give --broker-base-url');
  }
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
  return { baseUrl: url.href.replace(/\/+$/, ''), credentials: credentialsIn(env) };
}

function credentialsIn(env: Environment): BrokerCredentials {
  const token = textOf(env.PACT_BROKER_TOKEN);
  const username = textOf(env.PACT_BROKER_USERNAME);
  const password = textOf(env.PACT_BROKER_PASSWORD);
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw new UsageError(
      'both PACT_BROKER_TOKEN and PACT_BROKER_USERNAME or PACT_BROKER_PASSWORD are set: unset what does not belong to this broker',
    );
  }
  if (token !== undefined) return { kind: 'token', token };
  if (username === undefined && password === undefined) return { kind: 'none' };
  if (username === undefined || password === undefined) {
    throw new UsageError(
      `only ${username === undefined ? 'PACT_BROKER_PASSWORD' : 'PACT_BROKER_USERNAME'} is set: set both, or neither`,
    );
  }
  return { kind: 'basic', username, password };
}

export function authorizationOf({ credentials }: BrokerAccess): string | undefined {
  if (credentials.kind === 'none') return undefined;
  if (credentials.kind === 'token') return `Bearer ${credentials.token}`;
  const { username, password } = credentials;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

export function withoutCredentials({ credentials }: BrokerAccess, text: string): string {
  if (credentials.kind === 'none') return text;
  const secrets = new SecretRegistry();
  secrets.register('secret', credentials.kind === 'token' ? credentials.token : credentials.password);
  return secrets.redact(text);
}

function textOf(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}
