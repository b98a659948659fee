import type { components } from '../generated/openapi.d.ts';
import type { TokenStore } from './store/token-store.ts';

export interface ClientOptions {
  /** `{auth_url}`: address of the authorization server, without `/oauth`. */
  readonly authUrl: string;
  /** `{base_url}`: address of the resource API, without `/v2`. */
  readonly baseUrl: string;
  /** Client id of the application, as the account area shows it (clause 1). */
  readonly clientId: string;
  /** Client secret of the application. Treat it like a password (clause 4.2): environment variable, not source. */
  readonly clientSecret: string;
  /** Redirect address, exactly as it is authorized for the application (clause 4.1). */
  readonly redirectUri: string;
  /** Store for the tokens of *one* user: `memoryStore()`, `fileStore(path)` or your own. */
  readonly store: TokenStore;
  /** Clock: milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds for one request, until the last byte of the answer. Default 10,000. */
  readonly deadlineMs?: number;
  /** An access token counts as expired this many seconds before its expiry. Default 60. */
  readonly expiryLeewaySeconds?: number;
  /** Puts the access token into a request; the document does not show how (clause 5.6). Default {@link bearerHeader}. */
  readonly presentToken?: TokenPresentation;
  /**
   * Finds the users in the answer of list, whose shape the document does not show (clause 4.4). Default {@link
   * readAssignedUsers}.
   */
  readonly readList?: ReadList;
  /** Sends a request. Default the global `fetch`, looked up at each call. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export type Settings = Required<ClientOptions>;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError naming the option, without its value
 */
export function settingsFrom(options: ClientOptions): Settings {
  return {
    authUrl: address('authUrl', options.authUrl),
    baseUrl: address('baseUrl', options.baseUrl),
    clientId: text('clientId', options.clientId),
    clientSecret: text('clientSecret', options.clientSecret),
    redirectUri: text('redirectUri', options.redirectUri),
    store: storeIn(options),
    now: options.now ?? Date.now,
    deadlineMs: atLeast('deadlineMs', options.deadlineMs ?? 10_000, Number.MIN_VALUE),
    expiryLeewaySeconds: atLeast('expiryLeewaySeconds', options.expiryLeewaySeconds ?? 60, 0),
    presentToken: options.presentToken ?? bearerHeader,
    readList: options.readList ?? readAssignedUsers,
    // Not `globalThis.fetch` itself: a later replacement (a mock, a tracer) would have no effect.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
  };
}

function address(option: string, value: string): string {
  const url = URL.parse(value);
  const good =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  if (!good) {
    throw new TypeError(
      `${option}: expected an absolute http or https address without credentials, query or fragment, such as https://auth.example`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

function text(option: string, value: string): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${option}: expected a text that is not empty`);
  return value;
}

function storeIn({ store }: ClientOptions): TokenStore {
  if (typeof store?.read === 'function') return store;
  throw new TypeError('store: expected a store of tokens, such as memoryStore() or fileStore(path)');
}

function atLeast(option: string, value: number, least: number): number {
  if (value >= least && Number.isFinite(value)) return value;
  throw new TypeError(`${option}: expected a number ${least === 0 ? 'from 0 on' : 'above 0'}`);
}

/**
 * Puts an access token into a request for the resource API: gets the request without a token, returns the one to send. The
 * document does not show how (clause 5.6); write your own if neither of these fits.
 */
export type TokenPresentation = (request: Request, accessToken: string) => Request;

/** `Authorization: Bearer …` (RFC 6750 section 2.1). */
export const bearerHeader: TokenPresentation = (request, accessToken) => {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
};

/** A query parameter (RFC 6750 section 2.3). Use it only if the service accepts nothing else: every proxy may log addresses. */
export function queryParameter(name = 'access_token'): TokenPresentation {
  return (request, accessToken) => {
    const url = new URL(request.url);
    url.searchParams.set(name, accessToken);
    return new Request(url, request);
  };
}

/** A record of the list. The document does not show its fields (clause 2.3). */
export type AssignedUser = components['schemas']['AssignedUser'];

/**
 * Finds the assigned users in the JSON body of list, whose shape the document does not show (clause 4.4). Returns undefined for a
 * body without a list.
 */
export type ReadList = (body: unknown) => readonly AssignedUser[] | undefined;

/**
 * Tolerant reading: an array, or an object that holds exactly one array (`{"assigned_users": […]}`). An object with
 * `error` or `errors` is no list, whatever its status.
 */
export const readAssignedUsers: ReadList = (body) => {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null || 'error' in body || 'errors' in body) return undefined;
  const arrays = Object.values(body).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? arrays[0] : undefined;
};
