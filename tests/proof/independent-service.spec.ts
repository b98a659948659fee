/** The independent service for staging: a service that is not ours, and that can be told to go wrong. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { sendByTls } from '../support/independent-service/form-browser.ts';
import {
  type RunningIndependentService,
  SELECTORS,
  startIndependentService,
} from '../support/independent-service/start.ts';
import { Walk } from '../support/independent-service/walk.ts';

/** Starts an independent service for the length of one piece of work, and demands that it ends cleanly. */
async function withIndependentService<T>(
  env: Record<string, string>,
  work: (walk: Walk, running: RunningIndependentService) => Promise<T>,
): Promise<T> {
  const running = await startIndependentService(env);
  try {
    return await work(new Walk(running.ready), running);
  } finally {
    await running.stop();
  }
}

/** The smoke flow: code, exchange, list, assign, list, unassign, list, refresh, list. */
async function baseWalk(walk: Walk, tokenType: string): Promise<void> {
  const { projects, users, assigned } = walk.ready;
  const [project] = projects;
  const own = users[0];
  const others = assigned[project] ?? [];

  const first = await walk.exchange(await walk.code());
  expect(first.status).toBe(200);
  expect(first.json).toMatchObject({ token_type: tokenType, expires_in: 7200, scope: 'read write destroy' });
  expect(first.headers.get('cache-control')).toBe('no-store');
  const { access_token: access, refresh_token: refresh } = first.json;
  expect(access).toMatch(/^[\w-]{40,}$/);
  expect(refresh).toMatch(/^[\w-]{40,}$/);

  expect(await walk.listed(project, access)).toEqual(others);
  expect((await walk.resource('PUT', `${project}/assigned_users/${own}`, access)).status).toBe(201);
  expect(await walk.listed(project, access)).toEqual([...others, own]);
  expect((await walk.resource('DELETE', `${project}/assigned_users/${own}`, access)).status).toBe(204);
  expect(await walk.listed(project, access)).toEqual(others);

  const second = await walk.refresh(refresh);
  expect(second.json).toMatchObject({ token_type: tokenType, expires_in: 7200 });
  expect(second.json.refresh_token).not.toBe(refresh);
  expect(second.json.access_token).not.toBe(access);
  expect(await walk.listed(project, second.json.access_token)).toEqual(others);
  const third = await walk.refresh(second.json.refresh_token);
  expect(third.status).toBe(200);
}

test.describe('the smoke flow', () => {
  for (const [mode, tokenType] of [
    ['wrapped', 'bearer'],
    ['as-shipped', 'Bearer'],
  ] as const) {
    test(`goes through in mode ${mode}`, async () => {
      await withIndependentService({ INDEPENDENT_SERVICE_MODE: mode }, (walk) => baseWalk(walk, tokenType));
    });
  }

  test('goes through over HTTPS with a private authority, pages on an origin of their own', async () => {
    test.skip(spawnSync('openssl', ['version']).error !== undefined, 'needs the program openssl');
    const directory = test.info().outputPath('.');
    const env = {
      INDEPENDENT_SERVICE_TLS: '1',
      INDEPENDENT_SERVICE_DIR: directory,
      INDEPENDENT_SERVICE_TWO_ORIGINS: '1',
    };
    await withIndependentService(env, async (_walk, { ready }) => {
      expect(new Set([ready.authUrl, ready.baseUrl, ready.pagesUrl]).size).toBe(3);
      await expect(fetch(`${ready.authUrl}/oauth/authorize`)).rejects.toThrow();
      const ca = readFileSync(ready.caFile ?? '', 'utf8');
      await baseWalk(new Walk(ready, sendByTls(ca)), 'bearer');
    });
    expect(readdirSync(directory)).toEqual(['ca.pem']);
  });
});

