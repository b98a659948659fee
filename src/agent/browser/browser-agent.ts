import type { BrowserContext, Page } from 'playwright-core';
import type { CookieJar } from 'tough-cookie';
import { Aborted, TransportFailure, unlessAborted } from '../../exchange/exchange.ts';
import type { Recorder } from '../../exchange/recorder.ts';
import type { AccountAreaPages, FormPages, Selector } from '../../targets/page-actions.ts';
import { isClientAddress } from '../../targets/redirect-address.ts';
import { CONTROLS, misledAt, shownCredentials } from '../account-area.ts';
import { newCookieJar } from '../form-agent.ts';
import type { CredentialSource } from '../sign-in-values.ts';
import type {
  AuthorizeOptions,
  AuthorizeOutcome,
  NewApplication,
  ShownCredentials,
  ShownPage,
  UserAgent,
} from '../user-agent.ts';
import { blankedScreenshot } from './blanked-screenshot.ts';
import { CredentialGuard } from './credential-guard.ts';
import { answered, letGo } from './deadline.ts';
import { locate, PAGE_DEADLINE_MS, type, visible } from './fields.ts';
import { endedForMemory, MOST_BROWSER_MEMORY } from './memory-watch.ts';
import { describeCaught, NavigationLog, shownPages } from './navigation-log.ts';
import { firstLine, isPageTrouble, PageSilent } from './page-trouble.ts';
import { RedirectCatcher } from './redirect-catcher.ts';
import { inTime, refuseFailedSignIn, signIn } from './sign-in.ts';

/** More pages in the way than these are no interstitials any more, but a circle. */
const MOST_INTERSTITIALS = 5;

/** How often it is looked whether what was clicked is gone, in milliseconds. */
const LOOK_MS = 250;

/** After so many pages in a row that did not answer, no further one is opened: each costs a deadline. */
const MOST_SILENT_PAGES = 3;

/** Milliseconds for what is still to be learned of a page that has come to nothing. */
const AFTERMATH_MS = 1_000;

const UNRESPONSIVE = `not opened: the last ${MOST_SILENT_PAGES} pages of the service did not answer, so the service is left alone`;

interface Tab {
  readonly page: Page;
  readonly catcher: RedirectCatcher;
}

/** What a page shows; `interstitial`: something to click away. */
type PageKind = ShownPage['shows'] | { readonly interstitial: Selector };

/** Walks the authorization redirect in a real browser. One context, signed in once, serves all walks. */
export class BrowserAgent implements UserAgent {
  readonly kind = 'page';
  readonly #context: BrowserContext;
  readonly #newContext: () => Promise<BrowserContext>;
  readonly #pages: FormPages;
  readonly #credentials: CredentialSource;
  readonly #guard: CredentialGuard;
  readonly #serviceOrigins: readonly string[];
  #tab: Tab | undefined;
  #silentInARow = 0;
  #endedForMemory: number;
  /** How often credentials were typed. */
  signIns = 0;
  /** The page that the last sign-in that led nowhere ended on, with nothing on it that was typed; PNG. */
  refusedSignIn: Uint8Array | undefined;

  constructor(
    context: BrowserContext,
    newContext: () => Promise<BrowserContext>,
    pages: FormPages,
    credentials: CredentialSource,
    serviceOrigins: readonly string[],
  ) {
    this.#context = context;
    this.#newContext = newContext;
    this.#pages = pages;
    this.#endedForMemory = endedForMemory(context.browser());
    this.#guard = new CredentialGuard(credentials);
    this.#credentials = this.#guard.source;
    this.#serviceOrigins = serviceOrigins;
  }

