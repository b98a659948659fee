/** The form agent's cookies, held against tough-cookie, an independent implementation, on whatever a service may set. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { CookieJar as Reference } from 'tough-cookie';
import { CookieJar, cookieDate } from '../../../src/target/agent/cookie-jar.ts';

const HOSTS = ['auth.example.test', 'example.test', 'a.auth.example.test', 'notexample.test', '127.0.0.1'];
const PATHS = ['/', '/oauth', '/oauth/authorize', '/oauth/', '/oauthx', '/sign-in/'];

const url = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.constantFrom(...HOSTS),
    path: fc.constantFrom(...PATHS),
  })
  .map(({ scheme, host, path }) => `${scheme}://${host}${path}`);

const attribute = fc.oneof(
  fc.constantFrom(...HOSTS, '.example.test', 'EXAMPLE.test', '', 'other.test').map((d) => `Domain=${d}`),
  fc.constantFrom(...PATHS, 'oauth', '').map((path) => `path=${path}`),
  fc.constantFrom('0', '-1', '3600', '12x', '').map((seconds) => `Max-Age=${seconds}`),
  fc
    .constantFrom(
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'Wed, 21 Oct 2099 07:28:00 GMT',
      'Wed, 21-Oct-99 07:28:00 GMT',
      'soon',
    )
    .map((date) => `Expires=${date}`),
  fc.constantFrom('HttpOnly', 'SameSite=Lax', 'unknown=1', '', ' '),
);

const cookie = fc
  .record({
    name: fc.constantFrom('a', 'b', '__Host-s', '__Secure-s', ' c ', ''),
    value: fc.constantFrom('1', '"q"', 'x=y', ' padded ', '', 'a\tb'),
    attributes: fc.array(attribute, { maxLength: 4 }),
    separator: fc.constantFrom('; ', ';', ' ; '),
  })
  .map(({ name, value, attributes, separator }) => [`${name}=${value}`, ...attributes].join(separator));

test('is sent back as tough-cookie sends it, whatever hosts, paths and attributes it has', () => {
  const sets = fc.array(fc.record({ cookie, url }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(sets, fc.array(url, { minLength: 1, maxLength: 4 }), (given, asked) => {
      const jar = new CookieJar();
      const reference = new Reference(undefined, {
        rejectPublicSuffixes: false,
        allowSpecialUseDomain: true,
      });
      for (const one of given) {
        jar.set(one.cookie, one.url);
        reference.setCookieSync(one.cookie, one.url, { ignoreError: true });
        // It keeps an expired cookie until it is asked, and the next of that name then takes its place (RFC 6265 section 5.3).
        reference.getCookiesSync(one.url, { allPaths: true });
      }
      for (const at of asked) expect(jar.headerFor(at), at).toBe(reference.getCookieStringSync(at));
    }),
    { numRuns: 1_000 },
  );
});

test('`Secure` goes to https and to this machine alone, both ways', () => {
  const jar = new CookieJar();
  jar.set('s=1; Secure', 'http://auth.example.test/');
  expect(jar.headerFor('https://auth.example.test/')).toBe('');
  jar.set('s=1; Secure', 'https://auth.example.test/');
  expect(jar.headerFor('https://auth.example.test/')).toBe('s=1');
  expect(jar.headerFor('http://auth.example.test/')).toBe('');
  for (const local of ['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/']) {
    const own = new CookieJar();
    own.set('__Host-s=1; Secure; Path=/', local);
    expect(own.headerFor(local), local).toBe('__Host-s=1');
  }
});

test('no host sets a cookie for a whole top-level domain, nor for its neighbours', () => {
  const jar = new CookieJar();
  jar.set('a=1; Domain=test', 'https://auth.example.test/');
  jar.set('b=1; Domain=other.example.test', 'https://auth.example.test/');
  jar.set('c=1; Domain=0.0.1', 'https://127.0.0.1/');
  for (const host of ['auth.example.test', 'other.example.test', 'example.test', '127.0.0.1'])
    expect(jar.headerFor(`https://${host}/`), host).toBe('');
});

test('reads the three notations of dates', () => {
  const at = Date.UTC(1994, 10, 6, 8, 49, 37);
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])
    expect(cookieDate(text), text).toBe(at);
  for (const text of ['soon', '0', '-1']) expect(cookieDate(text), text).toBeUndefined();
});