test.describe('the pages', () => {
  test('ask for the identifier, then the password, then consent, each on a page of its own', async () => {
    await withIndependentService({}, async (walk) => {
      const { browser, ready } = walk;
      const first = await browser.open(walk.authorizeUrl({ state: 'a b+/=&%é' }));
      expect(first.html).toContain('name="login"');
      expect(first.html).not.toContain('name="passwd"');
      expect(first.headers.get('x-frame-options')).toBe('DENY');

      const stranger = await browser.press(first, SELECTORS.next, { login: 'nobody' });
      expect(stranger.html).toContain('role="alert"');
      const second = await browser.press(stranger, SELECTORS.next, { login: ready.owner.login });
      expect(second.html).toContain('name="passwd"');
      expect(second.html).not.toContain('name="login"');

      const wrong = await browser.press(second, SELECTORS.signIn, { passwd: 'not it' });
      expect(wrong).toMatchObject({ status: 200, leaving: undefined });
      expect(wrong.html).toContain('role="alert"');
      const third = await browser.press(wrong, SELECTORS.signIn, { passwd: ready.owner.password });
      expect(third.html).toContain('Conformance &lt;independent-service&gt; &amp; first');
      for (const scope of ['read', 'write', 'destroy']) expect(third.html).toContain(`<li>${scope}</li>`);

      const { leaving } = await browser.press(third, SELECTORS.allow);
      expect(leaving?.href.startsWith(ready.application.redirectUris[0] ?? '-')).toBe(true);
      expect(leaving?.searchParams.get('code')).toMatch(/^[\w-]{40,}$/);
      expect(leaving?.searchParams.get('state')).toBe('a b+/=&%é');
    });
  });

  test('deny when the owner says no', async () => {
    await withIndependentService({}, async (walk) => {
      const consent = await walk.signIn(await walk.browser.open(walk.authorizeUrl({ state: 'xyz' })));
      const { leaving } = await walk.browser.press(consent, SELECTORS.deny);
      expect(leaving?.searchParams.get('error')).toBe('access_denied');
      expect(leaving?.searchParams.get('state')).toBe('xyz');
      expect(leaving?.searchParams.has('code')).toBe(false);
    });
  });

  test('refuse a form that they did not make', async () => {
    await withIndependentService({}, async (walk) => {
      const page = await walk.browser.open(walk.authorizeUrl());
      const forged = { ...page, html: page.html.replace(/name="_csrf" value="/, '$&x') };
      expect((await walk.browser.press(forged, SELECTORS.next, { login: 'x' })).status).toBe(403);
    });
  });

  test('show a notice between password and consent when asked to', async () => {
    await withIndependentService({ INDEPENDENT_SERVICE_INTERSTITIAL: '1' }, async (walk) => {
      const { login, password } = walk.ready.owner;
      const first = await walk.browser.open(walk.authorizeUrl());
      const second = await walk.browser.press(first, SELECTORS.next, { login });
      const notice = await walk.browser.press(second, SELECTORS.signIn, { passwd: password });
      expect(notice.html).toContain('id="notice-proceed"');
      expect(notice.html).not.toContain('name="decision"');
      const consent = await walk.browser.press(notice, SELECTORS.proceed);
      expect(consent.html).toContain('name="decision"');
    });
  });

  test('are on an origin of their own when asked to, and send the browser back', async () => {
    await withIndependentService({ INDEPENDENT_SERVICE_TWO_ORIGINS: '1' }, async (walk) => {
      const { ready } = walk;
      const page = await walk.browser.open(walk.authorizeUrl());
      expect(new URL(page.url).origin).toBe(ready.pagesUrl);
      expect(ready.pagesUrl).not.toBe(ready.authUrl);
      const done = await walk.authorize();
      expect(new URL(done.url).origin).toBe(ready.authUrl);
      expect(done.leaving?.searchParams.has('code')).toBe(true);
    });
  });

  const shown = { always: [true, true, true], once: [true, false, true], never: [false, false, false] };
  for (const [consent, expected] of Object.entries(shown)) {
    test(`show consent ${consent}`, async () => {
      await withIndependentService({ INDEPENDENT_SERVICE_CONSENT: consent }, async (walk) => {
        const seen: boolean[] = [];
        for (const scope of ['read', 'read', 'read write']) {
          let page = await walk.browser.open(walk.authorizeUrl({ scope }));
          if (page.html.includes('name="login"')) page = await walk.signIn(page);
          seen.push(page.html.includes('name="decision"'));
          if (seen.at(-1)) page = await walk.browser.press(page, SELECTORS.allow);
          const tokens = await walk.exchange(page.leaving?.searchParams.get('code') ?? '');
          expect(tokens.json.scope).toBe(scope);
        }
        expect(seen).toEqual(expected);
      });
    });
  }
});

test.describe('a sound independent service', () => {
  let running: RunningIndependentService;
  let walk: Walk;

  test.beforeAll(async () => {
    running = await startIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'always' });
    walk = new Walk(running.ready);
  });
  test.afterAll(async () => {
    await running.stop();
  });

  test('kills the family of a refresh token that is used twice', async () => {
    const { json } = await walk.exchange(await walk.code());
    const second = await walk.refresh(json.refresh_token);
    expect((await walk.refresh(json.refresh_token)).json.error).toBe('invalid_grant');
    const list = `${walk.ready.projects[0]}/assigned_users`;
    expect((await walk.resource('GET', list, second.json.access_token)).status).toBe(401);
  });

  test('wants the scope that fits the operation', async () => {
    const { json } = await walk.exchange(await walk.code(walk.authorizeUrl({ scope: 'read' })));
    const [project] = walk.ready.projects;
    const path = `${project}/assigned_users/${walk.ready.users[0]}`;
    expect((await walk.resource('GET', `${project}/assigned_users`, json.access_token)).status).toBe(200);
    for (const method of ['PUT', 'DELETE']) {
      const refused = await walk.resource(method, path, json.access_token);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope');
    }
  });

  test('answers 404 to ids that it does not know and 401 to tokens that are none', async () => {
    const { json } = await walk.exchange(await walk.code());
    const [project] = walk.ready.projects;
    const before = await walk.listed(project, json.access_token);
    for (const path of [
      `${project}/assigned_users/u-none`,
      `prj-none/assigned_users/${walk.ready.users[0]}`,
    ]) {
      expect((await walk.resource('PUT', path, json.access_token)).status).toBe(404);
      expect((await walk.resource('DELETE', path, json.access_token)).status).toBe(404);
    }
    const odd = ['%2e%2e', '%00', '%E0%A4%A', '..%2Fu-5mtz', 'u-5mtz%20', 'x'.repeat(4000)];
    for (const id of odd) {
      expect(
        (await walk.resource('DELETE', `${project}/assigned_users/${id}`, json.access_token)).status,
      ).toBe(404);
    }
    for (const token of ['nonsense', json.refresh_token, `${json.access_token}x`]) {
      expect((await walk.resource('GET', `${project}/assigned_users`, token)).status).toBe(401);
    }
    expect(await walk.listed(project, json.access_token)).toEqual(before);
  });
});

