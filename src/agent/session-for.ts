import type { BrowserSession } from '../config/saved-session.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

/** A session cut down to what may be used, and whose cookies and storage were left out. */
export interface UsableSession {
  readonly session: BrowserSession;
  /** Cookie domains and origins, each once. */
  readonly leftOut: readonly string[];
}

/** The part of a signed-in browser's cookies and storage that belongs to the origins that may get the owner's credentials. */
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
