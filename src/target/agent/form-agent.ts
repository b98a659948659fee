import type { HTMLElement } from 'node-html-parser';
import { type Exchange, headerOf, headersOf, type WireRequest } from '../../http/exchange.ts';
import { BudgetSpent } from '../../http/ledger.ts';
import type { Recorder } from '../../http/recorder.ts';
import { isClientAddress } from '../redirect-address.ts';
import type { AccountAreaPages, FillValue, FormPages, Selector } from '../target.ts';
import { CONTROLS, misledAt, shownCredentials } from './account-area.ts';
import { CookieJar } from './cookie-jar.ts';
import {
  actionOf,
  click,
  find,
  type HtmlPage,
  htmlPage,
  PageUnreadable,
  refresh,
  type Submission,
} from './html-form.ts';
import { type CredentialSource, credentialValue, elementOf } from './sign-in-values.ts';
import { ForeignOrigin } from './trusted-origins.ts';
import type {
  AuthorizeOptions,
  AuthorizeOutcome,
  CaughtRedirect,
  NewApplication,
  ShownCredentials,
  ShownPage,
  UserAgent,
} from './user-agent.ts';

/** More hops than this are an endless redirect. Browsers stop at 20. */
const MOST_HOPS = 20;

type Sending = Submission & { readonly holdsCredentials?: boolean };

interface Visit {
  readonly options: AuthorizeOptions;
  readonly jar: CookieJar;
  readonly recorder: Recorder;
  readonly pages: ShownPage[];
  readonly visited: string[];
}

type Referrer = Pick<CaughtRedirect, 'form'> & { readonly exchange: Exchange };

type Place =
  | { readonly at: 'page'; readonly page: HtmlPage }
  | { readonly at: 'client'; readonly caught: CaughtRedirect }
  | { readonly at: 'nowhere'; readonly trouble: string };

/**
 * A user agent without a browser or script: follows redirects, keeps cookies, submits forms. If a service's pages need
 * script, the caller falls back to the browser.
 */
export class FormAgent implements UserAgent {
  readonly kind = 'cookies';
  readonly #pages: FormPages;
  readonly #credentials: CredentialSource;
  readonly #serviceOrigins: readonly string[];
  #jar = new CookieJar();

  constructor(pages: FormPages, credentials: CredentialSource, serviceOrigins: readonly string[]) {
    this.#pages = pages;
    this.#credentials = credentials;
    this.#serviceOrigins = serviceOrigins;
  }

  useCookies(jar: CookieJar): void {
    this.#jar = jar;
  }

