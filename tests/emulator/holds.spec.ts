import { expect, test } from '@playwright/test';
import { type EmulatorClient, startClient } from '../support/emulator-client.ts';

for (const listen of [false, true]) {
  test.describe(listen ? 'holds over a socket' : 'holds in-process', () => {
    let client: EmulatorClient;
    test.beforeEach(async () => {
      client = await startClient({ listen });
    });
    test.afterEach(() => client.emulator.close());

    const waiting = () => client.emulator.control.holds.list().at(-1)?.waiting;
    const entries = () => client.emulator.control.journal.entries();

    test('answers wait until so many do: every request of a race is there before the first is answered', async () => {
      const { holds } = client.emulator.control;
      const { refresh_token } = await client.pair();
      holds.arm({ route: 'token', grantType: 'refresh_token', until: 3 });
      await client.exchange({ code: 'an exchange is not held' });
      const before = entries().length;
      const answers = await Promise.all([1, 2, 3].map(() => client.refresh({ refresh_token })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const race = entries().slice(before);
      expect(race.map(({ presented }) => presented.refreshToken)).toEqual(Array(3).fill('refresh_token#1'));
      expect(race.map(({ held }) => held?.releasedBy)).toEqual(['count', 'count', 'count']);
      const arrived = Math.max(...race.map(({ arrivedMs }) => arrivedMs));
      expect(Math.min(...race.map(({ answeredMs }) => answeredMs))).toBeGreaterThanOrEqual(arrived);
      expect(holds.list()).toMatchObject([{ id: 'hold#1', waiting: 0, held: 3, releasedBy: 'count' }]);
    });

    test('a call lets go, and until then the request is in sight', async () => {
      const { holds, journal } = client.emulator.control;
      const { id } = holds.arm({ route: 'page' });
      const page = client.send(`${client.emulator.authUrl}/`);
      await expect.poll(waiting).toBe(1);
      expect(journal.page()).toMatchObject({ entries: [], pending: [{ endpoint: 'page', why: id }] });
      holds.release(id);
      expect(await holds.ended(id)).toBe('call');
      expect((await page).status).toBe(200);
      expect(journal.page()).toMatchObject({ entries: [{ held: { releasedBy: 'call' } }], pending: [] });
    });

    test('a held answer has had its effect, a held request has not', async () => {
      const { holds, stats } = client.emulator.control;
      for (const [phase, issued] of [
        ['request', 0],
        ['answer', 1],
      ] as const) {
        const code = await client.code();
        const before = stats().tokenPairs;
        holds.arm({ route: 'token', phase });
        const answer = client.exchange({ code });
        await expect.poll(waiting).toBe(1);
        await expect.poll(() => stats().tokenPairs - before).toBe(issued);
        holds.clear();
        expect((await answer).status).toBe(200);
      }
    });

    test('a hold of one request lets the next one meet the next hold', async () => {
      const { holds, stats } = client.emulator.control;
      const { refresh_token } = await client.pair();
      const issued = stats().tokenPairs;
      const one = { route: 'token', phase: 'request', count: 1 } as const;
      const { id } = holds.arm(one);
      holds.arm(one);
      const refreshes = [1, 2].map(() => client.refresh({ refresh_token }));
      await expect.poll(waiting).toBe(1);
      holds.release(id);
      await expect.poll(() => stats().tokenPairs - issued).toBe(1);
      expect(waiting()).toBe(1);
      holds.clear();
      expect((await Promise.all(refreshes)).map(({ status }) => status)).toEqual([200, 200]);
    });

    test('the limit lets go, and says so', async () => {
      const { holds } = client.emulator.control;
      const { id } = holds.arm({ route: 'page', until: 2, limitMs: 20 });
      expect((await client.send(`${client.emulator.authUrl}/`)).status).toBe(200);
      expect(await holds.ended(id)).toBe('time-limit');
      expect(entries().at(-1)?.held).toMatchObject({ id, releasedBy: 'time-limit' });
    });

    test('a client that goes away waits no longer, and its request has had its effect', async () => {
      const { holds } = client.emulator.control;
      const { refresh_token } = await client.pair();
      holds.arm({ route: 'token' });
      const away = new AbortController();
      const lost = client.send(`${client.emulator.authUrl}/oauth/token`, {
        method: 'POST',
        signal: away.signal,
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: client.emulator.seed.applications[0].clientId,
          client_secret: client.emulator.seed.applications[0].clientSecret,
          refresh_token,
        }),
      });
      const ended = expect(lost).rejects.toThrow(/abort/i);
      await expect.poll(waiting).toBe(1);
      const before = entries().length;
      away.abort();
      await expect.poll(() => entries().length).toBe(before + 1);
      expect(entries().at(-1)).toMatchObject({
        clientGone: true,
        effect: 'tokens-issued',
        status: 200,
        held: { releasedBy: 'client-gone' },
      });
      await ended;
    });

    test('a reset lets go, and what was under way is no entry of what comes after', async () => {
      const { holds, journal } = client.emulator.control;
      holds.arm({ route: 'page' });
      const held = client.send(`${client.emulator.authUrl}/`);
      await expect.poll(waiting).toBe(1);
      client.emulator.reset();
      expect((await held).status).toBe(200);
      await client.send(`${client.emulator.authUrl}/sign-in`);
      expect(journal.entries().map(({ target }) => target)).toEqual(['/sign-in']);
      expect(holds.list()).toEqual([]);
    });
  });
}

test('a hold that could not hold is refused', async () => {
  const { holds } = (await startClient()).emulator.control;
  for (const [hold, message] of [
    [{ route: 'token', until: 0 }, /until.*>= 1.*0/],
    [{ route: 'token', limitMs: 200_000 }, /limitMs.*<= 120000.*200000/],
    [{ route: 'token', user: 'nobody@example.test' }, /user.*ada@example.test.*nobody@example.test/],
    [{ route: 'list', grantType: 'refresh_token' }, /grantType.*route token.*list/],
    [{ route: 'any', clientId: 'none' }, /clientId.*application.*none/],
  ] as const)
    expect(() => holds.arm(hold)).toThrow(message);
  expect(() => holds.release('hold#9')).toThrow(/one of none.*hold#9/);
});
