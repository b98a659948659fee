import { CookieJar } from '../../service/agent/cookie-jar.ts';
import {
  findElement,
  formHeaders,
  htmlPage,
  requestOfClick,
  requestOfRefresh,
} from '../../service/agent/html-form.ts';

const MOST_HOPS = 20;

export interface BrowserRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if the service, which is another site, led here. */
  readonly fromService?: true;
}

export interface Visited {
  readonly first: number;
  readonly status: number;
  readonly url: string;
  readonly body: string;
  /** The header `Refresh`. */
  readonly refresh?: string | undefined;
  /** The redirect to another host, which the browser has not followed. */
  readonly away?: BrowserRequest;
}

/** Gets what the application gave to the browser; `type` is a Content-Type or the header's name. */
type Tell = (type: string, text: string) => void;

export class ApplicationSilent extends Error {
  override readonly name = 'ApplicationSilent';
}

/**
 * Sends a request as a browser does: with the session's cookies, following the application's own redirects.
 * @throws ApplicationSilent after the deadline, or when the user leaves; the network's error if the application is not there
 */
export async function visitApplication(
  request: BrowserRequest,
  jar: CookieJar,
  deadlineSeconds: number,
  tell: Tell,
  leaves?: AbortSignal,
): Promise<Visited> {
  const signal = AbortSignal.any([AbortSignal.timeout(deadlineSeconds * 1_000), ...(leaves ? [leaves] : [])]);
  const { origin } = new URL(request.url);
  let next = request;
  let first: number | undefined;
  try {
    for (let hop = 0; ; hop += 1) {
      const { url } = next;
      const { response, location } = await send(next, jar, signal);
      const { status } = response;
      first ??= status;
      for (const set of response.headers.getSetCookie()) tell('set-cookie', set);
      if (location !== undefined) tell('location', location);
      if (location === undefined || hop === MOST_HOPS) {
        const body = await response.text();
        tell(response.headers.get('content-type') ?? '', body);
        return { first, status, url, body, refresh: response.headers.get('refresh') ?? undefined };
      }
      await response.body?.cancel();
      const repeats = status === 307 || status === 308 || (status !== 303 && next.method !== 'POST');
      const onward = { ...(repeats ? next : { method: 'GET' }), url: location };
      if (new URL(location).origin !== origin) return { first, status, url, body: '', away: onward };
      next = { ...(request.fromService && { fromService: true }), ...onward };
    }
  } catch (error) {
    if (signal.aborted) throw new ApplicationSilent(`got no answer within ${deadlineSeconds} s`);
    throw error;
  }
}

/** Returns what follows a page: its form, or without a form where `Refresh` leads, the header or the element. */
export function submission(
  { url, body, refresh: header }: Visited,
  button: string | undefined,
): BrowserRequest | undefined {
  const page = htmlPage(url, body);
  const forms = page.root.querySelectorAll('form');
  const onward = forms.length === 0 ? requestOfRefresh(page, Number.POSITIVE_INFINITY, header) : undefined;
  if (onward !== undefined) return onward;
  const [only] = forms.length === 1 ? forms : [];
  const form = button === undefined ? only : findElement(page, button);
  const pressed = form?.querySelector('button, input[type=submit]') ?? form;
  const sent = pressed === undefined ? undefined : requestOfClick(page, pressed);
  return sent === undefined ? undefined : { ...sent, headers: Object.fromEntries(formHeaders(sent)) };
}

export type RedirectResult = { readonly address: string } | { readonly trouble: string };

/** Visits the authorization address, where the service decides at once. Returns the redirect to the client undelivered. */
export async function visitService(request: BrowserRequest): Promise<RedirectResult> {
  const { response, location } = await send(request, new CookieJar());
  const html = await response.text();
  if (location !== undefined) return { address: location };
  const heading = findElement(htmlPage(request.url, html), 'h1')?.text.trim() ?? 'a page without a heading';
  return { trouble: `the service answered ${response.status} (${heading}) to the authorization request` };
}

/** Sends each request on its own connection: a server may have closed a kept one when its clock was moved. */
async function send(
  { method, url, headers = {}, body, fromService }: BrowserRequest,
  jar: CookieJar,
  signal?: AbortSignal,
): Promise<{ readonly response: Response; readonly location: string | undefined }> {
  // Browsers trust loopback; another name within a network stands for an application behind HTTPS.
  const trusted = url.replace(/^http:/, 'https:');
  const cookie = jar.headerFor(trusted, fromService && method);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'text/html,*/*',
      Connection: 'close',
      ...headers,
      ...(cookie === '' ? {} : { Cookie: cookie }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  for (const set of response.headers.getSetCookie()) jar.set(set, trusted);
  const location = response.headers.get('location');
  const redirects = location !== null && response.status >= 300 && response.status < 400;
  return { response, location: redirects ? new URL(location, url).href : undefined };
}
