import { Agent, request } from 'node:http';
import { expect, test } from '@playwright/test';
import type { JournalEntry } from '../../src/emulator/control/control-types.ts';
import { type EmulatorClient, form, startClient } from '../support/emulator-client.ts';

/** The members of an entry that hold what was sent as it was sent. */
const RAW = new Set(['target', 'headers', 'body']);

const last = (client: EmulatorClient) => client.emulator.control.journal.entries().at(-1);

test('a rotation can be followed by ordinals, and nothing secret stands beside what was sent', async () => {
  const client = await startClient();
  const { seed, control } = client.emulator;
  const code = await client.code({ state: 'guess-me-if-you-can' });
  const first = (await (await client.exchange({ code })).json()) as Record<string, string>;
  const refreshed = await client.refresh({ refresh_token: first.refresh_token });
  const second = (await refreshed.json()) as Record<string, string>;
  await client.list(seed.projects[0].id, second.access_token ?? '');
  const [user] = seed.users;
  await client.call('PUT', client.path(seed.projects[3]?.id ?? '', user.id), second.access_token);

  // Secrets where they have no place are none the less secrets.
  await client.exchange({ code, client_id: seed.applications[0].clientSecret });
  await client.exchange({ code, redirect_uri: `https://a.test/${code}`, scope: second.refresh_token });
  await client.send(`${client.emulator.baseUrl}/v2/${second.refresh_token}?${second.access_token}`);

  const entries = control.journal.entries().slice(0, -3);
  const reported = entries
    .filter(({ endpoint }) => endpoint !== 'page')
    .map(({ effect, presented, issued, grant }) => ({ effect, presented, issued, grant }));
  const grant = 'grant#1';
  expect(reported).toEqual([
    { effect: undefined, presented: {}, issued: {}, grant: undefined },
    { effect: 'code-issued', presented: {}, issued: { code: 'code#1' }, grant },
    {
      effect: 'tokens-issued',
      presented: { code: 'code#1' },
      issued: { accessToken: 'access_token#1', refreshToken: 'refresh_token#1' },
      grant,
    },
    {
      effect: 'tokens-issued',
      presented: { refreshToken: 'refresh_token#1' },
      issued: { accessToken: 'access_token#2', refreshToken: 'refresh_token#2' },
      grant,
    },
    { effect: 'listed', presented: { accessToken: 'access_token#2' }, issued: {}, grant },
    { effect: 'assigned', presented: { accessToken: 'access_token#2' }, issued: {}, grant },
  ]);
  const refresh = entries.findLast(({ grantType }) => grantType === 'refresh_token');
  expect(refresh).toMatchObject({
    authentication: 'form',
    user: seed.owners[0].email,
    application: seed.applications[0].clientId,
    clientGone: false,
    parameters: [
      { name: 'grant_type', value: 'refresh_token', place: 'form' },
      { name: 'client_id', value: seed.applications[0].clientId, place: 'form' },
      { name: 'client_secret', value: 'client_secret', place: 'form' },
      { name: 'refresh_token', value: 'refresh_token#1', place: 'form' },
    ],
  });
  const all = control.journal.entries();
  const shown = JSON.stringify(all, (key, value) => (RAW.has(key) ? undefined : value));
  const secrets = [code, first.access_token, first.refresh_token, second.access_token, second.refresh_token];
  for (const secret of [...secrets, seed.applications[0].clientSecret, seed.owners[0].password, 'guess-me'])
    expect(shown).not.toContain(secret);
});

test('a secret of any characters is taken out, wherever it stands', async () => {
  const clientSecret = 'odd secret/of&any%kind';
  const client = await startClient({ application: { clientSecret } });
  await client.exchange({ code: 'x', redirect_uri: `https://a.test/?s=${clientSecret}` });
  expect(last(client)?.parameters.find(({ name }) => name === 'redirect_uri')?.value).toBe(
    'https://a.test/?s=client_secret',
  );
});

test('how a client authenticates and presents its token is told, whatever the service takes', async () => {
  const client = await startClient({ profile: 'by-the-rfc' });
  const { clientId, clientSecret } = client.emulator.seed.applications[0];
  const basic = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
  const without = { client_id: undefined, client_secret: undefined };
  const seen: (string | undefined)[] = [];
  for (const ask of [
    () => client.exchange({ code: 'x' }),
    () => client.exchange({ code: 'x', ...without }, basic),
    () => client.exchange({ code: 'x' }, basic),
    () => client.exchange({ code: 'x', ...without }),
  ]) {
    await ask();
    seen.push(last(client)?.authentication);
  }
  expect(seen).toEqual(['form', 'basic', 'both', 'none']);

  const list = `${client.emulator.baseUrl}${client.path(client.emulator.seed.projects[0].id)}`;
  const places: (string | undefined)[] = [];
  for (const [query, headers] of [
    ['', { authorization: 'Bearer x' }],
    ['?access_token=x', {}],
    ['', {}],
  ] as const) {
    await client.send(list + query, { headers });
    places.push(last(client)?.presentation);
  }
  expect(places).toEqual(['header', 'query', 'none']);
});

