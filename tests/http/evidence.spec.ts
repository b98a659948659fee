import { expect, test } from '@playwright/test';
import type { Exchange } from '../../src/http/exchange.ts';
import { SecretRegistry } from '../../src/http/secrets/registry.ts';
import { toEvidence } from '../../src/http/to-evidence.ts';

/** Evidence shows the part of each body that a reader needs, redacted. */

function shownOf(body: string, secrets = new SecretRegistry()): string {
  const exchange: Exchange = {
    purpose: 'look',
    request: { method: 'GET', url: 'https://auth.example/oauth/authorize', headers: [] },
    response: { status: 200, headers: [['Content-Type', 'text/html']], body, bytes: body.length },
    startedAt: 0,
    durationMs: 1,
  };
  const [entry] = toEvidence([{ kind: 'exchange', exchange }], secrets);
  return (entry?.kind === 'exchange' && entry.response?.body) || '';
}

test('a page is shown without its style sheets, which would leave no room for what it says', () => {
  const sheet = 'a { color: red }\n'.repeat(1_000);
  const page = `<title>x</title><style media="print">${sheet}</style><p>not found</p><style></style>`;
  expect(shownOf(page)).toBe(
    `<title>x</title><style media="print">… (${sheet.length} characters of style)</style><p>not found</p><style></style>`,
  );
  expect(shownOf(`<p>x</p><style>${sheet}`)).toBe(`<p>x</p><style>… (${sheet.length} characters of style)`);
  expect(shownOf('no page, <style')).toBe('no page, <style');
});

test('what stands behind a style sheet is searched for secrets', () => {
  const secrets = new SecretRegistry();
  secrets.register('access_token', 'a-token-of-this-run');
  const shown = shownOf(`<style>${'x'.repeat(100_000)}</style><p>a-token-of-this-run</p>`, secrets);
  expect(shown).toContain('<p><access_token#1></p>');
});

test('a text that was searched before is searched again once another secret is known', () => {
  const secrets = new SecretRegistry();
  secrets.register('access_token', 'the-first-of-two-tokens');
  expect(secrets.redact('x the-second-of-two y')).toBe('x the-second-of-two y');
  secrets.register('code', 'the-second-of-two');
  expect(secrets.redact('x the-second-of-two y')).toBe('x <code#1> y');
});

test('an altered token is hidden whole, although another secret stands in it', () => {
  const secrets = new SecretRegistry();
  secrets.register('login', 'bG9naW5AZXhhbXBsZS50ZXN0');
  secrets.register('refresh_token', 'eyJhbGciOiJub25lIn0-a-token-of-this-run');
  const shown = (token: string) => shownOf(`refresh_token=${token}&grant_type=refresh_token`, secrets);
  for (const before of ['', 'ab', 'eyJ1c2VyIjoi'])
    expect(shown(`${before}bG9naW5AZXhhbXBsZS50ZXN0ifQe32e4918f3254ec0fd`)).toBe(
      'refresh_token=<hidden>&grant_type=refresh_token',
    );
  expect(shown('eyJhbGciOiJub25lIn0-a-token-of-this-runx')).toBe(
    'refresh_token=<refresh_token#1>x&grant_type=refresh_token',
  );
});
