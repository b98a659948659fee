import { mkdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { members, tokenRequest } from '../../../examples/pact-js/consumer.mts';
import { findPacts } from '../../../src/contracts/pact/read-pact.ts';
import { verifyOnEmulator } from '../../support/contracts/verifying.ts';

/** The examples for pact-js, as a consumer runs them, and what they write verified on the emulator. */

const exchange = async (authUrl: string) => {
  const named = ['client_id', 'client_secret', 'code', 'redirect_uri'].map((name) => [
    name,
    `example-${name}`,
  ]);
  const body = new URLSearchParams([...named, ['grant_type', 'authorization_code']] as string[][]);
  const response = await fetch(`${authUrl}/oauth/token`, { method: 'POST', body });
  expect(response.status).toBe(200);
};

const list = async (baseUrl: string) => {
  const headers = { Authorization: 'Bearer example-access_token' };
  const response = await fetch(`${baseUrl}/v2/projects/example-project_id/assigned_users`, { headers });
  expect(response.status).toBe(200);
};

for (const [what, run, description, warnings] of [
  ['specification 3', (dir: string) => tokenRequest(dir, exchange, 3), 'a code is exchanged', 0],
  ['specification 4', (dir: string) => tokenRequest(dir, exchange), 'a code is exchanged', 0],
  ['the V4 builder', (dir: string) => members(dir, list), 'the members of a project', 0],
] as const) {
  test(`pact-js, ${what}: its consumer test passes, and its pact is verified`, async () => {
    const dir = test.info().outputPath('pacts');
    mkdirSync(dir, { recursive: true });
    await run(dir);
    const { verified, others, verification } = await verifyOnEmulator(findPacts([dir]));
    expect(others).toEqual({});
    expect(verified).toEqual([description]);
    expect(verification.pacts.flatMap((pact) => pact.warnings)).toHaveLength(warnings);
  });
}
