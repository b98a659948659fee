import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MatchersV3, PactV3, SpecificationVersion } from '@pact-foundation/pact';
import {
  type Client,
  type ClientOptions,
  createClient,
  memoryStore,
  type TokenStore,
} from '../../../src/client/index.ts';
import type { StateName } from '../../../src/contracts/states.ts';

/** What a consumer test of the reference client works with. Everything in a pact is fixed, so that it is written alike every time. */

/** Who wrote the committed pacts. */
export const CONSUMER = 'legacy-api-reference-client';

/** Where the committed pacts are. */
export const PACTS = fileURLToPath(new URL('../../../contracts/pacts/', import.meta.url));

/** Set by `npm run contracts:write`: the committed pacts are replaced, not compared with. */
const REPLACE = 'LEGACY_CONFORMANCE_WRITE_PACTS';

/**
 * Examples: they stand in the pact, and the mock server gets them from the client. None of them exists anywhere: should a
 * verifier ever send one in place of an injected value, nothing happens to anybody.
 */
export const EXAMPLE = {
  client_id: 'example-client-id',
  client_secret: 'example-client-secret',
  redirect_uri: 'https://client.example.test/callback',
  code: 'example-code',
  access_token: 'example-access-token',
  refresh_token: 'example-refresh-token',
  authorization: 'Bearer example-access-token',
  project_id: 'example-project',
  user_id: 'example-user',
} as const;

/** A value that a provider state injects. The mock server takes the example alone: whatever else the client sends is wrong. */
export function injected(name: keyof typeof EXAMPLE): MatchersV3.Matcher<string> {
  return fromState(`\${${name}}`, EXAMPLE[name]);
}

/** A path whose ids are injected. */
export function pathWith(template: string): MatchersV3.Matcher<string> {
  const example = template.replace(/\$\{(\w+)\}/g, (_, name: keyof typeof EXAMPLE) => EXAMPLE[name]);
  return fromState(template, example);
}

/** Pact's own `fromProviderState` lets any text pass at the mock server, another path included. */
function fromState(expression: string, example: string): MatchersV3.Matcher<string> {
  return { ...MatchersV3.fromProviderState(expression, example), 'pact:matcher:type': 'equality' };
}

/** A pact of the reference client; one object an interaction, because one that failed spoils what comes after it. */
export function pactWith(provider: string, dir: string): PactV3 {
  return new PactV3({
    consumer: CONSUMER,
    provider,
    dir,
    spec: SpecificationVersion.SPECIFICATION_VERSION_V4,
    logLevel: 'error',
  });
}

/** A provider state of the suite; a name that is none does not compile. */
export function given(pact: PactV3, ...states: readonly StateName[]): PactV3 {
  for (const state of states) pact.given(state);
  return pact;
}

/** The client under contract, talking to a mock server alone. */
export function clientOf(mock: string, store: TokenStore, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    authUrl: mock,
    baseUrl: mock,
    clientId: EXAMPLE.client_id,
    clientSecret: EXAMPLE.client_secret,
    redirectUri: EXAMPLE.redirect_uri,
    store,
    ...options,
  });
}

/** A store with the example pair, good for a long time. */
export function storeWithPair(): TokenStore {
  const { access_token, refresh_token } = EXAMPLE;
  return memoryStore({
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: Date.now() + 7_200_000,
  });
}

/** A pact as it was written. */
export interface WrittenPact {
  readonly text: string;
  readonly descriptions: readonly string[];
  /** The committed file; the same text where the committed pacts are being replaced. */
  readonly committed: string;
}

/** Reads the only pact in a folder, beside the committed one of the same name; replaces that one when asked to. */
export function writtenPact(dir: string): WrittenPact {
  const [name = ''] = readdirSync(dir);
  const text = readFileSync(join(dir, name), 'utf8');
  const committed = join(PACTS, name);
  if (process.env[REPLACE] === '1') writeFileSync(committed, text);
  const { interactions } = JSON.parse(text) as { interactions: readonly { description: string }[] };
  return {
    text,
    descriptions: interactions.map(({ description }) => description),
    committed: readFileSync(committed, 'utf8'),
  };
}
