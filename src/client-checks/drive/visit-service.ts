import type { CookieJar } from '../../agent/cookie-jar.ts';
import { click, find, htmlPage } from '../../agent/html-form.ts';
import type { UserSession } from './driven-client.ts';

/** Pages until the browser is back at the client, at most. */
const MOST_PAGES = 12;

/** Where the service led the user's browser. */
export type Led = { readonly address: string } | { readonly trouble: string };

/**
 * Visits the authorization address as the user's browser does: signs in, decides, and stops at the redirect to the client, which is
 * then the caller's to deliver.
 */
export async function visitService(
  address: string,
  authUrl: string,
  { serviceJar, owner }: UserSession,
  decision: 'grant' | 'deny',
): Promise<Led> {
  const origin = new URL(authUrl).origin;
  let next: Sending = { method: 'GET', url: address };
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const response = await send(next, serviceJar);
    const location = response.headers.get('location');
    if (location !== null && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const url = new URL(location, next.url).href;
      if (new URL(url).origin !== origin) return { address: url };
      next = { method: 'GET', url };
      continue;
    }
    const shown = htmlPage(next.url, await response.text());
    const password = find(shown, { css: 'input[name=password]' });
    const email = find(shown, { css: 'input[name=email]' });
    const signIn = find(shown, { button: 'Sign in' });
    const button = find(shown, { css: `button[name=decision][value=${decision}]` });
    if (password !== undefined && email !== undefined && signIn !== undefined) {
      shown.typed.set(email, owner.email);
      shown.typed.set(password, owner.password);
      next = click(shown, signIn) ?? next;
    } else if (button !== undefined) {
      next = click(shown, button) ?? next;
    } else {
      const heading = find(shown, { css: 'h1' })?.text.trim() ?? 'a page without a form';
      return { trouble: `the service answered ${response.status} (${heading}) to the authorization request` };
    }
  }
  return { trouble: `the service's pages did not end after ${MOST_PAGES}` };
}

interface Sending {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
}

async function send({ method, url, body }: Sending, jar: CookieJar): Promise<Response> {
  const cookie = jar.headerFor(url);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'text/html',
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(url).origin }),
    },
    ...(body === undefined ? {} : { body }),
  });
  for (const set of response.headers.getSetCookie()) jar.set(set, url);
  return response;
}
