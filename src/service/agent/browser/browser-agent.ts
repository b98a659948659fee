import type { BrowserContext, Cookie, Page } from 'playwright-core';
import type { Cookie as StoredCookie } from 'tough-cookie';
import { Aborted, TransportFailure, unlessAborted } from '../../../http/exchange.ts';
import { orError } from '../../../http/or-else.ts';
import type { Recorder } from '../../../http/recorder.ts';
import { keysOf } from '../../../http/unreachable.ts';
import { isClientAddress, serviceOrigins } from '../../redirect-address.ts';
import type { AccountAreaPages, Selector, Target } from '../../target.ts';
import { CONTROLS, type ElementKey, shownCredentials, wrongKeyOf } from '../account-area.ts';
import { CookieJar } from '../cookie-jar.ts';
import type { CredentialSource } from '../sign-in-values.ts';
import { ForeignOrigin } from '../trusted-origins.ts';
import type {
  AuthorizeOptions,
  AuthorizeOutcome,
  NewApplication,
  ShownCredentials,
  Troubled,
  UserAgent,
} from '../user-agent.ts';
import { alertOn, click } from './click-trouble.ts';
import {
  closeQuietly,
  connectionIn,
  firstErrorLine,
  isPageTrouble,
  PageSilent,
  PageTrouble,
  withDriverDeadline,
  withPageDeadline,
} from './deadline.ts';
import { Entrance } from './entrance.ts';
import { demandedIn, describeFailedPage, frameWith, offeredOn } from './failed-page.ts';
import { candidates, isSelectorVisible, type, visibleCandidates, waitForElement } from './fields.ts';
import { NavigationLog } from './navigation-log.ts';
import { withinModuleDeadline } from './sign-in.ts';
import { shownKind, Tab } from './tab.ts';

/** After this many unanswered pages in a row the agent opens no more, because each costs a deadline. */
const MOST_SILENT_PAGES = 3;

const AFTERMATH_MS = 1_000;

const UNRESPONSIVE = `not opened: the last ${MOST_SILENT_PAGES} pages of the service did not answer, so the suite sends the service nothing more`;

/** Performs authorization redirects in a real browser. One context, signed in once, serves all of them. */
export class BrowserAgent implements UserAgent {
  readonly kind = 'page';
  readonly #target: Target;
  readonly #context: BrowserContext;
  readonly #newContext: () => Promise<BrowserContext>;
  readonly #entrance: Entrance;
  /** Holds the cookies of the signed-in owner. */
  readonly #quickAgent: { jar: CookieJar };
  /** Changes of the quick agent's cookies that this browser has. */
  #shared = 0;
  #tab: Tab | undefined;
  #silentInARow = 0;

  constructor(
    target: Target,
    credentials: CredentialSource,
    context: BrowserContext,
    newContext: () => Promise<BrowserContext>,
    quickAgent: { jar: CookieJar },
  ) {
    this.#target = target;
    this.#context = context;
    this.#newContext = newContext;
    this.#quickAgent = quickAgent;
    this.#entrance = new Entrance(target.pages, credentials);
  }

  /** Works with the cookies of the agent without a browser, and gives that agent those that are left: both are one session. */
  async #sharingCookies<T>(work: () => Promise<T>): Promise<T> {
    const { jar } = this.#quickAgent;
    // A browser does without a cookie that it does not accept, such as a very long one.
    const added = (one: StoredCookie) =>
      this.#context.addCookies([browserCookie(one)]).catch(() => undefined);
    if (jar.changes !== this.#shared)
      await this.#inTime(Promise.all(jar.all().map(added)), 'set its cookies');
    const done = await work();
    this.#quickAgent.jar = cookieJarOf(await this.#inTime(this.#context.cookies(), 'read its cookies'));
    this.#shared = this.#quickAgent.jar.changes;
    return done;
  }

