import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MatchersV3, PactV3, SpecificationVersion } from '@pact-foundation/pact';
import { expect, test } from '@playwright/test';
import {
  type Client,
  type ClientOptions,
  createClient,
  memoryStore,
  type TokenStore,
} from '../../../examples/reference-client/client/index.ts';
import type { StateName } from '../../../src/contracts/states.ts';

/** Fixtures of a consumer test of the reference client. Everything in a pact is fixed, so that each run writes the same. */

const CONSUMER = 'legacy-api-reference-client';

export const PACTS = fileURLToPath(new URL('../../../contracts/pacts/', import.meta.url));

/** Set by `npm run contracts:write`: the committed pacts are replaced, not compared with. */
const REPLACE = 'LEGACY_CONFORMANCE_WRITE_PACTS';

/** Examples that stand in the pact. None of them exists anywhere, should a verifier ever send one. */
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

export function pathWith(template: string): MatchersV3.Matcher<string> {
  const example = template.replace(/\$\{(\w+)\}/g, (_, name: keyof typeof EXAMPLE) => EXAMPLE[name]);
  return fromState(template, example);
}

/** Pact's own `fromProviderState` lets any text pass at the mock server, another path included. */
function fromState(expression: string, example: string): MatchersV3.Matcher<string> {
  return { ...MatchersV3.fromProviderState(expression, example), 'pact:matcher:type': 'equality' };
}

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

export function storeWithPair(): TokenStore {
  const { access_token, refresh_token } = EXAMPLE;
  return memoryStore({
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: Date.now() + 7_200_000,
  });
}

export interface ConsumerTest {
  /** Provider states of the suite; a name that is none does not compile. */
  readonly states: readonly StateName[];
  readonly request: Parameters<PactV3['withRequest']>[0];
  readonly response: Parameters<PactV3['willRespondWith']>[0];
  /** An act of the client at a mock server, and its result. */
  readonly play: (url: string) => Promise<void>;
}

/** Registers a test for each interaction with a provider, and one that holds the written pact against the committed one. */
export function consumerTests(provider: string, interactions: Readonly<Record<string, ConsumerTest>>): void {
  test.describe.configure({ mode: 'serial' });
  // Writing merges with what is there, so the folder must be a new one.
  let dir = '';
  test.beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'legacy-conformance-pacts-'));
  });
  test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

  for (const [description, { states, request, response, play }] of Object.entries(interactions))
    test(description, async () => {
      const spec = SpecificationVersion.SPECIFICATION_VERSION_V4;
      // One object an interaction, because one that failed spoils what comes after it.
      const pact = new PactV3({ consumer: CONSUMER, provider, dir, spec, logLevel: 'error' });
      for (const state of states) pact.given(state);
      await pact
        .uponReceiving(description)
        .withRequest(request)
        .willRespondWith(response)
        .executeTest(({ url }) => play(url));
    });

  test('the pact holds each of them, and is the committed one byte for byte', () => {
    const [name = ''] = readdirSync(dir);
    const text = readFileSync(join(dir, name), 'utf8');
    const committed = join(PACTS, name);
    if (process.env[REPLACE] === '1') writeFileSync(committed, text);
    const written = JSON.parse(text) as { interactions: readonly { description: string }[] };
    expect(written.interactions.map(({ description }) => description).sort()).toEqual(
      Object.keys(interactions).sort(),
    );
    const same = text === readFileSync(committed, 'utf8');
    expect(same, 'run `npm run contracts:write` and look at what changed').toBe(true);
  });
}