test.describe('what the wrapper corrects', () => {
  for (const mode of ['wrapped', 'as-shipped'] as const) {
    const corrected = mode === 'wrapped';

    test(`a scope outside the document's three is ${corrected ? 'refused' : 'ignored'} in mode ${mode}`, async () => {
      await withIndependentService({ INDEPENDENT_SERVICE_MODE: mode }, async (walk) => {
        const { leaving } = await walk.authorize(walk.authorizeUrl({ scope: 'read admin' }));
        expect(leaving?.searchParams.get('error')).toBe(corrected ? 'invalid_scope' : null);
        expect(leaving?.searchParams.has('code')).toBe(!corrected);
      });
    });

    test(`openid brings ${corrected ? 'a refusal' : 'an id_token'} in mode ${mode}`, async () => {
      await withIndependentService({ INDEPENDENT_SERVICE_MODE: mode }, async (walk) => {
        const { leaving } = await walk.authorize(walk.authorizeUrl({ scope: 'openid read' }));
        const code = leaving?.searchParams.get('code') ?? '';
        expect(code === '').toBe(corrected);
        expect('id_token' in (await walk.exchange(code)).json).toBe(!corrected);
      });
    });

    test(`redirect_uri ${corrected ? 'must' : 'need not'} be sent by an application with one, in mode ${mode}`, async () => {
      await withIndependentService({ INDEPENDENT_SERVICE_MODE: mode }, async (walk) => {
        const { clientId, clientSecret, redirectUris } = walk.ready.secondApplication;
        const second = { client_id: clientId, client_secret: clientSecret };
        const without = await walk.authorize(
          walk.authorizeUrl({ client_id: clientId, redirect_uri: undefined }),
        );
        expect(without.leaving?.searchParams.has('code') ?? false).toBe(!corrected);
        const url = walk.authorizeUrl({ client_id: clientId, redirect_uri: redirectUris[0] });
        const exchanged = await walk.exchange(await walk.code(url), { ...second, redirect_uri: undefined });
        expect(exchanged.status).toBe(corrected ? 400 : 200);
      });
    });
  }
});

