import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request, Response } from 'playwright-core';
import { headerOf } from '../../../http/exchange.ts';
import type { AuthorizeOutcome, CaughtRedirect, ShownPage } from '../user-agent.ts';
import type { CaughtNavigation } from './redirect-catcher.ts';

interface Navigation extends ShownPage {
  readonly method: string;
  readonly location?: string;
}

export class NavigationLog {
  readonly #page: Page;
  readonly #requested: string[] = [];
  readonly #answered: Promise<Omit<Navigation, 'shows'> | undefined>[] = [];
  readonly #shows = new Map<number, ShownPage['shows']>();
  readonly #onRequest = (request: Request) => {
    if (request.isNavigationRequest()) this.#requested.push(request.url());
  };
  readonly #onResponse = (response: Response) => {
    if (response.request().isNavigationRequest()) this.#answered.push(readNavigation(response));
  };

  constructor(page: Page) {
    this.#page = page;
    page.on('request', this.#onRequest);
    page.on('response', this.#onResponse);
  }

  stop(): void {
    this.#page.off('request', this.#onRequest);
    this.#page.off('response', this.#onResponse);
  }

  mark(kind: ShownPage['shows']): void {
    this.#shows.set(this.#answered.length - 1, kind);
  }

  /** Returns what was seen. Omits answers whose headers the browser does not provide within the deadline. */
  async read(
    deadlineMs: number,
    navigation: CaughtNavigation | undefined,
  ): Promise<Pick<AuthorizeOutcome, 'caught' | 'pages' | 'visited'>> {
    const late = pause(deadlineMs, undefined, { ref: false });
    const read = await Promise.all(this.#answered.map((one) => Promise.race([one, late])));
    const answered = read.flatMap((n, i) => (n ? [{ ...n, shows: this.#shows.get(i) ?? 'other' }] : []));
    return {
      caught: navigation && describeCaught(navigation, answered),
      pages: answered.filter((n) => !isRedirect(n) && !(navigation && sameAddress(n.url, navigation.url))),
      visited: this.#requested,
    };
  }
}

async function readNavigation(response: Response): Promise<Omit<Navigation, 'shows'> | undefined> {
  try {
    const headers = (await response.headersArray()).map(({ name, value }) => [name, value] as const);
    return {
      url: response.url(),
      method: response.request().method(),
      status: response.status(),
      location: headerOf({ headers }, 'location'),
      headers,
    };
  } catch {
    // The page moved on before its headers were read; the navigation that replaced it is what counts.
    return undefined;
  }
}

function describeCaught({ url, repeats }: CaughtNavigation, answered: readonly Navigation[]): CaughtRedirect {
  const last = answered.findLast(
    (n) => n.location !== undefined && isRedirect(n) && sameAddress(new URL(n.location, n.url).href, url),
  );
  const form = repeats ? 'repeated' : 'dropped';
  const afterForm = (last ?? answered.at(-1))?.method === 'POST';
  return { url, status: last?.status, location: last?.location, ...(afterForm && { form }) };
}

function sameAddress(a: string, b: string): boolean {
  return a.split('#')[0] === b.split('#')[0];
}

function isRedirect({ status }: Navigation): boolean {
  return status >= 300 && status < 400;
}