  async authorize(url: string, options: AuthorizeOptions, recorder: Recorder): Promise<AuthorizeOutcome> {
    const { elsewhere } = options;
    const signsIn = options.signedIn || elsewhere !== undefined;
    const jar = options.signedIn && elsewhere === undefined ? this.#jar : new CookieJar();
    const visit: Visit = { options, jar, recorder, pages: [], visited: [] };
    const openOtherTab = async () => {
      if (elsewhere?.otherTab === undefined) return;
      const request: Submission = { method: 'GET', url: elsewhere.otherTab };
      await this.#go({ ...visit, pages: [], visited: [] }, 'open a request in another tab', request);
    };
    // A service may keep the oldest request of a browser, or the newest.
    await openOtherTab();
    let place = await this.#go(visit, 'open the authorization address', { method: 'GET', url });
    await openOtherTab();
    const passwords = [elsewhere?.password, ...(elsewhere?.thenRight ? [undefined] : [])];
    for (const password of signsIn ? passwords : [])
      if (place.at === 'page' && find(place.page, this.#pages.signInForm))
        place = await this.#signIn(visit, place.page, password);
    if (signsIn) place = await this.#passInterstitials(visit, place);
    let decided = false;
    if (place.at === 'page' && options.decision !== 'view') {
      const selector = options.decision === 'grant' ? this.#pages.grant : this.#pages.deny;
      const button = selector && find(place.page, selector);
      const submission = button && click(place.page, button);
      if (submission) {
        decided = true;
        place = await this.#go(visit, options.decision, submission);
      }
    }
    return {
      ...(place.at === 'client' ? { caught: place.caught } : {}),
      ...(place.at === 'nowhere' ? { trouble: place.trouble } : {}),
      pages: visit.pages,
      visited: visit.visited,
      decided,
    };
  }

  async createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    const options: AuthorizeOptions = { decision: 'view', signedIn: true, redirectUris: [] };
    const visit: Visit = { options, jar: this.#jar, recorder, pages: [], visited: [] };
    let place = await this.#go(visit, 'open the account area', { method: 'GET', url });
    if (place.at === 'page' && find(place.page, this.#pages.signInForm))
      place = await this.#signIn(visit, place.page);
    const misled = (keys: readonly (keyof AccountAreaPages)[]) =>
      place.at === 'page' ? misledOn(place.page, visit.pages.at(-1)?.status ?? 0, area, keys) : undefined;
    const atFirst = misled(['open']);
    place = await this.#press(visit, place, area.open, 'open the form for a new application');
    const inForm = atFirst ?? misled(['name', 'redirectUris', 'submit']);
    if (place.at === 'page') {
      const name = find(place.page, area.name);
      const addresses = find(place.page, area.redirectUris);
      if (name) place.page.typed.set(name, wanted.name);
      if (addresses) place.page.typed.set(addresses, wanted.redirectUri);
    }
    place = await this.#press(visit, place, area.submit, 'create the application');
    if (place.at !== 'page')
      return {
        instead: place.at === 'nowhere' ? place.trouble : 'a redirect to a client',
        ...(inForm && { misled: inForm }),
      };
    const text = (selector: Selector) =>
      place.at === 'page' ? find(place.page, selector)?.text.trim() : undefined;
    const shown = shownCredentials(
      text(area.clientId),
      text(area.clientSecret),
      place.page.root.structuredText,
      wanted,
    );
    return inForm === undefined ? shown : { ...shown, misled: inForm };
  }

  async #passInterstitials(visit: Visit, first: Place): Promise<Place> {
    let place = first;
    for (const selector of this.#pages.interstitials ?? []) {
      if (place.at !== 'page' || find(place.page, this.#pages.grant)) return place;
      const element = find(place.page, selector);
      const submission = element && click(place.page, element);
      if (submission) place = await this.#go(visit, 'pass an interstitial', submission);
    }
    return place;
  }

  async #press(visit: Visit, place: Place, selector: Selector, purpose: string): Promise<Place> {
    if (place.at !== 'page') return place;
    const element = find(place.page, selector);
    const submission = element && click(place.page, element);
    if (submission === undefined) {
      return { at: 'nowhere', trouble: `the page has no ${JSON.stringify(selector)} to ${purpose}` };
    }
    return this.#go(visit, purpose, submission);
  }

  async #signIn(visit: Visit, first: HtmlPage, password?: string): Promise<Place> {
    let place: Place = { at: 'page', page: first };
    const typed = new Set<string>();
    for (const step of this.#pages.signIn) {
      if (place.at !== 'page') return place;
      const selector = elementOf(step);
      const element = find(place.page, selector);
      if (element === undefined) {
        return { at: 'nowhere', trouble: `the sign-in page has no ${JSON.stringify(selector)}` };
      }
      if ('fill' in step) {
        const trouble = await this.#type(place.page, element, step.with, password);
        if (trouble !== undefined) return { at: 'nowhere', trouble };
        if (typeof step.with === 'string') typed.add(place.page.typed.get(element) ?? '');
      }
      if (!('click' in step)) continue;
      const submission = click(place.page, element);
      if (submission === undefined) return { at: 'nowhere', trouble: 'the sign-in button submits no form' };
      place = await this.#go(visit, 'sign in', { ...submission, holdsCredentials: holds(submission, typed) });
    }
    return place;
  }

  /** Types a value. Returns the reason if the value may not be typed here or not again. */
  async #type(
    page: HtmlPage,
    field: HTMLElement,
    value: FillValue,
    password: string | undefined,
  ): Promise<string | undefined> {
    try {
      const place = { page: page.url, action: actionOf(page, field) };
      const { owner, beforePassword: _, ...others } = this.#credentials;
      const source =
        password === undefined ? this.#credentials : { ...others, owner: { ...owner, password } };
      page.typed.set(field, await credentialValue(value, source, place));
      return undefined;
    } catch (error) {
      if (error instanceof BudgetSpent || error instanceof ForeignOrigin) return error.message;
      throw error;
    }
  }

  async #go(visit: Visit, purpose: string, submission: Sending): Promise<Place> {
    let next: Sending = submission;
    let referrer: Referrer | undefined;
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      visit.visited.push(next.url);
      if (isClientAddress(next.url, visit.options.redirectUris, this.#serviceOrigins)) {
        return { at: 'client', caught: caughtAt(next.url, referrer) };
      }
      if (!/^https?:/.test(next.url)) return { at: 'nowhere', trouble: `sent to ${next.url}` };
      if (next.holdsCredentials && !this.#credentials.trusted.has(next.url)) {
        return {
          at: 'nowhere',
          trouble: this.#credentials.trusted.refusal(next.url, 'would be sent').message,
        };
      }
      const exchange = await visit.recorder.send(
        hop === 0 ? purpose : 'follow the redirect',
        this.#request(visit, next),
      );
      const response = exchange.response;
      if (response === undefined) return { at: 'nowhere', trouble: exchange.failure?.message ?? 'no answer' };
      for (const cookie of headersOf(response, 'set-cookie')) {
        visit.jar.set(cookie, next.url);
      }
      const location = headerOf(response, 'location');
      if (response.status < 300 || response.status > 399 || location === undefined) {
        const place = this.#shown(visit, next.url, exchange);
        const onward = this.#onward(visit, place, headerOf(response, 'refresh'));
        if (onward === undefined) return place;
        referrer = undefined;
        next = onward;
        continue;
      }
      if (!URL.canParse(location, next.url)) {
        return { at: 'nowhere', trouble: `redirected to an address that is none: ${location}` };
      }
      const url = new URL(location, next.url).href;
      const repeats = response.status === 307 || response.status === 308;
      const form = repeats ? 'repeated' : 'dropped';
      referrer = { exchange, ...(next.method === 'POST' && { form }) };
      next = repeats ? { ...next, url } : { method: 'GET', url };
    }
    return { at: 'nowhere', trouble: `still redirecting after ${MOST_HOPS} hops` };
  }

  /** Waits no longer for a page to lead on than the browser's agent. */
  #onward({ pages }: Visit, place: Place, header: string | undefined): Submission | undefined {
    if (place.at !== 'page' || pages.at(-1)?.shows !== 'other') return undefined;
    return refresh(place.page, this.#pages.settleMs / 1_000, header);
  }

  #request(visit: Visit, submission: Submission): WireRequest {
    const cookie = visit.jar.headerFor(submission.url);
    return {
      method: submission.method,
      url: submission.url.split('#')[0] ?? submission.url,
      headers: [
        ['Accept', 'text/html'],
        ...(cookie === '' ? [] : [['Cookie', cookie] as const]),
        ...(submission.body === undefined
          ? []
          : [
              ['Content-Type', 'application/x-www-form-urlencoded'] as const,
              ['Origin', new URL(submission.url).origin] as const,
            ]),
      ],
      body: submission.body,
    };
  }

