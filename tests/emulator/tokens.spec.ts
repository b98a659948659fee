import { expect, test } from '@playwright/test';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import type { WholeProfile } from '../../src/emulator/profile.ts';
import { type EmulatorClient, type Pair, startClient } from '../support/emulator-client.ts';

/** The profile, with some answers replaced. */
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

test.describe('the fate of the old pair (open point 9)', () => {
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

  test('at once: both old tokens die at the refresh', async () => {
    const client = await startClient({ profile: 'doorkeeper-4' });
    const old = await client.pair();
    const next = await refreshed(client, old);
    expect(await works(client, old)).toBe(false);
    expect(await refreshed(client, old)).toBeUndefined();
    expect(next && (await works(client, next))).toBe(true);
  });

  test('never: the old access token lives on; reuse of the old refresh token revokes the grant', async () => {
    const client = await startClient({ profile: 'by-the-rfc' });
    const old = await client.pair();
    const next = await refreshed(client, old);
    expect(await works(client, old)).toBe(true);
    expect(await refreshed(client, old)).toBeUndefined();
    expect(await works(client, old)).toBe(false);
    expect(next && (await works(client, next))).toBe(false);
  });

  test('five refreshes at once: one succeeds where the old token dies at once, five where it does not', async () => {
    for (const [profile, expected] of [
      ['doorkeeper-4', 1],
      ['doorkeeper-5', 5],
    ] as const) {
      const client = await startClient({ profile, listen: true });
      const pair = await client.pair();
      const answers = await Promise.all(Array.from({ length: 5 }, () => refreshed(client, pair)));
      const tokens = answers.filter((answer) => answer !== undefined).map((answer) => answer.refresh_token);
      expect(new Set(tokens).size).toBe(expected);
      await client.emulator.close();
    }
  });

  test('a refresh before expiry is refused where the profile says so, and honoured after', async () => {
    const profile = await profileWith('doorkeeper-4', {
      'refresh-fate.old-access-token': null,
      'refresh-fate.before-expiry': false,
    });
    const client = await startClient({ profile });
    const pair = await client.pair();
    client.emulator.control.clock.advance(7_199);
    expect(await refreshed(client, pair)).toBeUndefined();
    client.emulator.control.clock.advance(1);
    expect(await refreshed(client, pair)).toBeDefined();
  });
});

