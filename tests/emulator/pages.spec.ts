import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import {
  applicationCreatedPage,
  applicationsPage,
  editApplicationPage,
  newApplicationPage,
} from '../../src/emulator/pages/account-area.ts';
import { consentPage } from '../../src/emulator/pages/consent.ts';
import { signInPage } from '../../src/emulator/pages/sign-in.ts';
import { CONTENT_SECURITY_POLICY } from '../../src/emulator/pages/styles.ts';
import { consent, everyPage, landing } from '../support/emulator-pages.ts';
import { onLoopback } from '../support/on-loopback.ts';

const CALLBACK = 'http://127.0.0.1:4003/callback';
const HOSTILE = `"></title></textarea><script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'>& ' \${7*7}`;
const LONG = 'wide'.repeat(40);

test('every page names itself, says that it is the emulator, and is whole without another request', async ({
  page,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const titles = new Set<string>();
  for (const [name, markup] of Object.entries(everyPage('Photo Sync'))) {
    await test.step(name, async () => {
      await page.setContent(markup);
      await expect(page).toHaveTitle(/.+ · legacy service \(emulator\)$/);
      await expect(page.getByRole('main')).toHaveCount(1);
      await expect(page.getByRole('banner')).toContainText('emulator');
      await expect(page.getByRole('contentinfo')).toContainText('not the real service');
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      expect(await page.locator('script, iframe, [style]').count()).toBe(0);
      titles.add(await page.title());
    });
  }
  expect(titles.size).toBe(Object.keys(everyPage('')).length - 1); // with and without applications: the same page
  expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([]);
});

test('hostile text is shown as text on every page', async ({ page }) => {
  for (const [name, markup] of Object.entries(everyPage(HOSTILE))) {
    await test.step(name, async () => {
      await page.setContent(markup);
      expect(await page.locator('script, img').count()).toBe(0);
      expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
      const carried = page.locator('input, textarea');
      for (const field of await carried.all()) {
        const value = await field.inputValue();
        if (value !== '' && value !== 'csrf-1' && !value.endsWith('request=1'))
          expect(value).toContain(HOSTILE);
      }
      if (!['sign-in', 'new application'].includes(name)) {
        await expect(page.locator('body')).toContainText(HOSTILE);
      }
    });
  }
});

test('every text stands out from its background, in light and in dark', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const backgrounds = new Set<string>();
    for (const [name, markup] of Object.entries(everyPage('Photo Sync'))) {
      await test.step(`${name}, ${colorScheme}`, async () => {
        await page.setContent(markup);
        const { text, controls, background } = await page.evaluate(measureContrast);
        backgrounds.add(background);
        expect(text.length).toBeGreaterThan(3);
        expect(text.filter(({ ratio, needed }) => ratio < needed)).toEqual([]);
        expect(controls.filter(({ ratio }) => ratio < 3)).toEqual([]);
      });
    }
    expect([...backgrounds]).toEqual([colorScheme === 'light' ? 'rgb(245, 243, 238)' : 'rgb(18, 23, 22)']);
  }
});

test('no page scrolls sideways on a phone, however long the words', async ({ page }) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [name, markup] of [
      ...Object.entries(everyPage('Photo Sync')),
      ...Object.entries(everyPage(LONG)),
    ]) {
      await test.step(`${name}, ${width} px`, async () => {
        await page.setContent(markup);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      });
    }
  }
});

test('the skip link comes first and moves the focus past the header', async ({ page }) => {
  await page.setContent(newApplicationPage({ csrf: 'csrf-1', ownerName: 'Ada' }, {}));
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Applications' })).toBeFocused();
});

test('the keyboard meets the controls in reading order, and sees where it is', async ({ page }) => {
  const start = ['Skip to the content', 'legacy service emulator'];
  const orders: [string, string[]][] = [
    [signInPage({ csrf: 'c', returnTo: '/' }), ['Email', 'Password', 'Sign in']],
    [consent(), ['Authorize', 'Deny', 'Not you? Sign out']],
    [
      newApplicationPage({ csrf: 'c' }, {}),
      ['Sign out', 'Applications', 'Name', 'Redirect addresses', 'Create application', 'Cancel'],
    ],
    [applicationsPage({ ownerName: 'Ada', csrf: 'c' }, []), ['Sign out', 'New application']],
  ];
  for (const [markup, names] of orders) {
    await page.setContent(markup);
    for (const name of [...start, ...names]) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      await expect(focused).toHaveAccessibleName(name);
      await expect(focused).toHaveCSS('outline-style', 'solid');
      await expect(focused).toHaveCSS('outline-width', '3px');
    }
  }
});

