import type { Header, TransportFailure } from '../../http/exchange.ts';
import type { Recorder } from '../../http/recorder.ts';
import type { AccountAreaPages, ConfigurationFinding } from '../target.ts';

/** `view` shows the page and does nothing. */
export type Decision = 'grant' | 'deny' | 'view';

export interface ShownPage {
  readonly url: string;
  readonly status: number;
  readonly headers: readonly Header[];
  readonly shows: 'sign-in' | 'consent' | 'other';
}

export interface CaughtRedirect {
  readonly url: string;
  /** The raw `Location` header, fragment included; absent when a page navigated by itself. */
  readonly location?: string;
  /** Status of the redirect; absent when a page navigated by itself. */
  readonly status?: number;
  /** A browser repeats the form after 307 and 308. Absent if the redirect did not answer a form. */
  readonly form?: 'dropped' | 'repeated';
}

export interface AuthorizeOutcome {
  readonly caught?: CaughtRedirect;
  readonly pages: readonly ShownPage[];
  readonly visited: readonly string[];
  readonly decided: boolean;
  /** The service did not answer or the network failed: the outcome is inconclusive. */
  readonly trouble?: string;
  /** The page that the service showed in place of a redirect or of a form, in words. */
  readonly instead?: string;
  /** The reason of `trouble` or `instead`; absent if the suite knows none. */
  readonly cause?: PageCause | undefined;
  /** The trouble and its fix apart. */
  readonly finding?: ConfigurationFinding | undefined;
  /** The beginning of the page that refused the request. */
  readonly says?: string;
}

/** An outcome that is inconclusive. */
export type Troubled = Pick<AuthorizeOutcome, 'cause' | 'finding'> & { readonly trouble: string };

/** The settings that may not fit a page which the service showed: the service refuses nothing then. */
const MISFITS = ['authUrl', 'signIn.form', 'consent.grant'] as const;

/** True if a page came that no setting fits: the service has refused nothing. */
export function isSettingMisfit(cause: unknown): boolean {
  return MISFITS.some((one) => one === cause);
}

/** The reason why pages led to no redirect to the client. */
export type PageCause =
  | (typeof MISFITS)[number]
  | 'request refused'
  | 'no form'
  | 'covered'
  | 'form-action'
  | 'other window'
  | 'framed'
  /** The page asks for what only a person can give. */
  | 'needs a person'
  /** A connection that failed, or the suite's own stop behind several. */
  | TransportFailure;

/** Another browser, without a session at first. */
export interface OtherBrowser {
  /**
   * An authorization request that a second tab opens before the owner signs in. The document leaves open which of the two a
   * sign-in continues (clause 4.1).
   */
  readonly otherTab?: string;
  readonly password?: string;
  /** True: the owner types the right password where the page comes again. */
  readonly thenRight?: boolean;
  /** True: right before, the same visit gave a code for another address, so a page in place of a redirect is a refusal. */
  readonly proven?: true;
}

export interface AuthorizeOptions {
  readonly decision: Decision;
  readonly signedIn: boolean;
  /** A visitor who is not signed in opens the address once more, with the cookies of the first page. */
  readonly opensTwice?: true | undefined;
  /** Asks for the address so, with the browser's cookies alone. Absent: GET. */
  readonly method?: 'HEAD' | undefined;
  /** The owner signs in there. Absent: the browser of the run. */
  readonly elsewhere?: OtherBrowser;
  readonly redirectUris: readonly string[];
  readonly pause?: Pause | undefined;
  /** Another tab opens a further request meanwhile: a service may then refuse this one. */
  readonly overtaken?: true | undefined;
}

/** Called while a page is open, before its form is sent: the owner takes a while. */
type Pause = (page: 'sign-in' | 'consent') => Promise<void>;

export interface ShownCredentials {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The page's text. */
  readonly page?: string;
  /** Short description of the page if a credential was missing; empty if both were shown. */
  readonly instead: string;
  /** No answer, or a click that failed: it proves nothing. */
  readonly trouble?: string;
  readonly cause?: PageCause | undefined;
  /** The key of `accountArea` that does not fit the page, although the page offers similar elements. */
  readonly misled?: keyof AccountAreaPages;
}

export interface NewApplication {
  readonly name: string;
  readonly redirectUri: string;
}

export interface UserAgent {
  readonly kind: 'page' | 'cookies';
  authorize(url: string, options: AuthorizeOptions, recorder: Recorder): Promise<AuthorizeOutcome>;
  createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials>;
}

export function redirectParameters(caught: CaughtRedirect) {
  const hash = fragmentOf(caught.location) ?? fragmentOf(caught.url) ?? '';
  // Careless services append a query to an address that already has a fragment.
  const fragment = new URLSearchParams(hash.replaceAll('?', '&'));
  return { query: new URL(caught.url).searchParams, fragment };
}

/** Returns true if the browser was redirected to an address, whatever the query. */
export function reaches({ caught }: AuthorizeOutcome, address: string): boolean {
  return caught?.url.split(/[?#]/)[0] === address.split(/[?#]/)[0];
}

function fragmentOf(address: string | undefined): string | undefined {
  const at = address?.indexOf('#') ?? -1;
  return at < 0 ? undefined : address?.slice(at + 1);
}
