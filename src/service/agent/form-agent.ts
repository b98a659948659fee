import { isDeepStrictEqual } from 'node:util';
import type { HTMLElement } from 'node-html-parser';
import {
  type Exchange,
  headerOf,
  headersOf,
  type TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../http/exchange.ts';
import { BudgetSpent } from '../../http/ledger.ts';
import type { Recorder } from '../../http/recorder.ts';
import { isClientAddress, serviceOrigins } from '../redirect-address.ts';
import type { AccountAreaPages, FillValue, FormPages, Selector, Target } from '../target.ts';
import { CONTROLS, type ElementKey, shownCredentials, wrongKeyOf } from './account-area.ts';
import { CookieJar } from './cookie-jar.ts';
import {
  actionOf,
  fillField,
  findElement,
  findOnlyElement,
  formHeaders,
  type HtmlPage,
  htmlPage,
  PageUnreadable,
  pageText,
  requestOfClick,
  requestOfRefresh,
  type Submission,
  shownIn,
} from './html-form.ts';
import { AmbiguousName, type NameMatch } from './names.ts';
import { type CredentialSource, credentialValue, elementOf, SIGN_IN } from './sign-in-values.ts';
import { ForeignOrigin } from './trusted-origins.ts';
import type {
  AuthorizeOptions,
  AuthorizeOutcome,
  CaughtRedirect,
  NewApplication,
  ShownCredentials,
  ShownPage,
  Troubled,
  UserAgent,
} from './user-agent.ts';

/** More hops than this are an endless redirect. Browsers stop at 20. */
const MOST_HOPS = 20;

type Sending = Submission & { readonly holdsCredentials?: boolean };

/** A browser at a service's pages: it sees one page, or was caught on the way to a client. */
interface Visit {
  readonly redirectUris: readonly string[];
  readonly jar: CookieJar;
  readonly recorder: Recorder;
  readonly pages: ShownPage[];
  readonly visited: string[];
  page?: HtmlPage | undefined;
  caught?: CaughtRedirect;
}

type Referrer = Pick<CaughtRedirect, 'form'> & { readonly exchange: Exchange };

/** The visit leads no further. The message says why. */
class DeadEnd extends Error {
  override readonly cause: TransportFailure | undefined;

  constructor(why: string, cause?: TransportFailure) {
    super(why);
    this.cause = cause;
  }
}

/** More than the open requests that services keep of one browser. */
const FURTHER_TABS = 5;

/**
 * A user agent without a browser or script: follows redirects, keeps cookies, submits forms. If a service's pages need
 * script, the caller falls back to the browser.
 */
export class FormAgent implements UserAgent {
  readonly kind = 'cookies';
  readonly #target: Target;
  readonly #credentials: CredentialSource;
  /** Cookies of the signed-in owner. */
  jar = new CookieJar();

  constructor(target: Target, credentials: CredentialSource) {
    this.#target = target;
    this.#credentials = credentials;
  }

  async authorize(url: string, options: AuthorizeOptions, recorder: Recorder): Promise<AuthorizeOutcome> {
    const { elsewhere, decision, redirectUris } = options;
    const { pages } = this.#target;
    const jar = options.signedIn && elsewhere === undefined ? this.jar : new CookieJar();
    const signsIn = options.signedIn || elsewhere !== undefined;
    const visit: Visit = { redirectUris, jar, recorder, pages: [], visited: [] };
    const openOtherTab = async () => {
      if (elsewhere?.otherTab === undefined) return;
      const tab: Visit = { ...visit, pages: [], visited: [] };
      await troubleOf(this.#open(tab, 'open a request in another tab', elsewhere.otherTab));
    };
    const passwords = [elsewhere?.password, ...(elsewhere?.thenRight ? [undefined] : [])];
    let decided = false;
    const decide = async () => {
      for (const password of signsIn ? passwords : [])
        if (this.#asksToSignIn(visit)) await this.#signIn(visit, password);
      if (signsIn) await this.#passInterstitials(visit);
      const submission = decision === 'view' ? undefined : decisionOn(visit, pages, decision);
      if (submission === undefined) return;
      decided = true;
      // Signed in, the other tab asks for consent too, or gets an older code that nothing uses.
      await openOtherTab();
      await options.pause?.('consent');
      await this.#go(visit, decision, submission);
    };
    // A service may keep the oldest request of a browser, or the newest.
    await openOtherTab();
    let unopened = await troubleOf(this.#open(visit, 'open the authorization address', url, options.method));
    if (options.opensTwice && visit.caught === undefined)
      unopened ??= await troubleOf(this.#open(visit, 'open the authorization address again', url));
    for (let tabs = 0; tabs < FURTHER_TABS; tabs += 1) await openOtherTab();
    if (this.#asksToSignIn(visit)) await options.pause?.('sign-in');
    const trouble = unopened ?? (await troubleOf(decide()));
    const { caught, pages: shown, visited } = visit;
    return { caught, ...trouble, pages: shown, visited, decided };
  }

  async createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    const visit: Visit = { redirectUris: [], jar: this.jar, recorder, pages: [], visited: [] };
    let misled: keyof AccountAreaPages | undefined;
    const fillForm = async () => {
      await this.#open(visit, 'open the account area', url);
      if (this.#asksToSignIn(visit)) await this.#signIn(visit);
      misled = misledOn(visit, area, ['open']);
      if (area.open !== undefined)
        await this.#press(visit, area.open, 'accountArea.open', 'open the form for a new application');
      misled ??= misledOn(visit, area, ['name', 'redirectUris', 'submit']);
      for (const key of ['name', 'redirectUris'] as const) {
        const field = visit.page && findElement(visit.page, area[key]);
        if (field) visit.page?.typed.set(field, key === 'name' ? wanted.name : wanted.redirectUri);
      }
      for (const [index, step] of area.fields.entries()) {
        const key = `accountArea.fields[${index}]`;
        if (visit.page === undefined || fillField(visit.page, step, key)) continue;
        misled ??= 'fields';
        throw new DeadEnd(`\`${key}\`: the form has no such field or option`);
      }
      await this.#press(visit, area.submit, 'accountArea.submit', 'create the application');
    };
    const trouble = await troubleOf(fillForm());
    const { page } = visit;
    const text = (selector: Selector) => {
      const element = page && findElement(page, selector);
      return element && shownIn(element);
    };
    const shown =
      trouble !== undefined || page === undefined
        ? { instead: trouble?.trouble ?? 'a redirect to a client' }
        : shownCredentials(text(area.clientId), text(area.clientSecret), pageText(page), wanted);
    return misled === undefined ? shown : { ...shown, misled };
  }

  #asksToSignIn({ page }: Visit): boolean {
    return page !== undefined && findElement(page, this.#target.pages.signInForm) !== undefined;
  }

  async #passInterstitials(visit: Visit): Promise<void> {
    const { interstitials, grant } = this.#target.pages;
    for (const selector of interstitials) {
      if (visit.page === undefined || findElement(visit.page, grant, 'whole')) return;
      const submission = clicked(visit, selector, 'signIn.interstitials');
      if (submission) await this.#go(visit, 'pass an interstitial', submission);
    }
  }

  async #press(visit: Visit, selector: Selector, key: string, purpose: string): Promise<void> {
    const submission = clicked(visit, selector, key);
    if (submission !== undefined) return this.#go(visit, purpose, submission);
    if (visit.page) throw new DeadEnd(`the page has no ${JSON.stringify(selector)} to ${purpose}`);
  }

  async #signIn(visit: Visit, password?: string): Promise<void> {
    const typed = new Set<string>();
    for (const [index, step] of this.#target.pages.signIn.entries()) {
      const { page } = visit;
      if (page === undefined) return;
      const selector = elementOf(step);
      const element = findOnlyElement(page, selector, `signIn.steps[${index}]`);
      if (element === undefined) throw new DeadEnd(`the sign-in page has no ${JSON.stringify(selector)}`);
      if ('fill' in step) {
        await this.#type(page, element, step.with, password);
        if (typeof step.with === 'string') typed.add(page.typed.get(element) ?? '');
      }
      if (!('click' in step)) continue;
      const submission = requestOfClick(page, element);
      if (submission === undefined) throw new DeadEnd('the sign-in button submits no form');
      await this.#go(visit, SIGN_IN, { ...submission, holdsCredentials: holds(submission, typed) });
    }
  }

  /** @throws ForeignOrigin if the value may not be typed here; BudgetSpent if not again */
  async #type(page: HtmlPage, field: HTMLElement, value: FillValue, password?: string): Promise<void> {
    const { owner, beforePassword: _, ...others } = this.#credentials;
    const source = password === undefined ? this.#credentials : { ...others, owner: { ...owner, password } };
    const place = { page: page.url, action: actionOf(page, field) };
    page.typed.set(field, await credentialValue(value, source, place));
  }

  #open(visit: Visit, purpose: string, url: string, method: 'GET' | 'HEAD' = 'GET'): Promise<void> {
    return this.#go(visit, purpose, { method, url });
  }

  async #go(visit: Visit, purpose: string, submission: Sending): Promise<void> {
    const service = serviceOrigins(this.#target);
    const { trusted } = this.#credentials;
    let next: Sending = submission;
    let referrer: Referrer | undefined;
    visit.page = undefined;
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      visit.visited.push(next.url);
      if (isClientAddress(next.url, visit.redirectUris, service)) {
        const { response } = referrer?.exchange ?? {};
        const location = response && headerOf(response, 'location');
        visit.caught = { url: next.url, location, status: response?.status, form: referrer?.form };
        return;
      }
      if (!/^https?:/.test(next.url)) throw new DeadEnd(`sent to ${next.url}`);
      if (next.holdsCredentials && !trusted.has(next.url)) throw trusted.refusal(next.url, 'would be sent');
      const exchange = await visit.recorder.send(
        hop === 0 ? purpose : 'follow the redirect',
        this.#request(visit, next),
      );
      const { response } = exchange;
      if (response === undefined)
        throw new DeadEnd(exchange.failure?.message ?? 'no answer', exchange.failure);
      for (const cookie of headersOf(response, 'set-cookie')) visit.jar.set(cookie, next.url);
      const location = headerOf(response, 'location');
      if (response.status < 300 || response.status > 399 || location === undefined) {
        const onward = this.#show(visit, next.url, response);
        if (onward === undefined) return;
        referrer = undefined;
        next = onward;
        continue;
      }
      const url = URL.parse(location, next.url)?.href;
      if (url === undefined) throw new DeadEnd(`redirected to an address that is none: ${location}`);
      const repeats = response.status === 307 || response.status === 308;
      const form = repeats ? 'repeated' : 'dropped';
      referrer = { exchange, ...(next.method === 'POST' && { form }) };
      next = repeats ? { ...next, url } : { method: 'GET', url };
    }
    throw new DeadEnd(`still redirecting after ${MOST_HOPS} hops`);
  }

  #request(visit: Visit, submission: Submission): WireRequest {
    const cookie = visit.jar.headerFor(submission.url);
    return {
      method: submission.method,
      url: submission.url.split('#')[0] ?? submission.url,
      headers: [
        ['Accept', 'text/html'],
        ...(cookie === '' ? [] : [['Cookie', cookie] as const]),
        ...formHeaders(submission),
      ],
      body: submission.body,
    };
  }

  /** Shows a page. Returns where it leads on by itself, within the time that the browser's agent waits, too. */
  #show(visit: Visit, url: string, { status, headers, body }: WireResponse): Submission | undefined {
    const { signInForm, grant, settleMs } = this.#target.pages;
    let shows: ShownPage['shows'] = 'other';
    try {
      const page = htmlPage(url, body);
      const signedIn = findElement(page, grant, 'whole') ? 'consent' : 'other';
      shows = findElement(page, signInForm) ? 'sign-in' : signedIn;
      const onward =
        shows === 'other'
          ? requestOfRefresh(page, settleMs / 1_000, headerOf({ headers }, 'refresh'))
          : undefined;
      if (onward === undefined) visit.page = page;
      return onward;
    } finally {
      visit.pages.push({ url, status, headers, shows });
    }
  }
}

