import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as comparator from '@pactflow/openapi-pact-comparator';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { ownPacts } from '../support/contracts/verifying.ts';

/** The committed pacts against `spec/openapi.yaml`, without sending anything. */

const SPECIFICATION = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** The used part of the comparator: its own declarations are for bundlers and do not resolve in Node. */
interface ComparatorModule {
  readonly Comparator: new (options: {
    readonly oas: unknown;
  }) => { compare(pact: unknown): AsyncIterable<{ type: string; code: string; message: string }> };
}

const { Comparator } = comparator as unknown as ComparatorModule;

/** Returns code and sentence of each error by which a pact contradicts the specification. */
async function wrongSettings(pact: unknown): Promise<readonly string[]> {
  const oas: unknown = parse(readFileSync(SPECIFICATION, 'utf8'), { merge: true });
  const found: string[] = [];
  for await (const { type, code, message } of new Comparator({ oas }).compare(pact)) {
    if (type === 'error') found.push(`${code}: ${message}`);
  }
  return found;
}

/** The committed pact with a provider, some of its text replaced. */
async function altered(provider: string, from: string, to: string): Promise<unknown> {
  const pact = (await ownPacts()).find((one) => one.provider === provider);
  const text = JSON.stringify(pact?.document);
  expect(text).toContain(from);
  return JSON.parse(text.replaceAll(from, to));
}

test('no pact contradicts the specification', async () => {
  const pacts = await ownPacts();
  expect(pacts.map(({ provider }) => provider)).toEqual([
    'legacy-authorization-server',
    'legacy-resource-api',
  ]);
  for (const { document } of pacts) expect(await wrongSettings(document)).toEqual([]);
});

for (const [what, provider, from, to, said] of [
  [
    'another expires_in',
    'legacy-authorization-server',
    '"expires_in":7200',
    '"expires_in":3600',
    'must be equal to constant',
  ],
  [
    'expires_in as a string',
    'legacy-authorization-server',
    '"expires_in":7200',
    '"expires_in":"7200"',
    'response.body.incompatible',
  ],
  [
    'a form field left out',
    'legacy-authorization-server',
    '&client_secret=example-client-secret',
    '',
    "required property 'client_secret'",
  ],
  [
    'another grant type',
    'legacy-authorization-server',
    'grant_type=refresh_token',
    'grant_type=password',
    'request.body.incompatible',
  ],
  ['another path', 'legacy-resource-api', '/assigned_users', '/members', 'request.path-or-method.unknown'],
  [
    'another method',
    'legacy-resource-api',
    '"method":"PUT"',
    '"method":"POST"',
    'request.path-or-method.unknown',
  ],
] as const) {
  test(`caught: ${what}`, async () => {
    expect((await wrongSettings(await altered(provider, from, to))).join('\n')).toContain(said);
  });
}
