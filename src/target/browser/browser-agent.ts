import type { BrowserContext, Locator, Page, Response } from '@playwright/test';
import type { CookieJar } from 'tough-cookie';
import { BudgetSpent } from '../../exchange/budget.ts';
import type { Recorder } from '../../exchange/recorder.ts';
import { newCookieJar, shownCredentials } from '../form-agent.ts';
import type { AccountAreaPages, FormPages, Selector } from '../pages/page-actions.ts';
import { isClientAddress } from '../redirect-address.ts';
import { type CredentialSource, credentialValue } from '../sign-in-values.ts';
import type {
  AuthorizeOptions,
  AuthorizeOutcome,
  CaughtRedirect,
  NewApplication,
  ShownCredentials,
  ShownPage,
  UserAgent,
} from '../user-agent.ts';
import { RedirectCatcher } from './redirect-catcher.ts';

/** Longest that one page may take to load or to show what is waited for, in milliseconds. */
const PAGE_DEADLINE_MS = 10_000;

interface Tab {
  readonly page: Page;
  readonly catcher: RedirectCatcher;
}

type PageKind = ShownPage['shows'];

/** Walks the authorization redirect in a real browser. One context, signed in once, serves all walks. */
export class BrowserAgent implements UserAgent {
  readonly kind = 'page';
  readonly #context: BrowserContext;
  readonly #newContext: () => Promise<BrowserContext>;
  readonly #pages: FormPages;
  readonly #credentials: CredentialSource;
  readonly #serviceOrigins: readonly string[];
  #tab: Tab | undefined;
  /** How often credentials were typed. */
  signIns = 0;

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
    this.#credentials = credentials;
    this.#serviceOrigins = serviceOrigins;
  }

  /** The signed-in browser's cookies, for the form agent. */
  async cookieJar(): Promise<CookieJar> {
    const jar = newCookieJar();
    for (const cookie of await this.#context.cookies()) {
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
    if (options.signedIn) {
      this.#tab ??= await openTab(this.#context);
      return this.#walk(this.#tab, url, options, recorder);
    }
    const stranger = await this.#newContext();
    try {
      return await this.#walk(await openTab(stranger), url, options, recorder);
    } finally {
      await stranger.close();
    }
  }

  async createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    this.#tab ??= await openTab(this.#context);
    const tab = this.#tab;
    const { page } = tab;
    tab.catcher.expect(() => false);
    try {
      const kind = await this.#step(tab, recorder, 'open the account area', () => page.goto(url));
      if (kind === 'sign-in') await this.#step(tab, recorder, 'sign in', () => this.#signIn(tab));
      await this.#step(tab, recorder, 'open the form for a new application', () =>
        this.#clickAway(tab, area.open),
      );
      await this.#step(tab, recorder, 'create the application', async () => {
        await type(locate(page, area.name), wanted.name);
        await type(locate(page, area.redirectUris), wanted.redirectUri);
        await this.#clickAway(tab, area.submit);
      });
    } catch (error) {
      if (!isPageTrouble(error)) throw error;
      return { instead: firstLine(error) };
    }
    const text = async (selector: Selector) => {
      const element = locate(page, selector);
      return (await element.count()) === 0 ? undefined : (await element.textContent())?.trim();
    };
    return shownCredentials(await text(area.clientId), await text(area.clientSecret));
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
      log.mark(kind);
      if (kind === 'sign-in' && options.signedIn) {
        kind = await this.#step(tab, recorder, 'sign in', () => this.#signIn(tab));
        log.mark(kind);
      }
      if (kind === 'consent' && options.decision !== 'leave') {
        const button = options.decision === 'grant' ? this.#pages.grant : this.#pages.deny;
        if (button !== undefined) {
          decided = true;
          log.mark(await this.#step(tab, recorder, options.decision, () => this.#clickAway(tab, button)));
        }
      }
    } catch (error) {
      if (!isPageTrouble(error)) throw error;
      trouble = firstLine(error);
      recorder.step({ purpose: 'the page gave up', detail: trouble, startedAt: Date.now(), durationMs: 0 });
    } finally {
      log.stop();
    }
    const seen = await log.read();
    const caught = catcher.caught === undefined ? undefined : describeCaught(catcher.caught, seen);
    return {
      ...(caught === undefined ? {} : { caught }),
      ...(trouble === undefined || caught !== undefined ? {} : { trouble }),
      pages: shownPages(seen, catcher.caught),
      visited: seen.requested,
      decided,
    };
  }

  async #step(tab: Tab, recorder: Recorder, purpose: string, act: () => Promise<unknown>): Promise<PageKind> {
    const startedAt = Date.now();
    const begun = performance.now();
    try {
      await act();
    } catch (error) {
      // A navigation that ends in our own answer is reported as aborted; what was caught decides.
      if (tab.catcher.caught === undefined) throw error;
    }
    const kind = await this.#settle(tab);
    recorder.step({
      purpose,
      url: tab.catcher.caught ?? tab.page.url(),
      detail: tab.catcher.caught === undefined ? `the page shows ${kind}` : 'redirect to the client caught',
      startedAt,
      durationMs: performance.now() - begun,
    });
    return kind;
  }

  /** What the page shows, waiting at most the configured time for a form to appear or the page to move on. */
  async #settle(tab: Tab): Promise<PageKind> {
    const deadline = performance.now() + this.#pages.settleMs;
    for (;;) {
      if (tab.catcher.caught !== undefined) return 'other';
      const [signIn, grant] = await Promise.all([
        visible(tab.page, this.#pages.signInForm),
        visible(tab.page, this.#pages.grant),
      ]);
      if (signIn) return 'sign-in';
      if (grant) return 'consent';
      if (performance.now() >= deadline) return 'other';
      await tab.page.waitForTimeout(50);
    }
  }

  async #signIn(tab: Tab): Promise<void> {
    this.signIns += 1;
    const steps = this.#pages.signIn;
    for (const [index, step] of steps.entries()) {
      if (step.do === 'wait') {
        await locate(tab.page, step.for).waitFor({ timeout: PAGE_DEADLINE_MS });
      } else if (step.do === 'fill') {
        await type(locate(tab.page, step.field), await credentialValue(step.value, this.#credentials));
      } else if (steps.slice(index + 1).some((later) => later.do !== 'wait')) {
        await locate(tab.page, step.on).click({ timeout: PAGE_DEADLINE_MS });
      } else {
        await this.#clickAway(tab, step.on);
      }
    }
  }

  /** Clicks what leads to another page and waits until that has loaded, or the redirect to the client is caught. */
  async #clickAway(tab: Tab, selector: Selector): Promise<void> {
    const loaded = tab.page.waitForEvent('load', { timeout: PAGE_DEADLINE_MS });
    // The click may fail first; then nobody waits for the page any more.
    loaded.catch(() => undefined);
    await locate(tab.page, selector).click({ timeout: PAGE_DEADLINE_MS });
    await Promise.race([loaded, tab.catcher.whenCaught]);
  }
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(PAGE_DEADLINE_MS);
  return { page, catcher: await RedirectCatcher.arm(page) };
}

