import { expect, test } from '@playwright/test';
import {
  codeIn,
  cookieOf,
  type EmulatorClient,
  form,
  hiddenFields,
  startClient,
} from '../support/emulator-client.ts';

const AREA = '/access-keys/applications';

async function get(client: EmulatorClient, path: string, cookie?: string): Promise<Response> {
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
  return client.send(`${client.emulator.authUrl}${path}`, { headers });
}

async function post(client: EmulatorClient, path: string, cookie: string, sent: Record<string, string>) {
  return client.send(`${client.emulator.authUrl}${path}`, {
    method: 'POST',
    headers: { cookie },
    body: form(sent),
  });
}

async function csrf(client: EmulatorClient, cookie: string): Promise<string> {
  return hiddenFields(await (await get(client, AREA, cookie)).text()).csrf ?? '';
}

function textOf(html: string, id: string): string {
  return new RegExp(`id="${id}">([^<]*)<`).exec(html)?.[1] ?? '';
}

test.describe('the account area (clauses 1 and 5.2)', () => {
  test('an application created there is good for the whole flow', async () => {
    const client = await startClient();
    const cookie = await client.signIn();
    const redirect = 'https://new.example.test/cb?from=here';
    const created = await post(client, AREA, cookie, {
      csrf: await csrf(client, cookie),
      name: 'Brand <new>',
      redirect_uris: `${redirect}\r\n\r\nhttp://127.0.0.1:7000/cb`,
    });
    const shown = created.headers.get('location') ?? '';
    expect(created.status).toBe(303);
    const html = await (await get(client, shown, cookie)).text();
    const client_id = textOf(html, 'client-id');
    const client_secret = textOf(html, 'client-secret');
    expect(html).toContain('Brand &lt;new&gt;');
    const code = await client.code({ client_id, redirect_uri: redirect });
    const exchanged = await client.exchange({ client_id, client_secret, code, redirect_uri: redirect });
    expect(exchanged.status).toBe(200);
    const { applications } = client.emulator.control.stats();
    for (const path of [shown, AREA, '/']) {
      expect(await (await get(client, path, cookie)).text()).not.toContain(client_secret);
    }
    expect(client.emulator.control.stats().applications).toBe(applications);
  });

  test('edited redirect addresses count from then on', async () => {
    const client = await startClient();
    const cookie = await client.signIn();
    const { clientId, redirectUris } = client.emulator.seed.applications[0];
    const path = `${AREA}/${clientId}`;
    const redirect_uri = 'https://moved.example.test/cb';
    expect(codeIn(await client.authorize({ redirect_uri }))).toBeUndefined();
    const sent = { csrf: await csrf(client, cookie), name: 'Moved', redirect_uris: redirect_uri };
    const saved = await post(client, path, cookie, sent);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}?saved=yes`]);
    expect(await (await get(client, `${path}?saved=yes`, cookie)).text()).toContain('Saved');
    expect(codeIn(await client.authorize({ redirect_uri }))).toBeDefined();
    expect(codeIn(await client.authorize({ redirect_uri: redirectUris[0] }))).toBeUndefined();
  });

  test('a form with mistakes says each of them, keeps what was typed and stores nothing', async () => {
    const client = await startClient();
    const cookie = await client.signIn();
    const before = client.emulator.control.stats().applications;
    for (const [redirect_uris, said] of [
      ['', 'at least one'],
      ['/callback', '/callback is no absolute address'],
      ['javascript:alert(1)', 'must begin with https'],
      ['https://a.test/#part', 'fragment'],
      ['https://user:pw@a.test/', 'password'],
      [`https://a.test/${'x'.repeat(3_000)}`, 'longer than'],
    ] as const) {
      const refused = await post(client, AREA, cookie, {
        csrf: await csrf(client, cookie),
        name: '',
        redirect_uris,
      });
      const html = await refused.text();
      expect([refused.status, html.includes(said), html.includes('Give the application a name')]).toEqual([
        422,
        true,
        true,
      ]);
    }
    expect(client.emulator.control.stats().applications).toBe(before);
  });

  test('shows nobody another owner’s applications, and nothing without signing in', async () => {
    const client = await startClient();
    const [first] = client.emulator.seed.applications;
    const stranger = await client.signIn(1);
    expect(await (await get(client, AREA, stranger)).text()).not.toContain(first.clientId);
    expect((await get(client, `${AREA}/${first.clientId}`, stranger)).status).toBe(404);
    const sent = { csrf: await csrf(client, stranger), name: 'Mine', redirect_uris: 'https://evil.test/' };
    expect((await post(client, `${AREA}/${first.clientId}`, stranger, sent)).status).toBe(404);
    expect(codeIn(await client.authorize({ redirect_uri: 'https://evil.test/' }))).toBeUndefined();
    for (const path of [AREA, `${AREA}/new`, `${AREA}/${first.clientId}`]) {
      expect((await get(client, path)).headers.get('location')).toContain('/sign-in?return_to=');
    }
  });
});

