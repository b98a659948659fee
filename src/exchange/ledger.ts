import { jsonOf, type Transport, TransportFailure, type WireRequest, type WireResponse } from './exchange.ts';

export interface RequestBudget {
  /** Requests, those of the browser included. */
  readonly requests: number;
  /** Refusals of client credentials at the token endpoint. */
  readonly refusedAuthentications: number;
  /** Seconds from the first request; for ever when absent. */
  readonly seconds?: number;
}

export interface RunUsage {
  /** Requests, those of the browser included. */
  readonly requests: number;
  readonly browserRequests: number;
  readonly refusedAuthentications: number;
}

/**
 * Something that one run may use only so much of is used up, so nothing was sent. A failure of transport, because for
 * what wanted to send it nothing can be said: it is not run.
 */
export class BudgetSpent extends TransportFailure {
  /** The key under `budget` in the configuration. */
  readonly budget: string;

  constructor(budget: string, limit: number, what: string) {
    super('not-sent', `not sent: this run has used its ${limit} ${what} (\`budget.${budget}\`)`);
    this.name = 'BudgetSpent';
    this.budget = budget;
  }
}

/**
 * The client's own, right credentials are refused again and again: whoever goes on asking gets the client locked. Nothing
 * was sent.
 */
export class ClientRefused extends TransportFailure {
  constructor() {
    super(
      'not-sent',
      `not sent: the token endpoint refused the client's own credentials ${OWN_REFUSALS_IN_A_ROW} times in a row, as one does that has locked it`,
    );
    this.name = 'ClientRefused';
  }
}

/** Client id and secret of an application. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Sent after the last request of the budget at most, so that own users get unassigned. */
const RESERVE_FOR_PUTTING_BACK = 100;

/**
 * Exchanges of codes with right credentials that may still be sent after the last refusal of the budget: own users are unassigned with
 * what they yield, where refusals have ended every token.
 */
const RESERVED_EXCHANGES = 5;

/**
 * Refusals in a row, of right credentials, at which nothing more is sent to the token endpoint. A check of wrong codes gets
 * a dozen at most, where the service calls them `invalid_client` too.
 */
const OWN_REFUSALS_IN_A_ROW = 15;

/** Counts what a run sends, and says when it has been enough. */
export class Ledger {
  readonly #budget: RequestBudget;
  readonly #own: readonly ClientCredentials[];
  readonly #now: () => number;
  #requests = 0;
  #browserRequests = 0;
  #refused = 0;
  #ownRefusedInARow = 0;
  #reservedSent = 0;
  #endsAt: number | undefined;
  #extraMs = 0;

  /**
   * @param own credentials that the service should know
   * @param now milliseconds
   */
  constructor(
    budget: RequestBudget,
    own: readonly ClientCredentials[] = [],
    now: () => number = () => performance.now(),
  ) {
    this.#budget = budget;
    this.#own = own;
    this.#now = now;
  }

  get used(): RunUsage {
    return {
      requests: this.#requests + this.#browserRequests,
      browserRequests: this.#browserRequests,
      refusedAuthentications: this.#refused,
    };
  }

  /** Adds to the time that the run may take: somebody asked for a wait. */
  allowSeconds(seconds: number): void {
    this.#extraMs += seconds * 1_000;
  }

  /**
   * The transport, ended before it does harm: after so many requests or seconds, and after so many refused client authentications,
   * which services count against a client. Unassigning, and reading lists, goes on for a while.
   */
  guard(inner: Transport): Transport {
    return async (request, signal) => {
      this.admit(request);
      const response = await inner(request, signal);
      this.answered(request, response);
      return response;
    };
  }

  /** Counts a request that is about to be sent. Throws {@link BudgetSpent} or {@link ClientRefused} when it may not be. */
  admit(request: WireRequest): void {
    const reserve = putsBack(request) ? RESERVE_FOR_PUTTING_BACK : 0;
    this.#demandRequests(reserve);
    if (reserve === 0) this.#demandTime();
    if (isTokenRequest(request)) {
      const { refusedAuthentications: most } = this.#budget;
      if (this.#refused >= most && !this.#isReserved(request))
        throw new BudgetSpent('refusedAuthentications', most, 'refusals of client credentials');
      if (this.#ownRefusedInARow >= OWN_REFUSALS_IN_A_ROW) throw new ClientRefused();
    }
    this.#requests += 1;
  }

  /** Throws {@link BudgetSpent} when the browser may not be sent anywhere any more. */
  admitBrowser(): void {
    this.#demandRequests(0);
    this.#demandTime();
  }

  /** Counts a request that the browser has sent. */
  browserRequested(): void {
    this.#browserRequests += 1;
  }

  /** Looks at an answer for a refusal of the client. */
  answered(request: WireRequest, response: WireResponse): void {
    if (!isTokenRequest(request)) return;
    const error = errorOf(response);
    const refused = error === 'invalid_client';
    // Some services answer 401 to a code that they refuse, too, and say so.
    if (refused || (response.status === 401 && typeof error !== 'string')) this.#refused += 1;
    if (!this.#isOwn(request)) return;
    this.#ownRefusedInARow = refused ? this.#ownRefusedInARow + 1 : 0;
  }

  #demandRequests(reserve: number): void {
    const { requests } = this.#budget;
    if (this.used.requests >= requests + reserve) throw new BudgetSpent('requests', requests, 'requests');
  }

  #demandTime(): void {
    const { seconds } = this.#budget;
    if (seconds === undefined) return;
    const now = this.#now();
    this.#endsAt ??= now + seconds * 1_000;
    if (now >= this.#endsAt + this.#extraMs) throw new BudgetSpent('seconds', seconds, 'seconds');
  }

  #isReserved(request: WireRequest): boolean {
    const yieldsToken = this.#isOwn(request) && (request.body ?? '').includes('authorization_code');
    if (!yieldsToken || this.#reservedSent >= RESERVED_EXCHANGES) return false;
    this.#reservedSent += 1;
    return true;
  }

  #isOwn(request: WireRequest): boolean {
    const sent = credentialsIn(request);
    return this.#own.some(
      ({ clientId, clientSecret }) => sent?.clientId === clientId && sent.clientSecret === clientSecret,
    );
  }
}

/** Returns whether a request unassigns, or looks who is assigned. */
export function putsBack({ method, url }: WireRequest): boolean {
  return method === 'DELETE' || (method === 'GET' && pathOf(url).endsWith('/assigned_users'));
}

function isTokenRequest({ method, url }: WireRequest): boolean {
  return method === 'POST' && pathOf(url).endsWith('/oauth/token');
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** RFC 6749 section 5.2. */
function errorOf(response: WireResponse): unknown {
  const json = jsonOf(response);
  return typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
}

/** Client id and secret of a token request: in the form, in JSON, or by HTTP Basic. */
function credentialsIn({ headers, body = '' }: WireRequest): Partial<ClientCredentials> | undefined {
  const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
    return { clientId: decoded.get('id') ?? '', clientSecret: decoded.get('secret') ?? '' };
  }
  const { client_id, client_secret } = body.startsWith('{')
    ? ((jsonOf({ status: 0, headers: [], body, bytes: 0 }) as Record<string, string> | undefined) ?? {})
    : Object.fromEntries(new URLSearchParams(body));
  if (client_id === undefined || client_secret === undefined) return undefined;
  return { clientId: client_id, clientSecret: client_secret };
}
