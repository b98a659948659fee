import { expect, test } from '@playwright/test';
import { CookieJar } from '../../../src/service/agent/cookie-jar.ts';

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

test('a host of one word names itself', () => {
  for (const host of ['localhost', 'auth']) {
    const jar = new CookieJar();
    jar.set(`a=1; Domain=${host}`, `http://${host}:3000/`);
    expect(jar.headerFor(`http://${host}:3000/`), host).toBe('a=1');
  }
});
