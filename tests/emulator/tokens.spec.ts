import { expect, test } from '@playwright/test';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import type { WholeProfile } from '../../src/emulator/policy/profile.ts';
import { type EmulatorClient, type Pair, startClient } from '../support/emulator-client.ts';

async function profileWith(id: string, answers: Partial<WholeProfile['answers']>): Promise<WholeProfile> {
  const profile = await loadProfile(id);
  return { ...profile, name: `${id}-changed`, answers: { ...profile.answers, ...answers } };
}

async function works(client: EmulatorClient, pair: Pair): Promise<boolean> {
  const [project] = client.emulator.seed.projects;
  return (await client.call('GET', client.path(project.id), pair.access_token)).ok;
}

async function refreshed(client: EmulatorClient, pair: Pair): Promise<Pair | undefined> {
  const response = await client.refresh({ refresh_token: pair.refresh_token });
  return response.ok ? ((await response.json()) as Pair) : undefined;
}

test('on first use of the new: alive until then, dead after', async () => {
  const client = await startClient({ profile: 'doorkeeper-5' });
  const old = await client.pair();
  const next = await refreshed(client, old);
  const sibling = await refreshed(client, old);
  if (next === undefined || sibling === undefined) throw new Error('a refresh was refused');
  expect(await works(client, old)).toBe(true);
  expect(await works(client, next)).toBe(true);
  expect(await works(client, old)).toBe(false);
  expect(await refreshed(client, old)).toBeUndefined();
  expect(await works(client, sibling)).toBe(true);
});

test('the clock only goes forward', async () => {
  const { emulator } = await startClient({ clock: 1_000 });
  expect(emulator.control.clock.advance(5)).toBe(1_005);
  for (const seconds of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => emulator.control.clock.advance(seconds)).toThrow(RangeError);
  }
  expect(emulator.control.clock.now()).toBe(1_005);
});

test('a real clock goes on by itself from the present', async () => {
  const { emulator } = await startClient({ clock: 'real' });
  const before = Date.now() / 1_000;
  expect(emulator.control.clock.now()).toBeGreaterThanOrEqual(before);
  expect(emulator.control.clock.advance(7_200)).toBeGreaterThanOrEqual(before + 7_200);
});

test('two exchanges share their tokens where the profile says so, and a replay revokes what is shared', async () => {
  const profile = await profileWith('by-the-rfc', { 'token-response-fields.distinct-tokens': false });
  const client = await startClient({ profile });
  const first = await client.pair();
  const code = await client.code();
  expect(await (await client.exchange({ code })).json()).toEqual(first);
  expect((await client.exchange({ code })).ok).toBe(false);
  expect(await works(client, first)).toBe(false);
  const second = await client.pair();
  expect(second.access_token).not.toBe(first.access_token);
  client.emulator.control.clock.advance(1);
  const later = await client.pair();
  expect([later.expires_in, later.access_token === second.access_token]).toEqual([7_200, false]);
  const distinct = await startClient();
  expect((await distinct.pair()).access_token).not.toBe((await distinct.pair()).access_token);
});

test('a replay revokes all that was granted to the application, also before consent was forgotten', async () => {
  const profile = await profileWith('by-the-rfc', { 'failed-exchange.revoked': 'application' });
  const client = await startClient({ profile });
  const before = await client.pair();
  client.emulator.control.forgetConsent();
  const code = await client.code();
  expect((await client.exchange({ code })).ok).toBe(true);
  expect(await works(client, before)).toBe(true);
  expect((await client.exchange({ code })).ok).toBe(false);
  expect(await works(client, before)).toBe(false);
});

test('a refresh for fewer scopes gives fewer, for more is refused, and the journal says why', async () => {
  const client = await startClient();
  const pair = await client.pair({ scope: 'read write' });
  const narrower = await client.refresh({ refresh_token: pair.refresh_token, scope: 'read' });
  expect((await narrower.json()).scope).toBe('read');
  const wider = await client.refresh({ refresh_token: pair.refresh_token, scope: 'read destroy' });
  expect([wider.status, (await wider.json()).error]).toEqual([400, 'invalid_scope']);
  expect(client.emulator.control.journal.entries().at(-1)?.refusal).toEqual({
    refused: 'scope-wider',
    detail: 'the grant has read write, asked was read destroy',
    parameter: 'scope',
  });
});

test('rotation with grace: a repeated refresh gets the same pair until that is used, then another, and later none', async () => {
  const client = await startClient({ profile: 'rotation-with-grace' });
  const { clock } = client.emulator.control;
  const old = await client.pair();
  const next = await refreshed(client, old);
  clock.advance(10);
  expect(await refreshed(client, old)).toEqual(next);
  if (next === undefined) throw new Error('a refresh was refused');
  expect(await works(client, next)).toBe(true);
  expect((await refreshed(client, old))?.refresh_token).not.toBe(next.refresh_token);
  clock.advance(49);
  expect(await refreshed(client, old)).toBeDefined();
  clock.advance(1);
  expect(await refreshed(client, old)).toBeUndefined();
  expect(await works(client, next)).toBe(false);
});

test('a pair whose refresh token was used is not given again', async () => {
  const client = await startClient({ profile: 'rotation-with-grace' });
  const old = await client.pair();
  const next = await refreshed(client, old);
  if (next === undefined) throw new Error('a refresh was refused');
  await refreshed(client, next);
  const late = await refreshed(client, old);
  expect([next.access_token, next.refresh_token]).not.toContain(late?.refresh_token);
});