function locate(page: Page, selector: Selector): Locator {
  if ('css' in selector) return page.locator(selector.css).first();
  if ('label' in selector) return page.getByLabel(selector.label).first();
  return page
    .getByRole('button', { name: selector.button })
    .or(page.getByRole('link', { name: selector.button }))
    .first();
}

function visible(page: Page, selector: Selector): Promise<boolean> {
  return locate(page, selector)
    .isVisible()
    .catch(() => false);
}

/**
 * Types into a field through the page's own properties: the runner's `fill` writes its value into reports and logs,
 * and this may be a password.
 */
async function type(field: Locator, value: string): Promise<void> {
  await field.waitFor({ timeout: PAGE_DEADLINE_MS });
  await field.evaluate((element, text) => {
    const input = element as HTMLInputElement;
    const prototype = Object.getPrototypeOf(input) as object;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
}

interface Navigation {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly location?: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly shows: PageKind;
}

interface SeenNavigations {
  readonly requested: readonly string[];
  readonly answered: readonly Navigation[];
}

/** Every navigation of a page's main frame while a walk lasts. */
class NavigationLog {
  readonly #page: Page;
  readonly #requested: string[] = [];
  readonly #answered: Promise<Omit<Navigation, 'shows'> | undefined>[] = [];
  readonly #shows = new Map<number, PageKind>();
  readonly #onRequest: (request: import('@playwright/test').Request) => void;
  readonly #onResponse: (response: Response) => void;

  constructor(page: Page) {
    this.#page = page;
    this.#onRequest = (request) => {
      if (request.isNavigationRequest()) this.#requested.push(request.url());
    };
    this.#onResponse = (response) => {
      if (response.request().isNavigationRequest()) this.#answered.push(readNavigation(response));
    };
    page.on('request', this.#onRequest);
    page.on('response', this.#onResponse);
  }

  stop(): void {
    this.#page.off('request', this.#onRequest);
    this.#page.off('response', this.#onResponse);
  }

  /** Says what the page that was answered last turned out to show. */
  mark(kind: PageKind): void {
    this.#shows.set(this.#answered.length - 1, kind);
  }

  async read(): Promise<SeenNavigations> {
    const answered = await Promise.all(this.#answered);
    return {
      requested: this.#requested,
      answered: answered.flatMap((n, i) => (n ? [{ ...n, shows: this.#shows.get(i) ?? 'other' }] : [])),
    };
  }
}

async function readNavigation(response: Response): Promise<Omit<Navigation, 'shows'> | undefined> {
  try {
    const headers = await response.headersArray();
    const location = headers.find((h) => h.name.toLowerCase() === 'location')?.value;
    return {
      url: response.url(),
      method: response.request().method(),
      status: response.status(),
      ...(location === undefined ? {} : { location }),
      headers: headers.map((h) => [h.name, h.value] as const),
    };
  } catch {
    // The page moved on before its headers were read; the navigation that replaced it is what counts.
    return undefined;
  }
}

function describeCaught(url: string, seen: SeenNavigations): CaughtRedirect {
  const redirects = seen.answered.filter(
    (n) => n.location !== undefined && n.status >= 300 && n.status < 400,
  );
  const last = redirects.findLast((n) => sameAddress(new URL(n.location ?? '', n.url).href, url));
  if (last === undefined) return { url, afterForm: seen.answered.at(-1)?.method === 'POST' };
  return {
    url,
    status: last.status,
    ...(last.location === undefined ? {} : { location: last.location }),
    afterForm: last.method === 'POST',
  };
}

function sameAddress(a: string, b: string): boolean {
  return a.split('#')[0] === b.split('#')[0];
}

/** Answers that are pages, with what was recognised on them; the page put in the client's place is not one. */
function shownPages(seen: SeenNavigations, caught: string | undefined): readonly ShownPage[] {
  return seen.answered.filter(
    (n) => !(n.status >= 300 && n.status < 400) && !(caught !== undefined && sameAddress(n.url, caught)),
  );
}

function isPageTrouble(error: unknown): error is Error {
  if (error instanceof BudgetSpent) return true;
  return error instanceof Error && /net::|Timeout|Navigation|interrupted/i.test(error.message);
}

function firstLine(error: Error): string {
  return error.message.split('\n')[0] ?? error.message;
}