test('what was never issued has ordinals of its own, the same value the same', async () => {
  const client = await startClient();
  const presented: unknown[] = [];
  for (const code of ['made-up-1', 'made-up-2', 'made-up-1']) {
    await client.exchange({ code, client_secret: 'wrong-secret' });
    presented.push(last(client)?.presented);
  }
  expect(presented).toEqual([
    { code: 'unissued_code#1' },
    { code: 'unissued_code#2' },
    { code: 'unissued_code#1' },
  ]);
  expect(last(client)?.parameters.find(({ name }) => name === 'client_secret')?.value).toBe(
    'wrong_client_secret',
  );
  await client.send(`${client.emulator.authUrl}/oauth/token?${form({ client_id: 'not-an-application' })}`, {
    method: 'POST',
    body: form({ grant_type: 'refresh_token', refresh_token: 'rt-made-up', assertion: 'something-else' }),
  });
  expect(
    last(client)
      ?.parameters.slice(-2)
      .map(({ value }) => value),
  ).toEqual(['unissued_refresh_token#1', '[14 characters]']);
});

test('an unknown code or token says what it resembles: cut, encoded twice, in other letter case, or of another kind', async () => {
  const client = await startClient();
  const { code, ...pair } = { code: await client.code(), ...(await client.pair()) };
  const twice = [...code].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
  const sent = [
    code.slice(0, 42),
    twice,
    code.toUpperCase(),
    `${code}&a=1`,
    pair.access_token,
    'made-up-code',
  ];
  const said: unknown[] = [];
  for (const one of sent) {
    await client.exchange({ code: one });
    said.push(last(client)?.refusal?.resembles);
  }
  expect(said).toEqual([
    'the first 42 of the 43 characters of code#1',
    'code#1, encoded twice',
    'code#1 in other letter case',
    'code#1 and 4 more characters',
    'access_token#1',
    undefined,
  ]);
});

test('a code that no form encoding, or one decoding too many, changed says so', async () => {
  const client = await startClient();
  client.emulator.control.tokenForm.set('every-character');
  const code = await client.code();
  const said: unknown[] = [];
  for (const one of [
    new URLSearchParams(`v=${code}`).get('v') ?? '',
    decodeURIComponent(code.replaceAll('+', ' ')),
  ]) {
    await client.exchange({ code: one });
    said.push(last(client)?.refusal?.resembles);
  }
  expect(said).toEqual([
    'code#1, not encoded in the form: a plus sign arrives as a blank',
    'code#1, decoded twice',
  ]);
});

test('a mark goes with the requests that arrive under it', async () => {
  const client = await startClient();
  const { journal } = client.emulator.control;
  for (const mark of ['expiry', undefined]) {
    journal.mark(mark);
    await client.send(`${client.emulator.authUrl}/`);
  }
  expect(journal.entries().map(({ mark }) => mark)).toEqual(['expiry', undefined]);
});

test('each socket has a number', async () => {
  const client = await startClient({ listen: true });
  const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true })];
  for (const agent of [agents[0], agents[0], agents[1]]) {
    await new Promise((resolve) => {
      request(`${client.emulator.authUrl}/`, { agent }, (response) =>
        response.resume().on('end', resolve),
      ).end();
    });
  }
  expect(client.emulator.control.journal.entries().map(({ connection }) => connection)).toEqual([1, 1, 2]);
  for (const agent of agents) agent.destroy();
  await client.emulator.close();
});

test.describe('reading on', () => {
  const targets = (entries: readonly JournalEntry[]) => entries.map(({ target }) => target);

  test('goes on from what was read, in pages', async () => {
    const client = await startClient();
    const { journal } = client.emulator.control;
    for (const path of ['/a', '/b', '/c']) await client.send(client.emulator.baseUrl + path);
    const first = journal.page(0, 2);
    expect([targets(first.entries), first.next, first.dropped]).toEqual([['/a', '/b'], 2, 0]);
    const second = journal.page(first.next);
    expect([targets(second.entries), second.next]).toEqual([['/c'], 3]);
    expect(journal.page(second.next).entries).toEqual([]);
  });

  test('says how many entries were dropped, and how many are kept', async () => {
    const client = await startClient({ journalLimit: 3 });
    const { journal } = client.emulator.control;
    for (let i = 0; i < 5; i += 1) await client.send(`${client.emulator.baseUrl}/n${i}`);
    const { entries, dropped, limit, next } = journal.page(1);
    expect([entries.map(({ sequence }) => sequence), dropped, limit, next]).toEqual([[3, 4, 5], 1, 3, 5]);
    expect(targets(entries)).toEqual(['/n2', '/n3', '/n4']);
    await expect(startClient({ journalLimit: 0 })).rejects.toThrow(/journalLimit.*from 1 to 1000000.*0/);
  });

  test('waits for the next entry, and no longer than told', async () => {
    const client = await startClient();
    const { journal } = client.emulator.control;
    const news = journal.wait(0, 60);
    await client.send(`${client.emulator.baseUrl}/a`);
    // By now it is there: nothing is left to wait for.
    const soon = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
    expect(targets((await Promise.race([news, soon]))?.entries ?? [])).toEqual(['/a']);
    expect((await journal.wait(1, 0.01)).entries).toEqual([]);
    const stop = new AbortController();
    const stopped = journal.wait(1, 60, { signal: stop.signal });
    stop.abort();
    expect((await stopped).entries).toEqual([]);
    await expect(journal.wait(1, 61)).rejects.toThrow(/wait.*0 to 60.*61/);
  });

  test('an emptied journal says so to whoever was ahead', async () => {
    const client = await startClient();
    const { journal } = client.emulator.control;
    for (const path of ['/a', '/b']) await client.send(client.emulator.baseUrl + path);
    const before = journal.page();
    journal.clear();
    await client.send(`${client.emulator.baseUrl}/c`);
    const after = await journal.wait(before.next, 60);
    expect([targets(after.entries), after.next]).toEqual([['/c'], 1]);
    expect(after.generation).toBe(before.generation + 1);
  });
});
