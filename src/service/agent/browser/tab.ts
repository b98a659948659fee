import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page, Request, Response } from 'playwright-core';
import { retryAfterMs } from '../../../http/paced-transport.ts';
import type { AgentStep, Recorder } from '../../../http/recorder.ts';
import type { FormPages, Selector } from '../../target.ts';
import type { NameMatch } from '../names.ts';
import { pageAddress } from '../page-address.ts';
import { elementOf } from '../sign-in-values.ts';
import type { ShownPage } from '../user-agent.ts';
import { click, watchClick } from './click-trouble.ts';
import { firstErrorLine, PageSilent, PageTrouble, withDriverDeadline, withPageDeadline } from './deadline.ts';
import { isSelectorVisible, isVisibleNow, visibleCandidates, waitForElement } from './fields.ts';
import { PAGE_MEMORY_MB } from './launch.ts';
import { RedirectCatcher } from './redirect-catcher.ts';

const LOOK_MS = 250;

const SETTLE_LOOK_MS = 50;

/** Milliseconds after which a page with a form need not have loaded whole. */
const LOAD_GRACE_MS = 2_000;

/** Milliseconds in which a refusal may still submit a form of its own, as pages for single sign-on do. */
const REFUSED_MS = 500;

type Shows = ShownPage['shows'];

/** An interstitial stands on a page of its own, or before a form. */
export type PageKind = Shows | { readonly interstitial: Selector; readonly shows: Shows };

export function shownKind(kind: PageKind): Shows {
  return typeof kind === 'object' ? kind.shows : kind;
}

export class Tab {
  readonly page: Page;
  readonly catcher: RedirectCatcher;
  readonly #pages: FormPages;
  readonly #whenRefused: () => Promise<void>;
  #opened = '';
  #answer: Response | undefined;
  /** Set once the page's process has ended. */
  crash: PageSilent | undefined;

  private constructor(page: Page, catcher: RedirectCatcher, pages: FormPages, refused: () => Promise<void>) {
    this.page = page;
    this.catcher = catcher;
    this.#pages = pages;
    this.#whenRefused = refused;
    const leads = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame();
    page.on('crash', () => {
      this.crash = new PageSilent(
        `the page's process crashed, after ${pageAddress(this.#opened)} was opened: its scripts need more than ${PAGE_MEMORY_MB} MB of memory, or the browser failed`,
        'open the page in your browser and watch its memory',
      );
    });
    page.on('request', (request) => {
      if (leads(request)) this.#answer = undefined;
    });
    page.on('response', (response) => {
      if (leads(response.request())) this.#answer = response;
    });
  }

  static async open(context: BrowserContext, pages: FormPages, refused: () => Promise<void>): Promise<Tab> {
    const { pageDeadlineMs } = pages;
    const page = await context.newPage();
    page.setDefaultNavigationTimeout(pageDeadlineMs);
    page.setDefaultTimeout(pageDeadlineMs);
    return new Tab(page, await RedirectCatcher.arm(page, pages.edgeHeaders), pages, refused);
  }

  get deadlineMs(): number {
    return this.#pages.pageDeadlineMs;
  }

  look<T>(look: Promise<T>, doing: string): Promise<T> {
    return withPageDeadline(look, this.deadlineMs, doing);
  }

  async goto(url: string): Promise<void> {
    this.#opened = url;
    const opened = this.#unlessOffered(this.page.goto(url));
    // A page that leads on by script before it has loaded never loads.
    await withDriverDeadline(Promise.race([opened, this.catcher.whenCaught]), this.deadlineMs, 'opened it');
  }

