import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page, Request, Response } from 'playwright-core';
import { retryAfterMs } from '../../../http/paced-transport.ts';
import type { AgentStep, Recorder } from '../../../http/recorder.ts';
import type { FormPages, Selector } from '../../target.ts';
import { pageAddress } from '../page-address.ts';
import type { ShownPage } from '../user-agent.ts';
import { answered, driven, firstLine } from './deadline.ts';
import { locate, PAGE_DEADLINE_MS, visible } from './fields.ts';
import { RedirectCatcher } from './redirect-catcher.ts';

const LOOK_MS = 250;

const SETTLE_LOOK_MS = 50;

/** Milliseconds in which a refusal may still submit a form of its own, as pages for single sign-on do. */
const REFUSED_MS = 500;

export type PageKind = ShownPage['shows'] | { readonly interstitial: Selector };

export function shown(kind: PageKind): ShownPage['shows'] {
  return typeof kind === 'object' ? 'other' : kind;
}

export class Tab {
  readonly page: Page;
  readonly catcher: RedirectCatcher;
  readonly #pages: FormPages;
  readonly #whenRefused: () => Promise<void>;
  #opened = '';
  #answer: Response | undefined;

  private constructor(page: Page, catcher: RedirectCatcher, pages: FormPages, refused: () => Promise<void>) {
    this.page = page;
    this.catcher = catcher;
    this.#pages = pages;
    this.#whenRefused = refused;
    const leads = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame();
    page.on('request', (request) => {
      if (leads(request)) this.#answer = undefined;
    });
    page.on('response', (response) => {
      if (leads(response.request())) this.#answer = response;
    });
  }

  static async open(context: BrowserContext, pages: FormPages, refused: () => Promise<void>): Promise<Tab> {
    const deadlineMs = pageDeadlineMs(pages);
    const page = await context.newPage();
    page.setDefaultNavigationTimeout(deadlineMs);
    page.setDefaultTimeout(deadlineMs);
    return new Tab(page, await RedirectCatcher.arm(page, pages.edgeHeaders), pages, refused);
  }

  get deadlineMs(): number {
    return pageDeadlineMs(this.#pages);
  }

  look<T>(look: Promise<T>, doing: string): Promise<T> {
    return answered(look, this.deadlineMs, doing);
  }

  async goto(url: string): Promise<void> {
    this.#opened = url;
    await driven(this.page.goto(url), this.deadlineMs, 'opened it');
  }

  async step(recorder: Recorder, purpose: string, act: () => Promise<unknown>): Promise<PageKind> {
    const startedAt = Date.now();
    const begun = performance.now();
    this.#answer = undefined;
    try {
      await act();
    } catch (error) {
      // A navigation that ends in our own answer is reported as aborted; what was caught decides.
      if (this.catcher.caught === undefined) {
        const durationMs = performance.now() - begun;
        recorder.step({ purpose, detail: firstLine(error as Error), startedAt, durationMs });
        throw error;
      }
    }
    const kind = await this.#settle();
    const shows = typeof kind === 'object' ? 'an interstitial' : kind;
    const { caught } = this.catcher;
    recorder.step({
      purpose,
      url: caught?.url ?? this.page.url(),
      detail: caught === undefined ? `the page shows ${shows}` : 'redirect to the client caught',
      ...(caught === undefined ? answerOf(this.#answer) : {}),
      startedAt,
      durationMs: performance.now() - begun,
    });
    return kind;
  }

  async #settle(): Promise<PageKind> {
    const { settleMs, signInForm, grant, interstitials = [] } = this.#pages;
    const begun = performance.now();
    for (;;) {
      if (this.catcher.caught !== undefined) return 'other';
      const [asksToSignIn, asksForConsent, ...inTheWay] = await Promise.all(
        [signInForm, grant, ...interstitials].map((one) => visible(this.page, one, this.deadlineMs)),
      );
      if (asksToSignIn) return 'sign-in';
      if (asksForConsent) return 'consent';
      const interstitial = interstitials[inTheWay.indexOf(true)];
      if (interstitial !== undefined) return { interstitial };
      const waitMs = this.#refused ? Math.min(REFUSED_MS, settleMs) : settleMs;
      if (performance.now() - begun >= waitMs) return 'other';
      await pause(SETTLE_LOOK_MS);
    }
  }

  /** True if the opened address itself answered 4xx: script fills in other pages, which a host may answer with 404. */
  get #refused(): boolean {
    const [status, url] = [this.#answer?.status() ?? 0, this.#answer?.url() ?? ''];
    return status >= 400 && status < 500 && pageAddress(url) === pageAddress(this.#opened);
  }

  /** Clicks and waits until the next page has loaded, the redirect is caught, or (single-page apps) the element is gone. */
  async clickAway(selector: Selector): Promise<void> {
    const { page, catcher, deadlineMs: timeout } = this;
    const loaded = page.waitForEvent('load', { timeout });
    // If the click fails first, only its error counts.
    loaded.catch(() => undefined);
    await driven(locate(page, selector).click({ timeout }), timeout, 'clicked');
    let over = false;
    const gone = async () => {
      do {
        await pause(LOOK_MS);
      } while (!over && (await visible(page, selector, timeout)));
      if (!over) await page.waitForLoadState('load', { timeout });
    };
    const rerendered = gone();
    rerendered.catch(() => undefined);
    try {
      const onward = Promise.race([loaded, catcher.whenCaught, this.#whenRefused(), rerendered]);
      await driven(onward, timeout, 'waited for the page after a click');
    } finally {
      over = true;
    }
  }
}

export function pageDeadlineMs(pages: FormPages): number {
  return pages.pageDeadlineMs ?? PAGE_DEADLINE_MS;
}

function answerOf(response: Response | undefined): Pick<AgentStep, 'status' | 'retryAfterMs'> {
  if (response === undefined) return {};
  const status = response.status();
  const waitMs = retryAfterMs({ status, headers: Object.entries(response.headers()) });
  return { status, ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
}