  async authorize(url: string, options: AuthorizeOptions, recorder: Recorder): Promise<AuthorizeOutcome> {
    const nowhere = (what: Troubled) => ({ pages: [], visited: [], decided: false, ...what });
    const refused = await this.#notAdmitted(recorder);
    if (refused !== undefined) return nowhere({ trouble: refused.message, cause: refused });
    if (this.#silentInARow >= MOST_SILENT_PAGES) return nowhere({ trouble: UNRESPONSIVE });
    try {
      const visit = (tab: Tab) => this.#visit(tab, url, options, recorder);
      return await (options.signedIn ? this.#inTab(recorder, visit) : this.#asStranger(recorder, visit));
    } catch (error) {
      return nowhere(await this.#troubled(error));
    }
  }

  async createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    const refused = await this.#notAdmitted(recorder);
    if (refused !== undefined) return { instead: refused.message, trouble: refused.message, cause: refused };
    try {
      const work = (tab: Tab) => createApplicationIn(tab, this.#entrance, { url, area }, wanted, recorder);
      return await this.#inTab(recorder, work);
    } catch (error) {
      const { trouble, cause } = await this.#troubled(error);
      return { instead: trouble, trouble, cause };
    }
  }

  /** Waits for the traffic to admit a page. Returns the reason if it does not. */
  async #notAdmitted({ signal }: Recorder): Promise<TransportFailure | undefined> {
    const turn = this.#target.traffic?.browserTurn();
    const admitted = turn && (await orError(unlessAborted(turn, signal), TransportFailure));
    return admitted instanceof TransportFailure ? admitted : undefined;
  }

  async #asStranger<T>({ signal }: Recorder, work: (tab: Tab) => Promise<T>): Promise<T> {
    const stranger = await this.#inTime(this.#newContext(), 'opened a page');
    try {
      return await unlessAborted(this.#open(stranger).then(work), signal);
    } finally {
      await closeQuietly(stranger);
    }
  }

  /** Works in the signed-in tab. An aborted task closes the tab; the next task gets a new one. */
  async #inTab<T>({ signal }: Recorder, work: (tab: Tab) => Promise<T>): Promise<T> {
    const tab = this.#tab ?? (await this.#open(this.#context));
    this.#tab = tab;
    try {
      return await unlessAborted(
        this.#sharingCookies(() => work(tab)),
        signal,
      );
    } catch (error) {
      if (error instanceof Aborted) {
        this.#tab = undefined;
        void tab.page.close().catch(() => undefined);
      }
      throw tab.crash ?? error;
    }
  }

  #open(context: BrowserContext): Promise<Tab> {
    return this.#inTime(
      Tab.open(context, this.#target.pages, () => this.#entrance.whenRefused),
      'opened a page',
    );
  }

  #inTime<T>(look: Promise<T>, doing: string): Promise<T> {
    return withPageDeadline(look, this.#target.pages.pageDeadlineMs, doing);
  }

  async #troubled(error: unknown): Promise<Troubled> {
    if (!isPageTrouble(error)) throw error;
    if (error instanceof PageSilent || /^page\.goto: Timeout/.test(error.message)) this.#silentInARow += 1;
    const tab = this.#tab;
    this.#tab = undefined;
    if (tab !== undefined) await closeQuietly(tab.page);
    if (error instanceof PageTrouble || error instanceof ForeignOrigin)
      return { trouble: error.message, cause: error.cause, finding: error.finding };
    const cause = connectionIn(error, this.#target)?.named(keysOf(this.#target));
    return { trouble: cause?.message ?? firstErrorLine(error), cause };
  }

