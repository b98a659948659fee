/** A message about a page where a step found nothing has its address without a session's id, and names only. */
import { createServer } from 'node:http';
import { expect, test } from '@playwright/test';
import { Recorder } from '../../../src/http/recorder.ts';
import { describeFailedPage, offeredOn } from '../../../src/service/agent/browser/failed-page.ts';
import { Tab } from '../../../src/service/agent/browser/tab.ts';
import { pageAddress } from '../../../src/service/agent/page-address.ts';
import { onLoopback } from '../../support/on-loopback.ts';

for (const [url, reported] of [
  ['https://login.example/oauth/authorize?session=abc#top', 'login.example/oauth/authorize'],
  ['https://login.example:8443/access-keys/applications', 'login.example:8443/access-keys/applications'],
  [
    'https://login.example/v2/tenant-2024/authentication-interactions/step2',
    'login.example/v2/tenant-2024/authentication-interactions/step2',
  ],
  [
    'https://login.example/realms/ourCompanyName/protocol/openid-connect/auth',
    'login.example/realms/ourCompanyName/protocol/openid-connect/auth',
  ],
  ['https://login.example/signin/6E6Bf5ETO-q5dOnYdFA5NFh3RdbmsSZONbwOewXs5hW', 'login.example/signin/…'],
  ['https://login.example/u/550e8400-e29b-41d4-a716-446655440000/password', 'login.example/u/…/password'],
  ['https://login.example/s/9f86d081884c7d659a2feaa0c55ad015/', 'login.example/s/…/'],
  ['https://login.example/login.do;jsessionid=A1B2', 'login.example/login.do;…'],
  ['https://login.example/t/eyJhbGciOi.eyJzdWIiOiI', 'login.example/t/…'],
  ['https://login.example/n/4111111111111111', 'login.example/n/…'],
  ['about:blank?x', 'blank'],
] as const)
  test(`address ${url}`, () => expect(pageAddress(url)).toBe(reported));

test('names of fields, buttons and links; no value, nothing hidden, no secret', async ({ page }) => {
  await page.setContent(`
    <label>Email <input name="mail" value="typed@example.test"></label>
    <label for="p">Password</label><input id="p" type="password" value="typed-password">
    <input name="code" value="123456"><input type="hidden" name="csrf" value="secret-csrf">
    <label>Language <select><option selected>English</option></select></label>
    <input aria-label="Search" value="typed-search">
    <button>Continue</button> <button>Continue</button> <button style="display:none">Delete all</button>
    <input type="submit" value="Sign in"> <button title="Close"></button>
    <div role="button" aria-label="Not owner of staging?">x</div>
    <a href="/reset?token=in-the-link">Forgot it?</a> <a href="/x">Log out ada@example.test</a>
    <a href="/y">Session 6E6Bf5ETOq5dOnYdFA5N</a>`);
  expect(await offeredOn(page, ['owner of staging'])).toBe(
    'fields "Email" (input[name="mail"]), "Password" (#p), "code" (input[name="code"]), ' +
      '"Language" (select[type=select-one]), "Search" (input[type=text]); ' +
      'buttons "Continue", "Sign in", "Close", "Not …?"; links "Forgot it?", "Log out …", "Session …"',
  );
});

test('many names are counted, and a page without any says so', async ({ page }) => {
  await page.setContent(
    Array.from({ length: 11 }, (_, i) => `<button>Way ${'abcdefghijk'[i]}</button>`).join(''),
  );
  expect(await offeredOn(page, [])).toMatch(/^buttons "Way a", .*"Way h" and 3 more$/);
  await page.setContent('<p>Come back later</p>');
  expect(await offeredOn(page, [])).toBe('neither fields nor buttons nor links');
});

const REFUSED = '<main><h1>Error</h1><p>Not our redirect address, ada@example.test</p></main>';
const FORM = '<label>Email <input id="email"></label><button>Next</button>';
const CONSENT = '<button>Authorize</button><button>Deny</button>';
const PORTAL = '<title>Portal</title><p></p>';
const ACCEPT = '<title>Portal</title><button>Accept</button>';
const PAGES = {
  signIn: [{ click: { button: 'Next' } }],
  signInForm: '#login',
  grant: { button: 'Allow' },
  deny: { button: 'Deny' },
  signInOrigins: [],
  interstitials: [],
  settleMs: 0,
  pageDeadlineMs: 10_000,
  consentShown: 'once' as const,
};
for (const [what, content, status, says] of [
  ['a refusal', REFUSED, 400, /request \(400\); its page says "Error \/ Not our redirect address, …"$/],
  ['a form', FORM, 200, /^`signIn.form` is "#login", which .* lacks; it has field "Email" \(#email\)$/],
  ['a consent page', CONSENT, 200, /"Allow" \(`consent.grant`\); it has buttons "Authorize", "Deny"$/],
  ['a page of others', PORTAL, 200, /^`authUrl` leads to .* no form; its page says "Portal"$/],
  [
    'a portal',
    ACCEPT,
    200,
    /^`authUrl` answered with the page "Portal" \(200\), .* none of .* has button "Accept"$/,
  ],
  [
    'a portal with a field',
    `<input name="user">${ACCEPT}`,
    200,
    /none of .* has field "user" .*; button "Accept"$/,
  ],
] as const)
  test(`in place of a form: ${what}`, async ({ page }) => {
    await page.setContent(content);
    const shown = [{ url: 'https://login.example/', status, headers: [], shows: 'other' as const }];
    expect((await describeFailedPage(page, shown, PAGES, [])).instead).toMatch(says);
  });

const LATER = `<main></main><script>setTimeout(() => { document.querySelector('main').innerHTML = '<input id=login>' }, 1200)</script>`;
const ONWARD = '<form method="post" action="/slow"></form><script>document.forms[0].submit()</script>';
for (const [what, path, shows, longest] of [
  ['a refusal of the request itself ends', '/400', 'other', 2_000],
  ['a page that is filled in later does not', '/200', 'sign-in', 5_000],
  ['nor does one with status 404 to which the request led', '/led', 'sign-in', 5_000],
  ['nor a refusal that submits its own form', '/401', 'sign-in', 5_000],
] as const)
  test(`before a page has settled: ${what}`, async ({ context }) => {
    const pages: Readonly<Record<string, string>> = { '/400': REFUSED, '/401': ONWARD };
    const service = createServer(async ({ url = '' }, res) => {
      if (url === '/led') return res.writeHead(302, { Location: '/404' }).end();
      if (url === '/slow') await new Promise((resolve) => setTimeout(resolve, 1_000));
      return res
        .writeHead(Number(url.slice(1)) || 200, { 'Content-Type': 'text/html' })
        .end(pages[url] ?? LATER);
    });
    const { origin, close } = await onLoopback(service);
    const tab = await Tab.open(context, { ...PAGES, settleMs: 5_000 }, () => new Promise(() => undefined));
    const recorder = new Recorder(() => Promise.reject(new Error('not used')));
    const begun = performance.now();
    expect(await tab.step(recorder, 'open it', () => tab.goto(origin + path))).toBe(shows);
    expect(performance.now() - begun).toBeLessThan(longest);
    await close();
  });
