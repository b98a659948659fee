/** What a message says about a page where a step found nothing: its address without a session's id, and names only. */
import { expect, test } from '@playwright/test';
import { instead, offeredOn } from '../../../src/target/agent/browser/failed-page.ts';
import { pageAddress } from '../../../src/target/agent/page-address.ts';

for (const [url, reported] of [
  ['https://login.example/oauth/authorize?session=abc#top', 'login.example/oauth/authorize'],
  [
    'https://login.example:8443/access-keys/applications/new',
    'login.example:8443/access-keys/applications/new',
  ],
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
    'fields "Email" (input[name="mail"]), "Password" (#p), "without a name" (input[name="code"]), ' +
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
for (const [what, content, status, says] of [
  ['a refusal', REFUSED, 400, /request \(400\); its page says "Error \/ Not our redirect address, …"$/],
  ['a form', FORM, 200, /^`signIn.form` is "#login", which .* lacks; it has field "Email" \(#email\)$/],
  [
    'a consent page',
    CONSENT,
    200,
    /has no button "Allow" \(`consent.grant`\); it has buttons "Authorize", "Deny"$/,
  ],
  ['a page of others', PORTAL, 200, /^`authUrl` leads to .* no form; its page says "Portal"$/],
] as const)
  test(`in place of a form: ${what}`, async ({ page }) => {
    await page.setContent(content);
    const shown = [{ url: 'https://login.example/', status, headers: [], shows: 'other' as const }];
    const pages = {
      signIn: [],
      signInForm: '#login',
      grant: { button: 'Allow' },
      settleMs: 0,
      consentShown: 'once' as const,
    };
    expect(await instead(page, shown, pages, [])).toMatch(says);
  });