test('signing in sends what was typed, the CSRF token and the way back', async ({ page }) => {
  const server = await serve(() => ({ body: signInPage({ csrf: 'csrf-1', returnTo: '/next?a=1&b=2' }) }));
  try {
    await page.goto(server.url);
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
    await expect(page.getByLabel('Password')).toHaveAttribute('autocomplete', 'current-password');
    await page.getByLabel('Email').fill('ada@legacy.test');
    await page.getByLabel('Password').fill('opensesame');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.url}/sign-in`);
    expect(server.posts).toEqual([
      {
        path: '/sign-in',
        fields: {
          csrf: 'csrf-1',
          return_to: '/next?a=1&b=2',
          email: 'ada@legacy.test',
          password: 'opensesame',
        },
      },
    ]);
  } finally {
    await server.close();
  }
});

test('a refused sign-in keeps the email, never a password, and says why at both fields', async ({ page }) => {
  await page.setContent(
    signInPage({ csrf: 'c', returnTo: '/', email: 'ada@legacy.test', error: 'They do not match.' }),
  );
  await expect(page).toHaveTitle(/^Error: Sign in/);
  await expect(page.getByRole('alert')).toHaveText('They do not match.');
  await expect(page.getByLabel('Email')).toHaveValue('ada@legacy.test');
  await expect(page.getByLabel('Password')).toHaveValue('');
  for (const label of ['Email', 'Password']) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription('They do not match.');
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
  }
});

for (const [button, decision] of [
  ['Authorize', 'grant'],
  ['Deny', 'deny'],
] as const) {
  test(`${button} sends decision=${decision}, and the policy lets the redirects to the client's host and on through`, async ({
    page,
  }) => {
    const client = await serve((path) =>
      path.startsWith('/callback')
        ? { location: client.url.replace('127.0.0.1', 'localhost') }
        : { body: 'arrived' },
    );
    const server = await serve((_, method) =>
      method === 'POST' ? { location: `${client.url}/callback?code=code-1` } : { body: consent() },
    );
    try {
      await page.goto(server.url);
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(page.locator('body')).toHaveText('arrived');
      expect(server.posts).toEqual([
        {
          path: '/oauth/authorize',
          fields: { csrf: 'csrf-1', request: 'request=1', decision },
        },
      ]);
    } finally {
      await server.close();
      await client.close();
    }
  });
}

test('consent names the application, the owner, where it leads, and what each scope means', async ({
  page,
}) => {
  await page.setContent(
    consentPage({
      csrf: 'csrf-1',
      application: 'Photo Sync',
      ownerName: 'Ada Vogel',
      scopes: ['read', 'destroy', 'admin'],
      redirectHost: 'photos.example',
      query: 'a=1&b=2',
    }),
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authorize Photo Sync?');
  await expect(page.getByRole('main')).toContainText('Ada Vogel');
  await expect(page.getByRole('main')).toContainText('photos.example');
  const scopes = page.getByRole('list', { name: 'Requested scopes' }).getByRole('listitem');
  await expect(scopes).toHaveText([/^read See .+\.$/, /^destroy Remove .+\.$/, /^admin .+ not known\.$/]);
  const signOut = page.locator('form', { has: page.getByRole('button', { name: 'Not you? Sign out' }) });
  await expect(signOut).toHaveAttribute('action', '/sign-out');
  await expect(signOut.locator('[name=return_to]')).toHaveValue('/oauth/authorize?a=1&b=2');
});

test('what is wrong with an application is told at its field and linked from the top', async ({ page }) => {
  const values = { name: 'Photo Sync', redirectUris: '\nnot an address' };
  const errors = [{ field: 'redirect_uris', message: 'Line 2 is not an address.' }];
  await page.setContent(newApplicationPage({ csrf: 'c' }, { values, errors }));
  await expect(page).toHaveTitle(/^Error: New application/);
  const addresses = page.getByLabel('Redirect addresses');
  await expect(addresses).toHaveAccessibleDescription(
    'One a line, written exactly as the client will send them. Line 2 is not an address.',
  );
  await expect(addresses).toHaveAttribute('aria-invalid', 'true');
  await expect(addresses).toHaveValue('\nnot an address');
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
  await page.getByRole('alert').getByRole('link', { name: 'Line 2 is not an address.' }).click();
  await expect(addresses).toBeFocused();
});

test('the account area leads from the list to an application, and its form back to where it is kept', async ({
  page,
}) => {
  const clientId = 'a/b?c';
  const redirectUris = [CALLBACK, 'https://photos.example/return?tenant=north'];
  const application = { clientId, name: 'Photo Sync', redirectUris };
  await page.setContent(applicationsPage({ ownerName: 'Ada', csrf: 'c' }, [application]));
  await expect(page.getByRole('link', { name: 'Photo Sync' })).toHaveAttribute(
    'href',
    '/access-keys/applications/a%2Fb%3Fc',
  );
  const server = await serve(() => ({
    body: editApplicationPage({ csrf: 'c' }, application, {
      values: { name: 'Photo Sync', redirectUris: redirectUris.join('\n') },
    }),
  }));
  try {
    await page.goto(server.url);
    await page.getByLabel('Name').fill('Other');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page).toHaveURL(`${server.url}/access-keys/applications/a%2Fb%3Fc`);
    expect(server.posts.map(({ fields }) => fields)).toEqual([
      { csrf: 'c', name: 'Other', redirect_uris: redirectUris.join('\r\n') },
    ]);
  } finally {
    await server.close();
  }
});

