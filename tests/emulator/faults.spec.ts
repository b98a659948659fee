import { connect } from 'node:net';
import { expect, test } from '@playwright/test';
import { type EmulatorClient, startClient } from '../support/emulator-client.ts';

const TOKENS_ISSUED = /"access_token"/;

for (const listen of [false, true]) {
  test.describe(listen ? 'faults over a socket' : 'faults in-process', () => {
    let client: EmulatorClient;
    test.beforeEach(async () => {
      client = await startClient({ listen });
    });
    test.afterEach(() => client.emulator.close());

    test('status: the next n requests to the route, and no other', async () => {
      client.emulator.control.faults.arm({ route: 'token', count: 2, kind: 'status' });
      const code = await client.code();
      const seen = [];
      for (let i = 0; i < 3; i += 1) seen.push((await client.exchange({ code })).status);
      expect(seen).toEqual([503, 503, 200]);
    });

    test('html: a page in place of JSON', async () => {
      client.emulator.control.faults.arm({ route: 'token', count: 1, kind: 'html', status: 502 });
      const response = await client.exchange({ code: await client.code() });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        502,
        'text/html; charset=utf-8',
      ]);
      expect(await response.text()).toContain('<h1>');
    });

    test('reset: the connection breaks and nothing has happened', async () => {
      client.emulator.control.faults.arm({ route: 'token', count: 1, kind: 'reset' });
      const code = await client.code();
      await expect(client.exchange({ code })).rejects.toThrow(TypeError);
      expect((await client.exchange({ code })).status).toBe(200);
    });

    test('reset after the effect: the answer is lost, the code is used', async () => {
      client.emulator.control.faults.arm({ route: 'token', count: 1, kind: 'reset', afterEffect: true });
      const code = await client.code();
      await expect(client.exchange({ code })).rejects.toThrow(TypeError);
      expect((await client.exchange({ code })).status).toBe(400);
    });

    test('reset and stall after the effect are journalled with the status that was lost, others without one', async () => {
      const { faults, journal } = client.emulator.control;
      for (const afterEffect of [true, false]) {
        faults.arm({ route: 'token', count: 1, kind: 'reset', afterEffect });
        await expect(client.exchange({ code: await client.code() })).rejects.toThrow(TypeError);
        const { status, fault } = journal.entries().at(-1) ?? {};
        expect([fault, status]).toEqual(['reset', afterEffect ? 200 : undefined]);
      }
    });

    test('a 401 carries the challenge that the service sends with its own, and no other status does', async () => {
      const { faults } = client.emulator.control;
      const { projects } = client.emulator.seed;
      const list = () => client.call('GET', client.path(projects[0].id), 'never-issued');
      const wrong = () => client.exchange({ code: 'never-issued', client_secret: 'wrong' });
      for (const [route, ask] of [
        ['list', list],
        ['token', wrong],
      ] as const) {
        const own = await ask();
        expect([own.status, own.headers.has('www-authenticate')]).toEqual([401, true]);
        faults.arm({ route, count: 1, kind: 'status', status: 401 });
        faults.arm({ route, count: 1, kind: 'status', status: 403 });
        const [armed, other] = [await ask(), await ask()];
        expect(armed.headers.get('www-authenticate')).toBe(own.headers.get('www-authenticate'));
        expect([armed.status, await armed.text()]).toEqual([401, 'Armed fault.\n']);
        expect([other.status, other.headers.has('www-authenticate')]).toEqual([403, false]);
      }
    });

    test('stall: no answer until the client gives up', async () => {
      client.emulator.control.faults.arm({ route: 'list', count: 1, kind: 'stall' });
      const { access_token } = await client.pair();
      const [project] = client.emulator.seed.projects;
      const giveUp = new AbortController();
      const stalled = client.send(`${client.emulator.baseUrl}${client.path(project.id)}`, {
        headers: { authorization: `Bearer ${access_token}` },
        signal: giveUp.signal,
      });
      const ended = expect(stalled).rejects.toThrow(/abort/i);
      await expect.poll(() => client.emulator.control.faults.armed().length).toBe(0);
      giveUp.abort();
      await ended;
      expect((await client.call('GET', client.path(project.id), access_token)).status).toBe(200);
    });

    test('truncate: the head comes whole, the body does not', async () => {
      client.emulator.control.faults.arm({ route: 'token', count: 1, kind: 'truncate' });
      const response = client.exchange({ code: await client.code() });
      // Without a socket, no head comes either.
      if (listen) expect((await response).status).toBe(200);
      await expect(response.then((answer) => answer.text())).rejects.toThrow();
    });

    test('faults of several routes wait for their own, in the order armed', async () => {
      const { faults } = client.emulator.control;
      faults.arm({ route: 'any', count: 1, kind: 'status', status: 500 });
      faults.arm({ route: 'page', count: 1, kind: 'status', status: 501 });
      const page = async () => (await client.send(`${client.emulator.authUrl}/sign-in`)).status;
      expect([await page(), await page(), await page()]).toEqual([500, 501, 200]);
    });
  });
}

test.describe('the journal', () => {
  test('keeps what clients sent, headers as written, with the reason of a refusal', async () => {
    const client = await startClient({ listen: true });
    const port = Number(new URL(client.emulator.authUrl).port);
    const body = 'grant_type=refresh_token&refresh_token=never';
    const socket = connect(port, '127.0.0.1');
    socket.end(
      `POST /oauth/token?x=%zz HTTP/1.1\r\nHost: h\r\nX-Odd: 1\r\nx-odd: 2\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).not.toMatch(TOKENS_ISSUED);
    const entry = client.emulator.control.journal.entries().at(-1);
    expect(entry).toMatchObject({
      method: 'POST',
      target: '/oauth/token?x=%zz',
      body,
      status: 400,
      endpoint: 'token',
    });
    expect(entry?.headers).toEqual(
      expect.arrayContaining([
        ['X-Odd', '1'],
        ['x-odd', '2'],
      ]),
    );
    expect(entry?.refusal).toMatchObject({ refused: 'client-missing-on-refresh' });
    await client.emulator.close();
  });

  test('names the fault that hit a request, and has no status where none was sent', async () => {
    const client = await startClient();
    client.emulator.control.faults.arm({ route: 'page', count: 1, kind: 'reset' });
    client.emulator.control.faults.arm({ route: 'page', count: 1, kind: 'html', status: 500 });
    await expect(client.send(`${client.emulator.authUrl}/`)).rejects.toThrow();
    await client.send(`${client.emulator.authUrl}/`);
    const [first, second] = client.emulator.control.journal.entries();
    expect([first?.fault, first?.status]).toEqual(['reset', undefined]);
    expect([second?.fault, second?.status]).toEqual(['html', 500]);
  });
});