test.describe('lifetimes (clause 8, open point 10)', () => {
  test('an access token lives for 7200 s, a refreshed one for its own 7200 s', async () => {
    const client = await startClient();
    const { clock } = client.emulator.control;
    const pair = await client.pair();
    clock.advance(7_199);
    expect(await works(client, pair)).toBe(true);
    const next = await refreshed(client, pair);
    clock.advance(1);
    expect(await works(client, pair)).toBe(false);
    clock.advance(7_198);
    expect(next && (await works(client, next))).toBe(true);
    clock.advance(1);
    expect(next && (await works(client, next))).toBe(false);
  });

  for (const id of ['doorkeeper-5', 'doorkeeper-4', 'by-the-rfc', 'adversarial']) {
    test(`${id}: codes and refresh tokens die when the profile says, not a second before`, async () => {
      const client = await startClient({ profile: id });
      const { clock } = client.emulator.control;
      const { answers } = client.emulator.profile;
      const life = Number(answers['lifetimes.code']);
      const refreshToken = answers['lifetimes.refresh-token'];
      const [early, late] = [await client.code(), await client.code()];
      clock.advance(life - 1);
      expect((await client.exchange({ code: early })).ok).toBe(true);
      clock.advance(1);
      expect((await client.exchange({ code: late })).ok).toBe(false);
      const whole = refreshToken === 'unlimited' ? 100_000_000 : refreshToken;
      const first = await client.pair();
      clock.advance(whole - 1);
      const next = await refreshed(client, first);
      clock.advance(whole);
      expect(next).toBeDefined();
      expect(next && (await refreshed(client, next)) !== undefined).toBe(refreshToken === 'unlimited');
    });
  }

  test('the clock only goes forward', async () => {
    const { emulator } = await startClient({ clockStart: 1_000 });
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
});

test.describe('codes (clauses 2.2 and 4.2)', () => {
  test('of several exchanges of one code at once, one succeeds', async () => {
    const client = await startClient({ listen: true });
    const code = await client.code();
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.exchange({ code })));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    await client.emulator.close();
  });

  test('a failed exchange burns the code where the profile says so', async () => {
    for (const [profile, burned] of [
      ['doorkeeper-5', false],
      ['adversarial', true],
    ] as const) {
      const client = await startClient({ profile });
      const code = await client.code();
      expect((await client.exchange({ code, redirect_uri: 'https://client.example.test/other' })).ok).toBe(
        false,
      );
      expect((await client.exchange({ code })).ok).toBe(!burned);
    }
  });

  test('a code challenge is verified where the profile says so (RFC 7636)', async () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const sent = { code_challenge: challenge, code_challenge_method: 'S256' };
    const client = await startClient({ profile: 'by-the-rfc' });
    for (const [code_verifier, ok] of [
      [undefined, false],
      ['x'.repeat(43), false],
      [verifier, true],
    ] as const) {
      expect((await client.exchange({ code: await client.code(sent), code_verifier })).ok).toBe(ok);
    }
    const ignoring = await startClient({ profile: 'adversarial' });
    expect((await ignoring.exchange({ code: await ignoring.code(sent) })).ok).toBe(true);
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
});

test.describe('scopes (clauses 5.3 and 5.7, open points 2 and 14)', () => {
  test('each operation needs what the profile says', async () => {
    for (const id of ['doorkeeper-5', 'adversarial']) {
      const client = await startClient({ profile: id });
      const [project] = client.emulator.seed.projects;
      const user = client.emulator.seed.users.at(-1)?.id ?? '';
      const { answers } = client.emulator.profile;
      for (const scope of ['read', 'write', 'destroy', 'read write', 'read destroy', 'write destroy']) {
        const { access_token } = await client.pair({ scope });
        const may = (sets: readonly string[]) =>
          sets.some((set) => set.split(' ').every((one) => scope.split(' ').includes(one)));
        const assign = await client.call('PUT', client.path(project.id, user), access_token);
        const list = await client.call('GET', client.path(project.id), access_token);
        const unassign = await client.call('DELETE', client.path(project.id, user), access_token);
        expect([scope, assign.status !== 403 && assign.status !== 404]).toEqual([
          scope,
          may(answers['scope-per-operation.assign']),
        ]);
        expect([scope, list.ok]).toEqual([scope, may(answers['scope-per-operation.list'])]);
        const refusal = client.emulator.control.journal.entries().at(-1)?.refusal?.refused;
        expect([scope, refusal !== 'scope-insufficient']).toEqual([
          scope,
          may(answers['scope-per-operation.unassign']),
        ]);
        expect(unassign.status).toBeLessThan(500);
      }
    }
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
});

test.describe('client authentication (open point 8)', () => {
  for (const [profile, raw] of [
    ['doorkeeper-4', true],
    ['doorkeeper-5', true],
    ['doorkeeper-as-shipped', true],
    ['by-the-rfc', false],
  ] as const) {
    test(`${profile} takes HTTP Basic ${raw ? 'as it is' : 'as form values'}`, async () => {
      const secret = 'a+b%2Fc';
      const seed = {
        owners: [{ name: 'O', email: 'owner@example.test', password: 'quiet' }],
        applications: [
          {
            name: 'A',
            clientId: 'a',
            clientSecret: secret,
            redirectUris: ['https://client.example.test/cb'] as [string],
          },
        ],
        projects: [{ id: '7', name: 'Seventh' }],
        users: [{ id: '1', name: 'One', email: 'one@example.test' }],
      };
      const client = await startClient({ profile, seed });
      const without = { client_id: undefined, client_secret: undefined };
      const statusWith = async (spelled: string) => {
        const basic = { authorization: `Basic ${btoa(`a:${spelled}`)}` };
        return (await client.exchange({ code: await client.code(), ...without }, basic)).status;
      };
      expect([await statusWith(secret), await statusWith(encodeURIComponent(secret))]).toEqual(
        raw ? [200, 401] : [401, 200],
      );
    });
  }

  test('accepts and refuses each way as the profile says', async () => {
    for (const id of ['doorkeeper-5', 'doorkeeper-4', 'by-the-rfc', 'adversarial']) {
      const client = await startClient({ profile: id });
      const { clientId, clientSecret, redirectUris } = client.emulator.seed.applications[0];
      const { answers } = client.emulator.profile;
      const token = `${client.emulator.authUrl}/oauth/token`;
      const basic = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
      const all = async () => ({
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: redirectUris[0] ?? '',
        code: await client.code(),
      });
      const without = { client_id: undefined, client_secret: undefined };
      const multipart = new FormData();
      for (const [name, value] of Object.entries(await all())) multipart.append(name, value);
      const json = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(await all()),
      };
      const ways = {
        basic: await client.exchange({ code: await client.code(), ...without }, basic),
        'basic-and-form': await client.exchange({ code: await client.code() }, basic),
        'query-string': await client.send(`${token}?${new URLSearchParams(await all())}`, { method: 'POST' }),
        'json-body': await client.send(token, json),
        multipart: await client.send(token, { method: 'POST', body: multipart }),
      };
      for (const [way, response] of Object.entries(ways)) {
        const said = answers[`client-authentication.${way as keyof typeof ways}`];
        expect([id, way, response.ok]).toEqual([id, way, said]);
      }
    }
  });
});
