import type { CDPSession, Page } from '@playwright/test';

/**
 * Catches navigations to clients' addresses in one page and answers them itself. Interception happens in the browser's
 * network layer because page-level routing never sees a redirected request, and the code would be delivered. The answer is
 * 204: the browser stays on the page it has, so that nothing is drawn, loaded or raced with the next navigation.
 */
export class RedirectCatcher {
  readonly #session: CDPSession;
  #isClient: (address: string) => boolean = () => false;
  #caught: string | undefined;
  #tell: () => void = () => undefined;
  #told: Promise<void> = Promise.resolve();

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Arms a page. Nothing is caught until {@link expect} says what belongs to the client. */
  static async arm(page: Page): Promise<RedirectCatcher> {
    const session = await page.context().newCDPSession(page);
    const catcher = new RedirectCatcher(session);
    session.on('Fetch.requestPaused', (event) => {
      const address = event.request.url + (event.request.urlFragment ?? '');
      // A page that is being closed answers no more commands; nothing is lost then.
      void catcher.#decide(event.requestId, address).catch(() => undefined);
    });
    await session.send('Fetch.enable', {
      patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
    });
    return catcher;
  }

  /** Forgets what was caught and says which addresses are the client's from now on. */
  expect(isClient: (address: string) => boolean): void {
    this.#isClient = isClient;
    this.#caught = undefined;
    this.#told = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** Resolves when something has been caught since {@link expect}. */
  get whenCaught(): Promise<void> {
    return this.#told;
  }

  /** The first address of the client that the browser was sent to since {@link expect}, fragment included. */
  get caught(): string | undefined {
    return this.#caught;
  }

  async #decide(requestId: string, address: string): Promise<void> {
    if (!this.#isClient(address)) {
      await this.#session.send('Fetch.continueRequest', { requestId });
      return;
    }
    this.#caught ??= address;
    await this.#session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    this.#tell();
  }
}
