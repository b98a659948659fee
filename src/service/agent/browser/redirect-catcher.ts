import type { CDPSession, Page } from 'playwright-core';
import { type EdgeHeaders, edgeHeadersBeside } from '../../../http/connections.ts';
import type { GuardedRequest } from './credential-guard.ts';
import { settles, withPageDeadline } from './deadline.ts';

interface PausedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly urlFragment?: string;
  readonly hasPostData?: boolean;
  readonly postData?: string;
  readonly postDataEntries?: readonly { readonly bytes?: string }[];
}

interface Paused {
  readonly requestId: string;
  readonly request: PausedRequest;
  readonly redirectedRequestId?: string;
}

export interface CaughtNavigation {
  /** Fragment included. */
  readonly url: string;
  /** True if the redirect repeats the form (307 or 308). */
  readonly repeats: boolean;
}

/** Navigations only; every request while credentials are typed, or where an edge asks for headers. */
const NAVIGATIONS = { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' } as const;
const EVERYTHING = { urlPattern: '*', requestStage: 'Request' } as const;

/**
 * Catches navigations to the clients' addresses in one page and answers them with 204, so that the page stays. Works in
 * the browser's network layer, because page-level routing never sees redirects and the code would be delivered.
 */
export class RedirectCatcher {
  readonly #session: CDPSession;
  readonly #edgeHeaders: EdgeHeaders | undefined;
  #isClient: (address: string) => boolean = () => false;
  #stops: (request: GuardedRequest) => boolean = () => false;
  #caught: CaughtNavigation | undefined;
  #report = Promise.withResolvers<void>();

  private constructor(session: CDPSession, edgeHeaders: EdgeHeaders | undefined) {
    this.#session = session;
    this.#edgeHeaders = edgeHeaders;
  }

  /**
   * Arms a page. Nothing is caught until {@link expect} sets the client's addresses.
   * @param edgeHeaders added here, because Playwright's own ways send them to third origins too: to all, or after a redirect
   */
  static async arm(page: Page, edgeHeaders?: EdgeHeaders): Promise<RedirectCatcher> {
    const session = await page.context().newCDPSession(page);
    const catcher = new RedirectCatcher(session, edgeHeaders);
    session.on('Fetch.requestPaused', (event) => {
      // A page that is closing answers no commands; nothing is lost.
      void catcher.#decide(event, event.resourceType === 'Document').catch(() => undefined);
    });
    await session.send('Fetch.enable', { patterns: [catcher.#usual] });
    return catcher;
  }

  async guarding<T>(
    stops: (request: GuardedRequest) => boolean,
    deadlineMs: number,
    act: () => Promise<T>,
  ): Promise<T> {
    this.#stops = stops;
    try {
      const enabling = this.#session.send('Fetch.enable', { patterns: [EVERYTHING] });
      await withPageDeadline(enabling, deadlineMs, 'prepared to sign in');
      return await act();
    } finally {
      this.#stops = () => false;
      // A busy or closed page takes no commands.
      await settles(this.#session.send('Fetch.enable', { patterns: [this.#usual] }));
    }
  }

  get #usual(): typeof NAVIGATIONS | typeof EVERYTHING {
    return this.#edgeHeaders === undefined ? NAVIGATIONS : EVERYTHING;
  }

  expect(isClient: (address: string) => boolean): void {
    this.#isClient = isClient;
    this.#caught = undefined;
    this.#report = Promise.withResolvers();
  }

  get whenCaught(): Promise<void> {
    return this.#report.promise;
  }

  get caught(): CaughtNavigation | undefined {
    return this.#caught;
  }

  async #decide({ requestId, request, redirectedRequestId }: Paused, navigates: boolean): Promise<void> {
    const address = request.url + (request.urlFragment ?? '');
    if (!navigates || !this.#isClient(address)) {
      if (this.#stops({ url: request.url, body: bodyOf(request) })) {
        await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
        return;
      }
      await this.#session.send('Fetch.continueRequest', { requestId, ...this.#withEdge(request) });
      return;
    }
    const repeats = redirectedRequestId !== undefined && request.method === 'POST';
    this.#caught ??= { url: address, repeats };
    await this.#session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    this.#report.resolve();
  }

  /** Returns all headers of a request that needs edge headers; the browser does not carry them to the next redirect. */
  #withEdge({ url, headers }: PausedRequest): { readonly headers?: { name: string; value: string }[] } {
    const more = edgeHeadersBeside(Object.keys(headers), url, this.#edgeHeaders);
    if (more.length === 0) return {};
    return { headers: [...Object.entries(headers), ...more].map(([name, value]) => ({ name, value })) };
  }
}

/** Returns the body, one character per byte; undefined if there is a body that cannot be read. */
function bodyOf({ postData, postDataEntries = [], hasPostData = false }: PausedRequest): string | undefined {
  if (postData !== undefined) return postData;
  const parts = postDataEntries.flatMap(({ bytes }) =>
    bytes === undefined ? [] : [Buffer.from(bytes, 'base64').toString('latin1')],
  );
  return hasPostData && parts.length === 0 ? undefined : parts.join('');
}