test('a new application’s credentials are there to copy, exactly, and said to be shown once', async ({
  page,
}) => {
  const created = {
    clientId: 'id-1',
    clientSecret: 'sec ret&<1>',
    name: 'Photo Sync',
    redirectUris: [CALLBACK],
  };
  await page.setContent(applicationCreatedPage({ csrf: 'csrf-1' }, created));
  expect(await page.locator('#client-id').textContent()).toBe('id-1');
  expect(await page.locator('#client-secret').textContent()).toBe('sec ret&<1>');
  await expect(page.getByRole('main')).toContainText('shown only once');
});

test('the landing page warns of defects, and only when there are some', async ({ page }) => {
  await page.setContent(landing({ defects: ['code.reusable', 'refresh.same-token'] }));
  const warning = page.getByRole('region', { name: '2 defects are on' });
  await expect(warning.getByRole('listitem')).toHaveText(['code.reusable', 'refresh.same-token']);
  await expect(page.getByText('No defect is on')).toHaveCount(0);
  await page.setContent(landing());
  await expect(page.getByText('No defect is on')).toBeVisible();
  await expect(page.getByText(/defects? (is|are) on\b/)).toHaveText(['No defect is on.']);
});

test('the browser takes the stylesheet under the policy, and no other style or script', async ({ page }) => {
  const injected = consent().replace(
    '</h1>',
    '</h1><p id="odd" style="color: red">x</p><script>window.pwned = 1</script>',
  );
  const server = await serve(() => ({ body: injected }));
  try {
    await page.goto(server.url);
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(245, 243, 238)');
    await expect(page.locator('#odd')).not.toHaveCSS('color', 'rgb(255, 0, 0)');
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  } finally {
    await server.close();
  }
});

test('the policy forbids framing', () => {
  expect(CONTENT_SECURITY_POLICY).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; frame-ancestors 'none'; base-uri 'none'$/,
  );
});

interface Answer {
  readonly body?: string;
  readonly location?: string;
}

/** A server on loopback that answers every request as told, under the pages' policy, and keeps what forms sent. */
async function serve(answer: (path: string, method: string) => Answer) {
  const posts: { path: string; fields: Record<string, string> }[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '/', method = 'GET' } = request;
    if (method === 'POST')
      posts.push({ path, fields: Object.fromEntries(new URLSearchParams(await text(request))) });
    const { body = '', location } = answer(path, method);
    response.writeHead(location === undefined ? 200 : 302, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      ...(location !== undefined && { location }),
    });
    response.end(body);
  });
  const { origin, close } = await onLoopback(server);
  return { url: origin, posts, close };
}

/** Runs in the page: contrast ratios (WCAG 2.2, 1.4.3 and 1.4.11) of all visible text and of the borders of fields. */
function measureContrast() {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const parse = (value: string): Colour => {
    const [r = 0, g = 0, b = 0, a = 1] = (value.match(/[\d.]+/g) ?? []).map(Number);
    return [r, g, b, a];
  };
  const luminance = (value: string) => {
    const [r, g, b] = parse(value).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    }) as Colour;
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratioOf = (one: string, other: string) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const behind = (element: Element | null): string => {
    if (!element) throw new Error('Expected an opaque background at the latest on the body.');
    const { backgroundColor } = getComputedStyle(element);
    const alpha = parse(backgroundColor)[3];
    if (alpha !== 0 && alpha !== 1)
      throw new Error(`Expected backgrounds without transparency, got ${backgroundColor}.`);
    return alpha === 1 ? backgroundColor : behind(element.parentElement);
  };
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  const text = [...document.body.querySelectorAll('*')].filter(hasText).map((element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return {
      what: element.outerHTML.slice(0, 80),
      ratio: ratioOf(color, behind(element)),
      needed: large ? 3 : 4.5,
    };
  });
  const fields = [...document.body.querySelectorAll('input:not([type=hidden]), textarea')];
  const controls = fields.map((element) => ({
    what: element.outerHTML.slice(0, 80),
    ratio: ratioOf(getComputedStyle(element).borderTopColor, behind(element.parentElement)),
  }));
  return { text, controls, background: getComputedStyle(document.body).backgroundColor };
}