  async #visit(
    tab: Tab,
    url: string,
    options: AuthorizeOptions,
    recorder: Recorder,
  ): Promise<AuthorizeOutcome> {
    const { page, catcher } = tab;
    const log = new NavigationLog(page);
    const service = serviceOrigins(this.#target);
    catcher.expect((address) => isClientAddress(address, options.redirectUris, service));
    let decided = false;
    let troubled: Troubled | undefined;
    try {
      let kind = await tab.step(recorder, 'open the authorization address', () => tab.goto(url));
      log.mark(shownKind(kind));
      if (options.opensTwice && catcher.caught === undefined) {
        kind = await tab.step(recorder, 'open the authorization address again', () => tab.goto(url));
        log.mark(shownKind(kind));
      }
      if (options.signedIn) kind = await this.#entrance.enter(tab, kind, recorder, log);
      const { decision } = options;
      if (kind === 'consent' && decision !== 'view') {
        const decide = this.#decide(tab, decision);
        if (decide !== undefined) {
          decided = true;
          await options.pause?.('consent');
          log.mark(shownKind(await tab.step(recorder, decision, decide)));
        }
      }
      this.#silentInARow = 0;
    } catch (error) {
      troubled = await this.#troubled(tab.crash ?? error);
    } finally {
      log.stop();
    }
    const deadlineMs = troubled === undefined ? tab.deadlineMs : AFTERMATH_MS;
    const { caught, pages, visited } = await log.read(deadlineMs, catcher.caught);
    const unknown = caught === undefined && troubled === undefined && pages.at(-1)?.shows === 'other';
    const { signInForm, grant } = this.#target.pages;
    const framed = unknown ? await frameWith(page, [signInForm, grant]) : undefined;
    if (framed !== undefined) troubled = { trouble: framed.message, cause: framed.cause };
    const hidden = [this.#entrance.login];
    const described =
      unknown && troubled === undefined
        ? await describeFailedPage(page, pages, this.#target.pages, hidden)
        : {};
    return {
      caught,
      ...(caught === undefined && troubled),
      ...described,
      pages,
      visited,
      decided,
    };
  }

  /** Returns undefined if the configuration does not say how to deny. */
  #decide(tab: Tab, decision: 'grant' | 'deny'): (() => Promise<void>) | undefined {
    const { grant, deny, signInModule } = this.#target.pages;
    const consent = signInModule?.consent;
    if (consent !== undefined) return () => withinModuleDeadline(consent(tab.page, decision), 'consent');
    const button = decision === 'grant' ? grant : deny;
    return button === undefined
      ? undefined
      : () => tab.clickAway(button, `consent.${decision}`, undefined, 'whole');
  }
}

function cookieJarOf(cookies: readonly Cookie[]): CookieJar {
  const jar = new CookieJar();
  for (const cookie of cookies) {
    const domain = cookie.domain.replace(/^\./, '');
    const url = `${cookie.secure ? 'https' : 'http'}://${domain}${cookie.path}`;
    const attributes = [
      `${cookie.name}=${cookie.value}`,
      `Path=${cookie.path}`,
      ...(cookie.domain.startsWith('.') ? [`Domain=${domain}`] : []),
      ...(cookie.secure ? ['Secure'] : []),
      ...(cookie.httpOnly ? ['HttpOnly'] : []),
      `SameSite=${cookie.sameSite}`,
    ];
    jar.set(attributes.join('; '), url);
  }
  return jar;
}

const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

function browserCookie({
  key,
  value,
  domain,
  hostOnly,
  path,
  secure,
  httpOnly,
  sameSite = 'lax',
}: StoredCookie) {
  return {
    name: key,
    value,
    domain: `${hostOnly ? '' : '.'}${domain}`,
    path: path ?? '/',
    secure,
    httpOnly,
    sameSite: SAME_SITE[sameSite as keyof typeof SAME_SITE],
  };
}

/** Creates an application in the account area (clauses 1 and 5.2), signing in if asked. */
async function createApplicationIn(
  tab: Tab,
  entrance: Entrance,
  { url, area }: { readonly url: string; readonly area: AccountAreaPages },
  wanted: NewApplication,
  recorder: Recorder,
): Promise<ShownCredentials> {
  const { page } = tab;
  tab.catcher.expect(() => false);
  const kind = await tab.step(recorder, 'open the account area', () => tab.goto(url));
  await entrance.enter(tab, kind, recorder);
  const misled = async (keys: Parameters<typeof keyThatMisleads>[2]) => {
    const key = await tab.look(keyThatMisleads(page, area, keys), 'looked for the form');
    return key && { instead: `the page has no ${JSON.stringify(area[key])}`, misled: key };
  };
  const atFirst = await misled(['open']);
  if (atFirst !== undefined) return atFirst;
  const { deadlineMs } = tab;
  const { open } = area;
  const opening = async () => open && tab.clickAway(open, 'accountArea.open');
  await tab.step(recorder, 'open the form for a new application', opening);
  const inForm = await misled(['name', 'redirectUris', 'submit']);
  if (inForm !== undefined) return inForm;
  const wrong = await fillForm(page, area, wanted, deadlineMs);
  if (wrong !== undefined) return { instead: wrong, misled: 'fields' };
  await tab.step(recorder, 'create the application', () => tab.clickAway(area.submit, 'accountArea.submit'));
  const text = async (selector: Selector) => {
    const all = candidates(page, selector);
    const read = async () => {
      const [first] = [...(await all.filter({ visible: true }).all()), ...(await all.all())];
      return first?.evaluate((node) =>
        node.matches('input, textarea') ? (node as HTMLInputElement).value : node.textContent,
      );
    };
    return (await tab.look(read(), 'read the new application'))?.trim();
  };
  const [id, secret] = [await text(area.clientId), await text(area.clientSecret)];
  const whole = page.evaluate(() => {
    const inputs = document.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea');
    return [document.body.innerText, ...[...inputs].map(({ value }) => value)].join('\n');
  });
  const shown = shownCredentials(id, secret, await tab.look(whole, 'read the new application'), wanted);
  const form = [area.name, area.submit].map((one) => isSelectorVisible(page, one, deadlineMs));
  if (shown.instead === '' || (await Promise.all(form)).includes(false)) return shown;
  const offered = (await offeredOn(page, [])) ?? 'nothing that could be read';
  return {
    ...shown,
    instead: `the form came again instead of the new application${await alertOn(page)}; it has ${offered}`,
    misled: 'fields',
  };
}

/** Fills the form for a new application. Returns which of its fields `accountArea.fields` does not serve. */
async function fillForm(
  page: Page,
  { name, redirectUris, fields, submit }: AccountAreaPages,
  wanted: NewApplication,
  timeout: number,
): Promise<string | undefined> {
  const field = (selector: Selector, key: string) =>
    waitForElement(page, selector, `accountArea.${key}`, timeout);
  await type(await field(name, 'name'), wanted.name, timeout);
  await type(await field(redirectUris, 'redirectUris'), wanted.redirectUri, timeout);
  for (const [index, step] of fields.entries()) {
    const key = `fields[${index}]`;
    try {
      if ('fill' in step) await type(await field(step.fill, key), step.with.text, timeout);
      else if ('click' in step) await click(await field(step.click, key), `accountArea.${key}`, timeout);
      else {
        const select = await field(step.choose, key);
        await withDriverDeadline(select.selectOption(step.option, { timeout }), timeout, 'chose an option');
      }
    } catch (error) {
      if (!isPageTrouble(error) || error instanceof PageSilent) throw error;
      return `\`accountArea.${key}\`: ${firstErrorLine(error)}`;
    }
  }
  const demanded = await demandedIn(visibleCandidates(page, submit).first().locator('xpath=ancestor::form'));
  return demanded.length > 0 ? `the form demands ${demanded.join(', ')}` : undefined;
}

async function keyThatMisleads(
  page: Page,
  area: AccountAreaPages,
  keys: readonly ElementKey[],
): Promise<ElementKey | undefined> {
  const counts = await Promise.all(
    keys.map((key) => {
      const selector = area[key];
      return selector === undefined ? 1 : visibleCandidates(page, selector).count();
    }),
  );
  const hasControls = (await page.locator(CONTROLS).count()) > 0;
  const status = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry as PerformanceEntry & { responseStatus?: number })?.responseStatus ?? 200;
  });
  return wrongKeyOf({ status, hasControls, found: new Set(keys.filter((_, i) => counts[i] !== 0)) }, keys);
}
