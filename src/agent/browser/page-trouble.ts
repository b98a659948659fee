import { BudgetSpent } from '../../exchange/budget.ts';
import { ForeignOrigin } from '../trusted-origins.ts';

/** A page did not lead on. The message says what was expected, what was shown, and what to do. */
export class PageTrouble extends Error {
  override readonly name = 'PageTrouble';
}

/** Whether an error says something about the page, and not that the suite is at fault. */
export function isPageTrouble(error: unknown): error is Error {
  if (error instanceof BudgetSpent || error instanceof PageTrouble || error instanceof ForeignOrigin)
    return true;
  return error instanceof Error && /net::|Timeout|Navigation|interrupted/i.test(error.message);
}

/** The first line of an error: what follows is the runner's log of its attempts. */
export function firstLine(error: Error): string {
  return error.message.split('\n')[0] ?? error.message;
}