  /** Waits for a page; what it loads from others may never answer, so a form that it shows is enough after a while. */
  async #unlessOffered(loading: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    await Promise.race([loading, this.#offered(ended.signal)]).finally(() => ended.abort());
  }

  async #offered(signal: AbortSignal): Promise<void> {
    await pause(LOAD_GRACE_MS, undefined, { signal });
    while (!(await this.#offers())) await pause(LOOK_MS, undefined, { signal });
  }

  /** False for a page that the one to come has not replaced yet. */
  async #offers(): Promise<boolean> {
    const { signInForm, grant, interstitials } = this.#pages;
    if (pageAddress(this.#answer?.url() ?? '') !== pageAddress(this.page.url())) return false;
    const all = [signInForm, grant, ...interstitials].map((one) =>
      isSelectorVisible(this.page, one, this.deadlineMs),
    );
    return (await Promise.all(all)).includes(true);
  }

  /** Waits, `settleMs` at most, until the sign-in form is gone or the redirect caught: a script may submit after a module has ended. */
  async leftSignIn(): Promise<void> {
    const { signInForm, settleMs } = this.#pages;
    const until = performance.now() + settleMs;
    while (this.catcher.caught === undefined && performance.now() < until) {
      if (!(await isSelectorVisible(this.page, signInForm, this.deadlineMs))) return;
      await pause(SETTLE_LOOK_MS);
    }
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
        recorder.step({ purpose, detail: firstErrorLine(error as Error), startedAt, durationMs });
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
      shows: caught === undefined ? shows : 'redirect',
      ...(caught === undefined ? answerOf(this.#answer) : {}),
      startedAt,
      durationMs: performance.now() - begun,
    });
    return kind;
  }

  async #settle(): Promise<PageKind> {
    const { settleMs, signInForm, grant, interstitials } = this.#pages;
    const begun = performance.now();
    for (;;) {
      if (this.catcher.caught !== undefined) return 'other';
      const [asksToSignIn, asksForConsent] = await Promise.all([
        isSelectorVisible(this.page, signInForm, this.deadlineMs),
        isSelectorVisible(this.page, grant, this.deadlineMs, 'whole'),
      ]);
      const signedIn = asksForConsent ? 'consent' : 'other';
      const shows = asksToSignIn ? 'sign-in' : signedIn;
      for (const interstitial of interstitials)
        if (await this.#isInTheWay(interstitial, shows)) return { interstitial, shows };
      if (shows !== 'other') return shows;
      const waitMs = this.#refused ? Math.min(REFUSED_MS, settleMs) : settleMs;
      if (performance.now() - begun >= waitMs) return 'other';
      await pause(SETTLE_LOOK_MS);
    }
  }

  /** On a page with a form, the elements of the steps and of consent are no interstitials. */
  async #isInTheWay(interstitial: Selector, shows: Shows): Promise<boolean> {
    const { page, deadlineMs } = this;
    const { signIn, signInModule, grant, deny = grant } = this.#pages;
    const own = shows === 'other' ? [] : [...signIn.map(elementOf), grant, deny];
    if (shows === 'sign-in' && signInModule?.signIn !== undefined) return false;
    const element = visibleCandidates(page, interstitial, shows === 'other' ? 'part' : 'whole');
    if (!(await isVisibleNow(element.first(), deadlineMs))) return false;
    const same = own.map((one) =>
      isVisibleNow(element.and(visibleCandidates(page, one)).first(), deadlineMs),
    );
    return !(await Promise.all(same)).includes(true);
  }

  /** True if the opened address itself answered 4xx: script fills in other pages, which a host may answer with 404. */
  get #refused(): boolean {
    const [status, url] = [this.#answer?.status() ?? 0, this.#answer?.url() ?? ''];
    return status >= 400 && status < 500 && pageAddress(url) === pageAddress(this.#opened);
  }

  /**
   * Clicks and waits until the next page has loaded, the redirect is caught, or (single-page apps) the element and `form` are gone.
   * @param form the form, or whether the page still shows it
   * If half of the time passes and the page sends nothing, clicks once more: its script did not listen yet.
   * @throws PageTrouble saying why the click failed, or why nothing followed
   */
  async clickAway(
    selector: Selector,
    key: string,
    form?: Selector | (() => Promise<boolean>),
    match?: NameMatch,
  ): Promise<void> {
    const { page, catcher, deadlineMs: timeout } = this;
    const element = await waitForElement(page, selector, key, timeout, match);
    const handle = await withDriverDeadline(
      element.elementHandle({ timeout }),
      timeout,
      'looked for an element',
    );
    const watch = watchClick(page);
    const loaded = page.waitForEvent('load', { timeout });
    // If the click fails first, only its error counts.
    loaded.catch(() => undefined);
    let over = false;
    const stays = async () => {
      if (typeof form === 'function') return form();
      if (await isVisibleNow(handle, timeout)) return true;
      return form !== undefined && (await isSelectorVisible(page, form, timeout));
    };
    const gone = async () => {
      const half = performance.now() + timeout / 2;
      let isRepeated = false;
      do {
        await pause(LOOK_MS);
        if (isRepeated || performance.now() < half || over || !watch.sentNothing()) continue;
        isRepeated = true;
        await element.click({ timeout: LOOK_MS }).catch(() => undefined);
      } while (!over && (await stays()));
      if (!over) await this.#unlessOffered(page.waitForLoadState('load', { timeout }));
    };
    try {
      await click(element, key, timeout);
      const onward = Promise.race([loaded, catcher.whenCaught, this.#whenRefused(), gone()]);
      await withDriverDeadline(onward, timeout, 'waited for the page after a click');
    } catch (error) {
      if (error instanceof PageTrouble || page.isClosed()) throw error;
      throw await watch.trouble(key, timeout);
    } finally {
      over = true;
      watch.stop();
    }
  }
}

function answerOf(response: Response | undefined): Pick<AgentStep, 'status' | 'retryAfterMs'> {
  if (response === undefined) return {};
  const status = response.status();
  const waitMs = retryAfterMs({ status, headers: Object.entries(response.headers()) });
  return { status, ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
}