/** Errors that end a visit as a {@link DeadEnd} does. */
const DEAD_ENDS = [AmbiguousName, BudgetSpent, ForeignOrigin, PageUnreadable];

/** Returns why a visit ended in a dead end; undefined if it did not. */
async function troubleOf(visiting: Promise<void>): Promise<Troubled | undefined> {
  try {
    await visiting;
    return undefined;
  } catch (error) {
    if (error instanceof DeadEnd) return { trouble: error.message, cause: error.cause };
    const end = DEAD_ENDS.find((kind) => error instanceof kind);
    if (end !== undefined) return { trouble: (error as Error).message };
    throw error;
  }
}

function clicked({ page }: Visit, selector: Selector, key: string, match?: NameMatch) {
  const element = page && findOnlyElement(page, selector, key, match);
  return page && element && requestOfClick(page, element);
}

/** Returns the request that decides; undefined where a module does, or a script of the page, without which both buttons send the same. */
function decisionOn(
  visit: Visit,
  { grant, deny, signInModule }: FormPages,
  decision: 'grant' | 'deny',
): Submission | undefined {
  const { page } = visit;
  const [own, other] = decision === 'grant' ? [grant, deny] : [deny, grant];
  if (page === undefined || own === undefined || signInModule?.consent !== undefined) return undefined;
  const submission = clicked(visit, own, `consent.${decision}`, 'whole');
  const opposite = other && findElement(page, other, 'whole');
  return isDeepStrictEqual(submission, opposite && requestOfClick(page, opposite)) ? undefined : submission;
}

function misledOn(
  { page, pages }: Visit,
  area: AccountAreaPages,
  keys: readonly ElementKey[],
): ElementKey | undefined {
  if (page === undefined) return undefined;
  const isFound = (selector: Selector | undefined) =>
    selector === undefined || findElement(page, selector) !== undefined;
  const found = new Set(keys.filter((key) => isFound(area[key])));
  const hasControls = page.root.querySelector(CONTROLS) !== null;
  return wrongKeyOf({ status: pages.at(-1)?.status ?? 0, hasControls, found }, keys);
}

function holds({ url, body }: Submission, typed: ReadonlySet<string>): boolean {
  const fields = body === undefined ? new URL(url).searchParams : new URLSearchParams(body);
  return [...fields.values()].some((value) => typed.has(value));
}
