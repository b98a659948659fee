import type { Cookie } from 'playwright-core';
import { CookieJar } from '../cookie-jar.ts';

export function cookieJarOf(cookies: readonly Cookie[]): CookieJar {
  const jar = new CookieJar();
  for (const cookie of cookies) {
    const domain = cookie.domain.replace(/^\./, '');
    const url = `${cookie.secure ? 'https' : 'http'}://${domain}${cookie.path}`;
    const attributes = [
      `${cookie.name}=${cookie.value}`,
      `Path=${cookie.path}`,
      ...(cookie.domain.startsWith('.') ? [`Domain=${domain}`] : []),
      ...(cookie.secure ? ['Secure'] : []),
    ];
    jar.set(attributes.join('; '), url);
  }
  return jar;
}