  #shown(visit: Visit, url: string, { response }: Exchange): Place {
    const { status = 0, headers = [], body = '' } = response ?? {};
    const show = (shows: ShownPage['shows']) => visit.pages.push({ url, status, headers, shows });
    try {
      const page = htmlPage(url, body);
      const has = (selector: Selector) => find(page, selector) !== undefined;
      show(has(this.#pages.signInForm) ? 'sign-in' : has(this.#pages.grant) ? 'consent' : 'other');
      return { at: 'page', page };
    } catch (error) {
      if (!(error instanceof PageUnreadable)) throw error;
      show('other');
      return { at: 'nowhere', trouble: error.message };
    }
  }
}

function misledOn(
  page: HtmlPage,
  status: number,
  area: AccountAreaPages,
  keys: readonly (keyof AccountAreaPages)[],
) {
  const found = new Set(keys.filter((key) => key === 'path' || find(page, area[key]) !== undefined));
  const hasControls = page.root.querySelector(CONTROLS) !== null;
  return misledAt({ status, hasControls, found }, keys);
}

function holds({ url, body }: Submission, typed: ReadonlySet<string>): boolean {
  const fields = body === undefined ? new URL(url).searchParams : new URLSearchParams(body);
  return [...fields.values()].some((value) => typed.has(value));
}

function caughtAt(url: string, referrer: Referrer | undefined): CaughtRedirect {
  const response = referrer?.exchange.response;
  const location = response && headerOf(response, 'location');
  return { url, location, status: response?.status, form: referrer?.form };
}