test.describe('a grace window', () => {
  const window = (grace: string, seconds = '30') => ({
    INDEPENDENT_SERVICE_GRACE: grace,
    INDEPENDENT_SERVICE_GRACE_SECONDS: seconds,
    INDEPENDENT_SERVICE_CLOCK: '1',
  });
  const pass = (walk: Walk, seconds: number) =>
    fetch(`${walk.ready.baseUrl}/clock/advance`, { method: 'POST', body: JSON.stringify({ seconds }) });
  const list = async (walk: Walk, token: string | undefined) =>
    (await walk.resource('GET', `${walk.ready.projects[0]}/assigned_users`, token)).status;

  test('gives the same pair until that is used, and takes what follows for theft', async () => {
    await withIndependentService(window('same-pair'), async (walk) => {
      const { json } = await walk.exchange(await walk.code());
      const [first, second] = await Promise.all([1, 2].map(() => walk.refresh(json.refresh_token)));
      expect(second?.json).toEqual(first?.json);
      expect((await walk.refresh(json.refresh_token)).json).toEqual(first?.json);
      expect(await list(walk, first?.json.access_token)).toBe(200);
      expect((await walk.refresh(json.refresh_token)).json.error).toBe('invalid_grant');
      expect(await list(walk, first?.json.access_token)).toBe(401);
    });
  });

  test('gives another pair, and no longer after its seconds', async () => {
    await withIndependentService(window('another-pair'), async (walk) => {
      const { json } = await walk.exchange(await walk.code());
      const first = await walk.refresh(json.refresh_token);
      const second = await walk.refresh(json.refresh_token);
      expect(second.status).toBe(200);
      expect(second.json.refresh_token).not.toBe(first.json.refresh_token);
      expect(await list(walk, first.json.access_token)).toBe(200);
      await pass(walk, 31);
      expect((await walk.refresh(json.refresh_token)).json.error).toBe('invalid_grant');
      expect(await list(walk, second.json.access_token)).toBe(401);
    });
  });

  test('refuses without harm, and with it after its seconds', async () => {
    await withIndependentService(window('refused'), async (walk) => {
      const { json } = await walk.exchange(await walk.code());
      const first = await walk.refresh(json.refresh_token);
      expect((await walk.refresh(json.refresh_token)).json.error).toBe('invalid_grant');
      expect(await list(walk, first.json.access_token)).toBe(200);
      await pass(walk, 31);
      expect((await walk.refresh(json.refresh_token)).json.error).toBe('invalid_grant');
      expect(await list(walk, first.json.access_token)).toBe(401);
    });
  });

  test('lasts for ever', async () => {
    await withIndependentService(window('another-pair', 'Infinity'), async (walk) => {
      const { json } = await walk.exchange(await walk.code());
      const first = await walk.refresh(json.refresh_token);
      expect(await list(walk, first.json.access_token)).toBe(200);
      await pass(walk, 7_300);
      expect(await list(walk, first.json.access_token)).toBe(401);
      expect((await walk.refresh(json.refresh_token)).status).toBe(200);
    });
  });
});

test('limits count each method, are announced by headers, and end with their window', async () => {
  const env = { INDEPENDENT_SERVICE_LIMITS: 'GET=2,PUT=1', INDEPENDENT_SERVICE_LIMIT_SECONDS: '1' };
  await withIndependentService(env, async (walk, running) => {
    const path = `${walk.ready.projects[0]}/assigned_users`;
    const ask = () => walk.resource('GET', path, undefined);
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual([
      'r=1',
      'r=0',
      'r=0',
    ]);
    expect(answers[2]?.headers.get('retry-after')).toBe('1');
    expect((await walk.resource('PUT', `${path}/u-9wq4`, undefined)).status).toBe(401);
    expect(running.throttled()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await ask()).status).toBe(401);
  });
});

test('a brownout refuses everything for a while, and an end is announced in each answer', async () => {
  const env = { INDEPENDENT_SERVICE_BROWNOUT: '0/1/503', INDEPENDENT_SERVICE_SUNSET: '2027-01-31' };
  await withIndependentService(env, async (walk) => {
    const path = `${walk.ready.projects[0]}/assigned_users`;
    const rests = await walk.resource('GET', path, undefined);
    expect([rests.status, rests.headers.get('retry-after')]).toEqual([503, '1']);
    expect(rests.headers.get('sunset')).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { headers, status } = await walk.exchange(await walk.code());
    expect([status, headers.get('deprecation')]).toEqual([200, '@1767225600']);
  });
});

test.describe('its settings', () => {
  test('are the secrets that it uses, and makes up those that it is not', async () => {
    const env = {
      INDEPENDENT_SERVICE_CLIENT_SECRET: 'cs-given+/=',
      INDEPENDENT_SERVICE_PASSWORD: 'pw given é',
    };
    await withIndependentService(env, async (walk) => {
      expect(walk.ready.application.clientSecret).toBe('cs-given+/=');
      expect(walk.ready.owner.password).toBe('pw given é');
      expect(walk.ready.secondApplication.clientSecret).toHaveLength(32);
      expect((await walk.exchange(await walk.code())).status).toBe(200);
    });
  });
});

test('answers nothing after it was stopped', async () => {
  const running = await startIndependentService();
  const { authUrl, baseUrl } = running.ready;
  expect((await fetch(`${authUrl}/.well-known/openid-configuration`)).status).toBe(200);
  await running.stop();
  for (const url of [authUrl, baseUrl]) await expect(fetch(url)).rejects.toThrow();
});
