import { Agent, request } from 'node:https';
import { type HTMLElement, parse } from 'node-html-parser';
import { CookieJar } from 'tough-cookie';

/** One answer, as {@link Send} gives it. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one request and gives the answer; follows no redirect. */
export type Send = (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>;

/** Sends by `fetch`. */
export const sendByFetch: Send = async (url, init = {}) => {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Sends by HTTPS to a certificate of a private authority, `ca` (`fetch` takes no authority of its own). */
export function sendByTls(ca: string): Send {
  const agent = new Agent({ ca, keepAlive: false });
  return (url, init = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        { agent, method: init.method ?? 'GET', headers: init.headers },
        (incoming) => {
          const headers = new Headers();
          for (const [name, values] of Object.entries(incoming.headersDistinct)) {
            for (const value of values ?? []) headers.append(name, value);
          }
          let text = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers, text }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(init.body);
    });
}

/** The browser's last place: a page, or the way out to the client's redirect address. */
export interface Rest {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The client's address, with what the service put there, when the browser was about to leave. */
  readonly leaving: URL | undefined;
}

const MAX_REDIRECTS = 10;

/** A CSS selector, or the label of a button. */
export type Button = string | { readonly button: string };

/** Finds a button of a page. */
export function findButton({ html }: Rest, button: Button): HTMLElement | undefined {
  const root = parse(html);
  if (typeof button === 'string') return root.querySelector(button) ?? undefined;
  const label = (one: HTMLElement) => (one.tagName === 'INPUT' ? one.getAttribute('value') : one.textContent);
  return root
    .querySelectorAll('button, input[type=submit]')
    .find((one) => label(one)?.trim() === button.button);
}

/** Returns the address that a page opens by `location.replace`. */
function scriptedLocation(html: string): string | null {
  const [, literal] = /<script>location\.replace\((".+")\)<\/script>/.exec(html) ?? [];
  return literal === undefined ? null : JSON.parse(literal);
}

/** As much of a browser as the pages of tests need: cookies, redirects, forms, a script that leaves. It never leaves the loopback interface. */
export class FormBrowser {
  readonly #jar = new CookieJar();
  readonly #send: Send;
  readonly #stays: (url: URL) => boolean;

  /** @param stays tells that an address is the service's; any other is the client's, and is not opened */
  constructor(send: Send = sendByFetch, stays = ({ hostname }: URL) => hostname === '127.0.0.1') {
    this.#send = send;
    this.#stays = stays;
  }

  /** Opens an address and follows redirects until a page is shown or the client's redirect address is reached. */
  async open(url: string): Promise<Rest> {
    return this.#go(url, 'GET');
  }

  /** Types `fields` into the form of a button and presses it. @throws {Error} without such a button or field */
  async press(page: Rest, button: Button, fields: Readonly<Record<string, string>> = {}): Promise<Rest> {
    const pressed = findButton(page, button);
    const form = pressed?.closest('form');
    if (!pressed || !form) {
      const wanted = JSON.stringify(button);
      throw new Error(`expected a button ${wanted} in a form, on ${page.url}:\n${page.html}`);
    }
    const data = new URLSearchParams();
    for (const input of form.querySelectorAll('input:not([type=submit])')) {
      data.set(input.getAttribute('name') ?? '', input.getAttribute('value') ?? '');
    }
    for (const [name, value] of Object.entries(fields)) {
      if (!data.has(name)) throw new Error(`expected a field "${name}" in the form, on ${page.url}`);
      data.set(name, value);
    }
    const name = pressed.getAttribute('name');
    if (name) data.set(name, pressed.getAttribute('value') ?? '');
    return this.#go(new URL(form.getAttribute('action') ?? '', page.url).href, 'POST', data.toString());
  }

  async #go(start: string, firstMethod: string, body?: string): Promise<Rest> {
    let url = start;
    let init: Parameters<Send>[1] = {
      method: firstMethod,
      body,
    };
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const headers: Record<string, string> = { Cookie: await this.#jar.getCookieString(url) };
      if (init?.body !== undefined) headers['Content-Type'] = 'application/x-www-form-urlencoded';
      const answer = await this.#send(url, { ...init, headers });
      for (const cookie of answer.headers.getSetCookie()) await this.#jar.setCookie(cookie, url);
      const rest = {
        url,
        status: answer.status,
        headers: answer.headers,
        html: answer.text,
        leaving: undefined,
      };
      const location = answer.headers.get('location') ?? scriptedLocation(answer.text);
      if (location === null) return rest;
      const next = new URL(location, url);
      if (!this.#stays(next)) return { ...rest, leaving: next };
      url = next.href;
      init = { method: 'GET' };
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects, from ${start} to ${url}`);
  }
}
