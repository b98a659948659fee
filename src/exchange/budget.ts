import type { Transport } from './exchange.ts';
import { Ledger, type RequestBudget } from './ledger.ts';

export { BudgetSpent } from './ledger.ts';

/**
 * A transport that stops a run before it does harm: after so many requests, after so many seconds, and after so many
 * refused client authentications, which services count against a client. Unassigning, and reading lists to see what is
 * left, goes on for a while.
 *
 * Rejects with `BudgetSpent` or `ClientRefused`.
 *
 * @param ledger counts; a new one unless something else is to be counted with it
 */
export function budgetedTransport(
  inner: Transport,
  budget: RequestBudget,
  ledger: Ledger = new Ledger(budget),
): Transport {
  return async (request, signal) => {
    ledger.admit(request);
    const response = await inner(request, signal);
    ledger.answered(request, response);
    return response;
  };
}
