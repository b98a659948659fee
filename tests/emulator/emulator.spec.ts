import { expect, test } from '@playwright/test';
import type { Defect } from '../../src/emulator/defects/define-defect.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { clientOf, codeIn, startClient } from '../support/emulator-client.ts';

/** The whole way, once: authorize, exchange, list, assign, list, unassign, list, refresh, list. */
async function walk(options: Parameters<typeof startClient>[0]): Promise<void> {
  const client = await startClient(options);
  try {
    const { emulator } = client;
    const [project] = emulator.seed.projects;
    const user = emulator.seed.users.at(-1)?.id ?? '';
    const pair = await client.pair();
    const before = await client.list(project.id, pair.access_token);
    expect((await client.call('PUT', client.path(project.id, user), pair.access_token)).ok).toBe(true);
    expect(new Set(await client.list(project.id, pair.access_token))).toEqual(new Set([...before, user]));
    expect((await client.call('DELETE', client.path(project.id, user), pair.access_token)).ok).toBe(true);
    const refreshed = await client.refresh({ refresh_token: pair.refresh_token });
    const next = await refreshed.json();
    expect(new Set(await client.list(project.id, next.access_token))).toEqual(new Set(before));
  } finally {
    await client.emulator.close();
  }
}

test.describe('starting', () => {
  test('walks through with two listeners on loopback', async () => {
    await walk({ listen: true });
  });

  test('walks through without a socket', async () => {
    await walk({ listen: false });
  });

  test('walks through with one origin and paths in front of both addresses', async () => {
    for (const listen of [true, false]) {
      await walk({ listen, addresses: { oneOrigin: true, authPath: '/auth', basePath: '/api' } });
    }
  });

  test('gives the two addresses different origins, or one origin on request', async () => {
    const two = await startEmulator();
    const one = await startEmulator({ addresses: { oneOrigin: true, authPath: '/auth', basePath: '/api' } });
    expect(new URL(two.authUrl).origin).not.toBe(new URL(two.baseUrl).origin);
    expect(new URL(one.authUrl).origin).toBe(new URL(one.baseUrl).origin);
    expect([new URL(one.authUrl).pathname, new URL(one.baseUrl).pathname]).toEqual(['/auth', '/api']);
    await Promise.all([two.close(), one.close()]);
  });

  test('keeps every link and form of its pages below the path in front', async () => {
    const client = await startClient({ addresses: { authPath: '/auth' } });
    const page = await client.send(`${client.emulator.authUrl}/sign-in`);
    const html = await page.text();
    expect(html).toContain('action="/auth/sign-in"');
    expect([...html.matchAll(/ (?:href|action)="(\/[^"]*)"/g)].map((m) => m[1])).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/auth\//)]),
    );
    expect(html).not.toMatch(/ (?:href|action)="\/(?!auth\/)/);
  });

  test('serves nothing without the version in the path, and says so as the resource API does', async () => {
    for (const addresses of [{}, { basePath: '/api' }, { oneOrigin: true, authPath: '/auth' }]) {
      const client = await startClient({ addresses });
      const { access_token } = await client.pair();
      const [project] = client.emulator.seed.projects;
      for (const path of [`/projects/${project.id}/assigned_users`, '/v2/projects', '/v2/']) {
        const response = await client.call('GET', path, access_token);
        expect([path, response.status, await response.text()]).toEqual([path, 404, '']);
      }
      expect(client.emulator.control.journal.entries().at(-1)?.refusal?.refused).toBe('path-unknown');
    }
  });

  test('refuses a path, a profile and a seed that are none, and says what was expected', async () => {
    await expect(startEmulator({ listen: false, addresses: { authPath: 'auth/' } })).rejects.toThrow(
      /authPath.*\/api/,
    );
    await expect(startEmulator({ listen: false, profile: 'doorkeeper-9' })).rejects.toThrow(/doorkeeper-5/);
    const seed = { owners: [], applications: [], projects: [], users: [] };
    await expect(startEmulator({ listen: false, seed })).rejects.toThrow(/owners: expected at least 1 entry/);
  });

  test('frees the first port when the second is taken', async () => {
    const holder = await startEmulator();
    const taken = Number(new URL(holder.baseUrl).port);
    await expect(startEmulator({ addresses: { apiPort: taken } })).rejects.toThrow(/EADDRINUSE/);
    const port = Number(new URL(holder.authUrl).port);
    await holder.close();
    const again = await startEmulator({ addresses: { port, apiPort: taken } });
    expect(new URL(again.authUrl).port).toBe(String(port));
    await again.close();
  });

  test('answers for its own addresses alone when asked in-process', async () => {
    const emulator = await startEmulator({ listen: false });
    await expect(emulator.fetch(new Request('http://elsewhere.test/'))).rejects.toThrow(
      /emulator answers at/,
    );
    const landing = await emulator.fetch(new Request(`${emulator.baseUrl}/`));
    expect(await landing.text()).toContain(emulator.profile.title);
  });

  test('makes the same values for the same random seed, and others without one', async () => {
    const [a, b, c] = await Promise.all([
      startClient({ randomSeed: 'x' }),
      startClient({ randomSeed: 'x' }),
      startClient(),
    ]);
    expect(a.emulator.seed).toEqual(b.emulator.seed);
    expect(await a.pair()).toEqual(await b.pair());
    expect(c.emulator.seed.applications[0].clientSecret).not.toBe(
      a.emulator.seed.applications[0].clientSecret,
    );
  });
});

test.describe('closing and resetting', () => {
  test('close drops open connections and stops listening', async () => {
    const emulator = await startEmulator();
    await (await fetch(`${emulator.authUrl}/sign-in`)).text();
    await emulator.close();
    await expect(fetch(`${emulator.authUrl}/sign-in`)).rejects.toThrow();
  });

  test('close ends a request that a fault keeps waiting', async () => {
    const client = clientOf(await startEmulator());
    client.emulator.control.faults.arm({ route: 'page', count: 1, kind: 'stall' });
    const stalled = client.send(`${client.emulator.authUrl}/sign-in`);
    const ended = expect(stalled).rejects.toThrow();
    await expect.poll(() => client.emulator.control.faults.armed().length).toBe(0);
    await client.emulator.close();
    await ended;
  });

  test('reset brings the seed back and forgets tokens, codes, sessions, faults and the journal', async () => {
    const client = await startClient();
    const { emulator } = client;
    const [project] = emulator.seed.projects;
    const seeded = emulator.seed.assignments.filter((a) => a.project === project.id).map((a) => a.user);
    const cookie = await client.signIn();
    const code = await client.code();
    const pair = await client.pair();
    await client.call('DELETE', client.path(project.id, seeded[0]), pair.access_token);

    emulator.control.faults.arm({ route: 'any', count: 1, kind: 'reset' });
    const started = emulator.control.clock.now();
    emulator.control.clock.advance(7_200);

    emulator.reset();

    expect(emulator.control.clock.now()).toBe(started);

    expect(emulator.control.journal.entries()).toEqual([]);
    expect(emulator.control.stats()).toMatchObject({ sessions: 0, codes: 0, tokenPairs: 0 });
    expect((await client.call('GET', client.path(project.id), pair.access_token)).status).toBe(401);
    expect((await client.exchange({ code })).status).toBe(400);
    const response = await client.send(`${emulator.authUrl}/access-keys/applications`, {
      headers: { cookie },
    });
    expect(response.headers.get('location')).toContain('/sign-in');
    const fresh = clientOf(emulator);
    expect(await fresh.list(project.id, (await fresh.pair()).access_token)).toEqual(seeded);
  });

  test('a defect wraps the policy, and a reset renews its memory', async () => {
    const everyOther: Defect = {
      id: 'test.every-other-code',
      create() {
        let count = 0;
        return (policy) => ({
          ...policy,
          authorize: {
            ...policy.authorize,
            decision: (submitted) => {
              count += 1;
              return count % 2 === 1 ? 'deny' : policy.authorize.decision(submitted);
            },
          },
        });
      },
    };
    const client = await startClient({ defects: [everyOther] });
    const got = async () => codeIn(await client.authorize()) !== undefined;
    expect([await got(), await got(), await got()]).toEqual([false, true, false]);
    client.emulator.reset();
    const fresh = clientOf(client.emulator);
    expect(codeIn(await fresh.authorize())).toBeUndefined();
    expect(codeIn(await fresh.authorize())).toBeDefined();
  });
});

for (const [options, message] of [
  [{ prot: 1 }, /expected one of addresses, .*, got the option prot\./],
  [{ port: 8700 }, /got the option port\./],
  [{ addresses: { port: '8700' } }, /addresses: expected port of type number, got string$/],
  [{ profile: 7 }, /expected profile of type string or object, got number$/],
  [{ defects: 'all' }, /expected defects of type object, got string$/],
  [5, /expected an object with options, got 5$/],
] as const)
  test(`plain JavaScript: startEmulator(${JSON.stringify(options)}) is refused by name`, async () => {
    await expect(startEmulator(options as object)).rejects.toThrow(message);
  });