test.describe('signing in and out', () => {
  test('a wrong password and an unknown email are refused in the same words', async () => {
    const client = await startClient();
    const [owner] = client.emulator.seed.owners;
    const page = await get(client, '/sign-in');
    const cookie = cookieOf(page);
    const fields = hiddenFields(await page.text());
    const said = [];
    for (const [email, password] of [
      [owner.email, 'wrong'],
      ['nobody@example.test', owner.password],
      [owner.email, ''],
    ] as const) {
      const refused = await post(client, '/sign-in', cookie, { ...fields, email, password });
      expect(refused.status).toBe(422);
      expect(refused.headers.getSetCookie()).toEqual([]);
      said.push(/id="sign-in-error">([^<]*)</.exec(await refused.text())?.[1]);
    }
    expect(new Set(said).size).toBe(1);
    expect((await get(client, AREA, cookie)).status).toBe(303);
  });

  test('the session of before is worth nothing after', async () => {
    const client = await startClient();
    const [owner] = client.emulator.seed.owners;
    const page = await get(client, '/sign-in');
    const before = cookieOf(page);
    const fields = hiddenFields(await page.text());
    const sent = { ...fields, email: owner.email, password: owner.password };
    const after = cookieOf(await post(client, '/sign-in', before, sent));
    expect(after).not.toBe(before);
    expect(client.emulator.control.stats().sessions).toBe(1);
    expect((await get(client, AREA, before)).status).toBe(303);
    expect((await get(client, AREA, after)).status).toBe(200);
    const out = await post(client, '/sign-out', after, { csrf: await csrf(client, after) });
    expect(out.headers.get('location')).toBe('/');
    expect((await get(client, AREA, after)).status).toBe(303);
  });

  test('leads on within the server and nowhere else', async () => {
    const client = await startClient();
    const [owner] = client.emulator.seed.owners;
    const leads = async (return_to: string) => {
      const page = await get(client, '/sign-in');
      const { csrf: token = '' } = hiddenFields(await page.text());
      const sent = { csrf: token, return_to, email: owner.email, password: owner.password };
      return (await post(client, '/sign-in', cookieOf(page), sent)).headers.get('location');
    };
    expect(await leads('/oauth/authorize?client_id=x')).toBe('/oauth/authorize?client_id=x');
    for (const elsewhere of [
      '//evil.test',
      '/\\evil.test',
      'https://evil.test',
      'evil',
      '/a\r\nSet-Cookie: x=y',
      '',
    ]) {
      expect(await leads(elsewhere)).toBe('/');
    }
  });

  test('no form acts without its session’s token', async () => {
    const client = await startClient();
    const cookie = await client.signIn();
    const other = await client.signIn();
    const foreign = await csrf(client, other);
    const { clientId, redirectUris } = client.emulator.seed.applications[0];
    const request = form({
      client_id: clientId,
      redirect_uri: redirectUris[0],
      response_type: 'code',
      scope: 'read',
    }).toString();
    for (const [path, sent] of [
      ['/oauth/authorize', { request, decision: 'grant' }],
      [AREA, { name: 'x', redirect_uris: 'https://x.test/' }],
      ['/sign-out', {}],
      ['/sign-in', { email: 'x', password: 'y' }],
    ] as const) {
      for (const token of ['', 'guess', foreign]) {
        const refused = await post(client, path, cookie, { ...sent, csrf: token });
        expect([path, refused.status, refused.headers.get('location')]).toEqual([path, 403, null]);
      }
    }
    expect((await get(client, AREA, cookie)).status).toBe(200);
  });

  test('a code needs somebody who has signed in, and a button pressed', async () => {
    const client = await startClient();
    const { clientId, redirectUris } = client.emulator.seed.applications[0];
    const query = form({
      client_id: clientId,
      redirect_uri: redirectUris[0],
      response_type: 'code',
      scope: 'read',
    });
    const stranger = await get(client, `/oauth/authorize?${query}`);
    expect(stranger.headers.get('location')).toMatch(/^\/sign-in\?return_to=/);
    const cookie = await client.signIn();
    const page = await get(client, `/oauth/authorize?${query}`, cookie);
    const fields = hiddenFields(await page.text());
    for (const decision of ['', 'maybe']) {
      expect((await post(client, '/oauth/authorize', cookie, { ...fields, decision })).status).toBe(400);
    }
    expect(client.emulator.control.stats().codes).toBe(0);
  });

  test('cookies are out of scripts’ reach and bound to the site; pages may not be framed or kept', async () => {
    const client = await startClient({ addresses: { authPath: '/auth' } });
    const page = await get(client, '/sign-in');
    expect(page.headers.getSetCookie()[0]).toMatch(/; Path=\/auth; HttpOnly; SameSite=Lax$/);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('form-action');
  });
});