  get #deadlineMs(): number {
    return this.#pages.pageDeadlineMs ?? PAGE_DEADLINE_MS;
  }

  /**
   * The signed-in browser's cookies, for the form agent.
   *
   * @throws TransportFailure when the browser does not give them
   */
  async cookieJar(): Promise<CookieJar> {
    const jar = newCookieJar();
    const reading = this.#inTime(this.#context.cookies(), 'read its cookies');
    const cookies = await reading.catch(async (error: unknown) => {
      throw new TransportFailure('timeout', await this.#troubled(error), { cause: error });
    });
    for (const cookie of cookies) {
      const domain = cookie.domain.replace(/^\./, '');
      const url = `${cookie.secure ? 'https' : 'http'}://${domain}${cookie.path}`;
      const attributes = [
        `${cookie.name}=${cookie.value}`,
        `Path=${cookie.path}`,
        ...(cookie.domain.startsWith('.') ? [`Domain=${domain}`] : []),
        ...(cookie.secure ? ['Secure'] : []),
      ];
      jar.setCookieSync(attributes.join('; '), url, { ignoreError: true });
    }
    return jar;
  }

  async authorize(url: string, options: AuthorizeOptions, recorder: Recorder): Promise<AuthorizeOutcome> {
    const nowhere = (trouble: string) => ({ pages: [], visited: [], decided: false, trouble });
    if (this.#silentInARow >= MOST_SILENT_PAGES) return nowhere(UNRESPONSIVE);
    try {
      if (options.signedIn)
        return await this.#inTab(recorder, (tab) => this.#walk(tab, url, options, recorder));
      return await this.#asStranger(recorder, (tab) => this.#walk(tab, url, options, recorder));
    } catch (error) {
      return nowhere(await this.#troubled(error));
    }
  }

  async #asStranger<T>({ signal }: Recorder, work: (tab: Tab) => Promise<T>): Promise<T> {
    const stranger = await this.#inTime(this.#newContext(), 'opened a page');
    try {
      const opening = this.#inTime(openTab(stranger, this.#deadlineMs), 'opened a page');
      return await unlessAborted(opening.then(work), signal);
    } finally {
      await letGo(stranger);
    }
  }

  /** Works in the signed-in tab. Aborted work loses it: whatever the page is doing ends, and the next gets another. */
  async #inTab<T>({ signal }: Recorder, work: (tab: Tab) => Promise<T>): Promise<T> {
    const opening = () => this.#inTime(openTab(this.#context, this.#deadlineMs), 'opened a page');
    const tab = this.#tab ?? (await opening());
    this.#tab = tab;
    try {
      return await unlessAborted(work(tab), signal);
    } catch (error) {
      if (error instanceof Aborted) {
        this.#tab = undefined;
        void tab.page.close().catch(() => undefined);
      }
      throw error;
    }
  }

  /** Waits for a look at a page no longer than a page may take. */
  #inTime<T>(look: Promise<T>, doing: string): Promise<T> {
    return answered(look, this.#deadlineMs, doing);
  }

  /** Lets go of a page that has come to nothing, which may be busy or dead, and says why in words. */
  async #troubled(error: unknown): Promise<string> {
    if (!isPageTrouble(error)) throw error;
    if (error instanceof PageSilent || /^page\.goto: Timeout/.test(error.message)) this.#silentInARow += 1;
    const tab = this.#tab;
    this.#tab = undefined;
    if (tab !== undefined) await letGo(tab.page);
    const ended = endedForMemory(this.#context.browser());
    if (ended === this.#endedForMemory) return firstLine(error);
    this.#endedForMemory = ended;
    return `the service's pages took more memory than the ${MOST_BROWSER_MEMORY / 2 ** 20} MiB that the browser may have, so the page was ended`;
  }

  async createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    try {
      return await this.#inTab(recorder, (tab) => this.#fillIn(tab, url, area, wanted, recorder));
    } catch (error) {
      return { instead: await this.#troubled(error) };
    }
  }

  async #fillIn(
    tab: Tab,
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    const { page } = tab;
    tab.catcher.expect(() => false);
    const kind = await this.#step(tab, recorder, 'open the account area', () => page.goto(url));
    await this.#enter(tab, kind, recorder);
    const atFirst = await this.#misled(page, area, ['open']);
    if (atFirst !== undefined) return atFirst;
    await this.#step(tab, recorder, 'open the form for a new application', () =>
      this.#clickAway(tab, area.open),
    );
    const inForm = await this.#misled(page, area, ['name', 'redirectUris', 'submit']);
    if (inForm !== undefined) return inForm;
    await this.#step(tab, recorder, 'create the application', async () => {
      await type(locate(page, area.name), wanted.name);
      await type(locate(page, area.redirectUris), wanted.redirectUri);
      await this.#clickAway(tab, area.submit);
    });
    const text = async (selector: Selector) => {
      const element = locate(page, selector);
      const read = async () => ((await element.count()) === 0 ? undefined : await element.textContent());
      return (await this.#inTime(read(), 'read the new application'))?.trim();
    };
    const [id, secret] = [await text(area.clientId), await text(area.clientSecret)];
    const whole = (await this.#inTime(page.locator('body').innerText(), 'read the new application')) ?? '';
    return shownCredentials(id, secret, whole, wanted);
  }

  /** What is told where a selector of the account area finds nothing on a page that offers something to press. */
  async #misled(
    page: Page,
    area: AccountAreaPages,
    keys: readonly Exclude<keyof AccountAreaPages, 'path'>[],
  ): Promise<ShownCredentials | undefined> {
    const look = async () => {
      const counts = await Promise.all(keys.map((key) => locate(page, area[key]).count()));
      const hasControls = (await page.locator(CONTROLS).count()) > 0;
      const status = await page.evaluate(() => {
        const [entry] = performance.getEntriesByType('navigation');
        return (entry as PerformanceEntry & { responseStatus?: number })?.responseStatus ?? 200;
      });
      return misledAt({ status, hasControls, found: new Set(keys.filter((_, i) => counts[i] !== 0)) }, keys);
    };
    const key = await this.#inTime(look(), 'look for the form');
    return key && { instead: `the page has no ${JSON.stringify(area[key as 'open'])}`, misled: key };
  }

  async #walk(
    tab: Tab,
    url: string,
    options: AuthorizeOptions,
    recorder: Recorder,
  ): Promise<AuthorizeOutcome> {
    const { page, catcher } = tab;
    const log = new NavigationLog(page);
    catcher.expect((address) => isClientAddress(address, options.redirectUris, this.#serviceOrigins));
    let decided = false;
    let trouble: string | undefined;
    try {
      let kind = await this.#step(tab, recorder, 'open the authorization address', () => page.goto(url));
      log.mark(shown(kind));
      if (options.signedIn) kind = await this.#enter(tab, kind, recorder, log);
      const { decision } = options;
      if (kind === 'consent' && decision !== 'leave') {
        const decide = this.#decide(tab, decision);
        if (decide !== undefined) {
          decided = true;
          log.mark(shown(await this.#step(tab, recorder, decision, decide)));
        }
      }
      this.#silentInARow = 0;
    } catch (error) {
      trouble = await this.#troubled(error);
    } finally {
      log.stop();
    }
    const seen = await log.read(trouble === undefined ? this.#deadlineMs : AFTERMATH_MS);
    const caught = catcher.caught === undefined ? undefined : describeCaught(catcher.caught, seen);
    return {
      caught,
      ...(trouble === undefined || caught !== undefined ? {} : { trouble }),
      pages: shownPages(seen, catcher.caught),
      visited: seen.requested,
      decided,
    };
  }

  /** Passes what stands between whoever knocks and the consent page: interstitials, and the sign-in, once. */
  async #enter(tab: Tab, first: PageKind, recorder: Recorder, log?: NavigationLog): Promise<PageKind> {
    let kind = first;
    let signedIn = false;
    for (let passed = 0; passed <= MOST_INTERSTITIALS; passed += 1) {
      if (typeof kind === 'object') {
        const { interstitial } = kind;
        kind = await this.#step(tab, recorder, 'pass an interstitial', () =>
          this.#clickAway(tab, interstitial),
        );
      } else if (kind === 'sign-in' && !signedIn) {
        signedIn = true;
        kind = await this.#signIn(tab, recorder);
      } else return kind;
      log?.mark(shown(kind));
    }
    return kind;
  }

  async #step(tab: Tab, recorder: Recorder, purpose: string, act: () => Promise<unknown>): Promise<PageKind> {
    const startedAt = Date.now();
    const begun = performance.now();
    try {
      await act();
    } catch (error) {
      // A navigation that ends in our own answer is reported as aborted; what was caught decides.
      if (tab.catcher.caught === undefined) {
        const durationMs = performance.now() - begun;
        recorder.step({ purpose, detail: firstLine(error as Error), startedAt, durationMs });
        throw error;
      }
    }
    const kind = await this.#settle(tab);
    const shows = typeof kind === 'object' ? 'an interstitial' : kind;
    recorder.step({
      purpose,
      url: tab.catcher.caught ?? tab.page.url(),
      detail: tab.catcher.caught === undefined ? `the page shows ${shows}` : 'redirect to the client caught',
      startedAt,
      durationMs: performance.now() - begun,
    });
    return kind;
  }

  /** What the page shows, waiting at most the configured time for a form to appear or the page to move on. */
  async #settle(tab: Tab): Promise<PageKind> {
    const { settleMs, signInForm, grant, interstitials = [] } = this.#pages;
    const deadline = performance.now() + settleMs;
    for (;;) {
      if (tab.catcher.caught !== undefined) return 'other';
      const [asksToSignIn, asksForConsent, ...inTheWay] = await Promise.all(
        [signInForm, grant, ...interstitials].map((selector) =>
          visible(tab.page, selector, this.#deadlineMs),
        ),
      );
      if (asksToSignIn) return 'sign-in';
      if (asksForConsent) return 'consent';
      const interstitial = interstitials[inTheWay.indexOf(true)];
      if (interstitial !== undefined) return { interstitial };
      if (performance.now() >= deadline) return 'other';
      await tab.page.waitForTimeout(50);
    }
  }

  /** Signs in; where that leads nowhere, says why and keeps a picture of the page. */
  async #signIn(tab: Tab, recorder: Recorder): Promise<PageKind> {
    this.signIns += 1;
    const guard = this.#guard;
    const act = () =>
      signIn(tab.page, this.#pages, this.#credentials, (selector) => this.#clickAway(tab, selector));
    const guarded = () =>
      guard.guarding(this.#context, () => tab.catcher.guarding((request) => guard.stops(request), act));
    try {
      const kind = await this.#step(tab, recorder, 'sign in', guarded);
      if (guard.refused !== undefined) throw guard.refused;
      const onward = tab.catcher.caught !== undefined || kind === 'consent' || typeof kind === 'object';
      if (!onward) await refuseFailedSignIn(tab.page, this.#pages);
      return kind;
    } catch (thrown) {
      const error = guard.refused ?? thrown;
      if (isPageTrouble(error) && !(error instanceof PageSilent)) {
        const { login } = this.#credentials.owner;
        this.refusedSignIn = await blankedScreenshot(tab.page, [login]);
      }
      throw error;
    }
  }

  /** How a decision is carried out; undefined where nobody knows how to deny. */
  #decide(tab: Tab, decision: 'grant' | 'deny'): (() => Promise<void>) | undefined {
    const { grant, deny, signInModule } = this.#pages;
    const consent = signInModule?.consent;
    if (consent !== undefined) return () => inTime(consent(tab.page, decision), 'consent');
    const button = decision === 'grant' ? grant : deny;
    return button && (() => this.#clickAway(tab, button));
  }

  /**
   * Clicks what leads to another page and waits until that has loaded, or the redirect to the client is caught. Pages that
   * draw themselves anew load nothing: there it is enough that what was clicked is gone.
   */
  async #clickAway(tab: Tab, selector: Selector): Promise<void> {
    const { page, catcher } = tab;
    const timeout = this.#deadlineMs;
    const loaded = page.waitForEvent('load', { timeout });
    // The click may fail first; then nobody waits for the page any more.
    loaded.catch(() => undefined);
    await locate(page, selector).click({ timeout });
    let over = false;
    const gone = async () => {
      do {
        await page.waitForTimeout(LOOK_MS);
      } while (!over && (await visible(page, selector, timeout)));
      if (!over) await page.waitForLoadState('load', { timeout });
    };
    const drawnAnew = gone();
    drawnAnew.catch(() => undefined);
    try {
      await Promise.race([loaded, catcher.whenCaught, this.#guard.whenRefused, drawnAnew]);
    } finally {
      over = true;
    }
  }
}

/** For the record an interstitial is a page like any other. */
function shown(kind: PageKind): ShownPage['shows'] {
  return typeof kind === 'object' ? 'other' : kind;
}

async function openTab(context: BrowserContext, deadlineMs: number): Promise<Tab> {
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(deadlineMs);
  page.setDefaultTimeout(deadlineMs);
  return { page, catcher: await RedirectCatcher.arm(page) };
}
