import type { BrowserSession } from '../config/sealed-file.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

/** A session without the cookies and storage of untrusted origins. */
export interface UsableSession {
  readonly session: BrowserSession;
  readonly leftOut: readonly string[];
}

export function sessionFor({ cookies, origins }: BrowserSession, trusted: TrustedOrigins): UsableSession {
  const ours = (cookie: BrowserSession['cookies'][number]) => trusted.holdsCookieOf(cookie.domain);
  const own = (stored: BrowserSession['origins'][number]) => trusted.has(stored.origin);
  const foreign = [
    ...cookies.filter((cookie) => !ours(cookie)).map(({ domain }) => domain),
    ...origins.filter((stored) => !own(stored)).map(({ origin }) => origin),
  ];
  return {
    session: { cookies: cookies.filter(ours), origins: origins.filter(own) },
    leftOut: [...new Set(foreign)].sort(),
  };
}
