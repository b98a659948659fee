import type { CookieJar } from '../../agent/cookie-jar.ts';

/** Redirects of the application that are followed. */
const MOST_HOPS = 8;

/** A request of a user's browser to the application. */
export interface BrowserRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where the application led the browser. */
export interface Visited {
  /** Status of the first answer. */
  readonly first: number;
  /** Status of the last answer. */
  readonly status: number;
  readonly body: string;
  /** The address on another host that it redirected to; the browser has not gone there. */
  readonly away?: string;
}

/** The application gave no answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Sends a request as a browser does: with the session's cookies, and along the application's own redirects.
 *
 * @throws NoAnswer when the deadline passes; the network's error when the application is not there
 */
export async function visitApplication(
  { method, url, headers = {}, body }: BrowserRequest,
  jar: CookieJar,
  deadlineMs: number,
): Promise<Visited> {
  const signal = AbortSignal.timeout(deadlineMs);
  const origin = new URL(url).origin;
  let at = url;
  let first: number | undefined;
  try {
    for (let hop = 0; ; hop += 1) {
      const cookie = jar.headerFor(at);
      const response = await fetch(at, {
        method: hop === 0 ? method : 'GET',
        redirect: 'manual',
        headers: {
          Accept: 'text/html,*/*',
          ...(hop === 0 ? headers : {}),
          ...(cookie === '' ? {} : { Cookie: cookie }),
        },
        ...(hop === 0 && body !== undefined ? { body } : {}),
        signal,
      });
      for (const set of response.headers.getSetCookie()) jar.set(withoutSecure(set), at);
      first ??= response.status;
      const location = response.headers.get('location');
      if (location === null || response.status < 300 || response.status > 399 || hop === MOST_HOPS)
        return { first, status: response.status, body: await response.text() };
      await response.body?.cancel();
      const next = new URL(location, at);
      if (next.origin !== origin) return { first, status: response.status, body: '', away: next.href };
      at = next.href;
    }
  } catch (error) {
    if (signal.aborted) throw new NoAnswer(`got no answer within ${deadlineMs / 1_000} s`);
    throw error;
  }
}

/** Browsers take `Secure` cookies on loopback. */
function withoutSecure(cookie: string): string {
  return cookie.replace(/;\s*secure/gi, '');
}
