import { jsonOf, type Transport, TransportFailure, type WireRequest, type WireResponse } from './exchange.ts';

/** How much of something one run may use. */
export interface RequestBudget {
  readonly requests: number;
  /** Refusals of client credentials at the token endpoint. */
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

/** What may still be sent after the last request of the budget, so that the suite's own users get unassigned. */
const RESERVE_FOR_PUTTING_BACK = 100;

/**
 * A transport that stops a run before it does harm: after so many requests, and after so many refused client
 * authentications, which services count against a client. Unassigning, and reading lists to see what is left, goes on.
 *
 * Rejects with {@link BudgetSpent}.
 */
export function budgetedTransport(inner: Transport, budget: RequestBudget): Transport {
  let requests = 0;
  let refused = 0;
  return async (request) => {
    const limit = budget.requests + (putsBack(request) ? RESERVE_FOR_PUTTING_BACK : 0);
    if (requests >= limit) throw new BudgetSpent('requests', budget.requests, 'requests');
    if (isTokenRequest(request) && refused >= budget.refusedAuthentications) {
      throw new BudgetSpent(
        'refusedAuthentications',
        budget.refusedAuthentications,
        'refusals of client credentials',
      );
    }
    requests += 1;
    const response = await inner(request);
    if (isTokenRequest(request) && refusesClient(response)) refused += 1;
    return response;
  };
}

function putsBack({ method, url }: WireRequest): boolean {
  return method === 'DELETE' || (method === 'GET' && pathOf(url).endsWith('/assigned_users'));
}

function isTokenRequest({ method, url }: WireRequest): boolean {
  return method === 'POST' && pathOf(url).endsWith('/oauth/token');
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** RFC 6749 section 5.2: `invalid_client`, with 401 or 400. */
function refusesClient(response: WireResponse): boolean {
  if (response.status === 401) return true;
  const json = jsonOf(response);
  return typeof json === 'object' && json !== null && 'error' in json && json.error === 'invalid_client';
}
