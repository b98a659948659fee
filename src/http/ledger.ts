import type { ResultsUsed } from '../../generated/schemas.d.ts';
import { memberOf } from './answer-body.ts';
import {
  headerOf,
  isListRequest,
  isTokenRequest,
  jsonOf,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';
import { toleratedFaultOf } from './tolerated-faults.ts';

export interface RequestBudget {
  /** Includes the browser's requests. */
  readonly requests: number;
  readonly refusedAuthentications: number;
  /** Seconds from the first request; unlimited if absent. */
  readonly seconds?: number;
}

/** A budget of the run is spent, so nothing was sent. As a transport failure it makes the check `not-run`. */
export class BudgetSpent extends TransportFailure {
  constructor(budget: string, limit: number, what: string) {
    super('not-sent', `not sent: this run has used its ${limit} ${what} (\`budget.${budget}\`)`);
    this.name = 'BudgetSpent';
  }
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Maximum number of requests after the budget is spent, for unassigning own users. */
const CLEAN_UP_RESERVE = 100;

/** Exchanges with correct credentials beyond the refusal budget: unassigning needs a token, and refusals may have ended all. */
const RESERVED_EXCHANGES = 5;

/** Refusals of correct credentials in a row that stop token requests. A check of wrong codes gets a dozen at most. */
const OWN_REFUSALS_IN_A_ROW = 15;

const CLIENT_REFUSED = `not sent: the token endpoint refused the client's own credentials ${OWN_REFUSALS_IN_A_ROW} times in a row, as one does that has locked it`;

export class Ledger {
  readonly #budget: RequestBudget;
  readonly #own: readonly ClientCredentials[];
  readonly #now: () => number;
  #requests = 0;
  #browserRequests = 0;
  #refused = 0;
  readonly #toleratedFaults: Partial<ResultsUsed> = {};
  #ownRefusedInARow = 0;
  #reservedSent = 0;
  #endsAt: number | undefined;
  #extraMs = 0;
  /** Requests kept for the end of the run; undefined once it has begun. */
  #keptForEnd: number | undefined = 0;

  constructor(
    budget: RequestBudget,
    own: readonly ClientCredentials[] = [],
    now: () => number = () => performance.now(),
  ) {
    this.#budget = budget;
    this.#own = own;
    this.#now = now;
  }

  get used(): ResultsUsed {
    return {
      requests: this.#requests + this.#browserRequests,
      browserRequests: this.#browserRequests,
      refusedAuthentications: this.#refused,
      ...this.#toleratedFaults,
    };
  }

  get requestsLeft(): number {
    return Math.max(0, this.#budget.requests - this.used.requests);
  }

  /** Keeps requests for the end of the run, which releases the lock with a token of its own. */
  keepForEnd(requests: number): void {
    if (this.#keptForEnd !== undefined) this.#keptForEnd = requests;
  }

  /** From now on requests may use what was kept, and the time that they need. */
  beginEnd(): void {
    this.#keptForEnd = undefined;
  }

  allowSeconds(seconds: number): void {
    this.#extraMs += seconds * 1_000;
  }

  /**
   * Blocks requests after the limits for requests, seconds and refused client authentications, which may lock a client.
   * Unassigning and reading lists continue for a while.
   */
  guard(inner: Transport): Transport {
    return async (request, signal) => {
      this.admit(request);
      const response = await inner(request, signal);
      this.answered(request, response);
      return response;
    };
  }

  admit(request: WireRequest): void {
    const reserve = isCleanUp(request) ? CLEAN_UP_RESERVE : 0;
    this.#demandRequests(reserve);
    if (reserve === 0) this.#demandTime();
    if (isTokenRequest(request)) {
      const { refusedAuthentications: most } = this.#budget;
      if (this.#refused >= most && !this.#isReserved(request))
        throw new BudgetSpent('refusedAuthentications', most, 'refusals of client credentials');
      if (this.#ownRefusedInARow >= OWN_REFUSALS_IN_A_ROW)
        throw new TransportFailure('not-sent', CLIENT_REFUSED);
    }
    this.#requests += 1;
  }

  admitBrowser(): void {
    this.#demandRequests(0);
    this.#demandTime();
  }

  browserRequested(): void {
    this.#browserRequests += 1;
  }

  answered(request: WireRequest, response: WireResponse): void {
    const fault = toleratedFaultOf(request, response);
    if (fault !== undefined) this.#toleratedFaults[fault] = (this.#toleratedFaults[fault] ?? 0) + 1;
    if (!isTokenRequest(request)) return;
    const error = memberOf(response, 'error');
    const refused = error === 'invalid_client';
    const isOwn = this.#isOwn(request);
    // Some services also answer 401 to a code that they refuse, with an `error` or a page.
    if (refused || (response.status === 401 && typeof error !== 'string' && !isOwn)) this.#refused += 1;
    if (!isOwn) return;
    this.#ownRefusedInARow = refused ? this.#ownRefusedInARow + 1 : 0;
  }

  #demandRequests(reserve: number): void {
    const { requests } = this.#budget;
    // A small budget is not kept whole: then the run could send nothing.
    const kept = Math.min(this.#keptForEnd ?? 0, Math.floor(requests / 4));
    if (this.used.requests >= requests + reserve - kept)
      throw new BudgetSpent('requests', requests, 'requests');
  }

  #demandTime(): void {
    const { seconds } = this.#budget;
    if (seconds === undefined || this.#keptForEnd === undefined) return;
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
      ({ clientId, clientSecret }) => sent.clientId === clientId && sent.clientSecret === clientSecret,
    );
  }
}

export function isCleanUp(request: WireRequest): boolean {
  return request.method === 'DELETE' || isListRequest(request);
}

function credentialsIn(request: WireRequest): Partial<ClientCredentials> {
  const { body = '' } = request;
  const basic = /^basic +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1];
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
    return { clientId: decoded.get('id') ?? '', clientSecret: decoded.get('secret') ?? '' };
  }
  const { client_id, client_secret } = body.startsWith('{')
    ? ((jsonOf({ status: 0, headers: [], body, bytes: 0 }) as Record<string, string> | undefined) ?? {})
    : Object.fromEntries(new URLSearchParams(body));
  return { clientId: client_id, clientSecret: client_secret };
}
