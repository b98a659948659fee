import type { Header } from '../exchange/exchange.ts';
import type { Recorder } from '../exchange/recorder.ts';
import type { AccountAreaPages } from '../targets/page-actions.ts';

/** `leave` shows the page and does nothing. */
export type Decision = 'grant' | 'deny' | 'leave';

/** A page that was shown on the way. */
export interface ShownPage {
  readonly url: string;
  readonly status: number;
  readonly headers: readonly Header[];
  readonly shows: 'sign-in' | 'consent' | 'other';
}

/** The navigation to a redirect address, caught before it reached that host. */
export interface CaughtRedirect {
  /** The address with its query, as the browser was sent to it. */
  readonly url: string;
  /** The `Location` header as it was on the wire, fragment included; absent when a page navigated by itself. */
  readonly location?: string;
  /** Status of the answer that redirected; absent when a page navigated by itself. */
  readonly status?: number;
  /** What became of the form that the redirect was the answer to: a browser repeats it after 307 and 308. Absent where it was no form's. */
  readonly form?: 'dropped' | 'repeated';
}

/** What came of sending the browser to the authorization address (clause 4.1). */
export interface AuthorizeOutcome {
  /** The redirect to the client, when there was one. */
  readonly caught?: CaughtRedirect;
  /** Pages shown, oldest first. */
  readonly pages: readonly ShownPage[];
  /** Every address that the user agent was sent to, oldest first, the caught one included. */
  readonly visited: readonly string[];
  /** True if the owner was asked and the decision was carried out. */
  readonly decided: boolean;
  /** The service did not answer, or the network failed: it could not be evaluated. */
  readonly trouble?: string;
  /** What the last page offers in words, names only, where it is neither an error, nor a form that the suite knows. */
  readonly offered?: string;
}

export interface AuthorizeOptions {
  readonly decision: Decision;
  /** False: nobody is signed in and nobody signs in. */
  readonly signedIn: boolean;
  /** Addresses whose hosts belong to clients, to be caught and never reached. */
  readonly redirectUris: readonly string[];
}

/** What the account area showed after the form for a new application was sent (clauses 1 and 5.2). */
export interface ShownCredentials {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** What was shown in their place, in a few words; empty when both were there. */
  readonly instead: string;
  /** The key of `accountArea` that leads nowhere on a page that offers other things of the kind. */
  readonly misled?: keyof AccountAreaPages;
}

export interface NewApplication {
  readonly name: string;
  readonly redirectUri: string;
}

/** Walks the service's pages as the owner's browser does. */
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

/** Parameters of a caught redirect, query and fragment apart. */
export function redirectParameters(caught: CaughtRedirect): {
  query: URLSearchParams;
  fragment: URLSearchParams;
} {
  const hash = fragmentOf(caught.location) ?? fragmentOf(caught.url) ?? '';
  // To an address that has a fragment already, careless services add a query behind it.
  return {
    query: new URL(caught.url).searchParams,
    fragment: new URLSearchParams(hash.replaceAll('?', '&')),
  };
}

function fragmentOf(address: string | undefined): string | undefined {
  const at = address?.indexOf('#') ?? -1;
  return at < 0 ? undefined : address?.slice(at + 1);
}
