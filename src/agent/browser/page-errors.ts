import { Aborted } from '../../exchange/exchange.ts';

/** A page did not lead on. The message says what was expected, what was shown, and what to do. */
export class PageTrouble extends Error {
  override readonly name = 'PageTrouble';
}

/** A page did not answer in time, whatever it was asked. */
export class PageSilent extends PageTrouble {}

/** Errors that only code of ours can raise: whatever goes wrong with a page comes as one of the driver's own. */
const OWN_FAULTS = [TypeError, ReferenceError, SyntaxError, RangeError, EvalError, URIError];

/**
 * Returns whether an error says something about the page, and not that the suite is at fault. Pages can make the driver fail in more ways than
 * can be listed: they end, load something that is no page, close themselves, throw from the functions that the suite calls.
 */
export function isPageTrouble(error: unknown): error is Error {
  return error instanceof Error && ![Aborted, ...OWN_FAULTS].some((other) => error instanceof other);
}

/** The first line of an error: what follows is the runner's log of its attempts. */
export function firstLine(error: Error): string {
  return error.message.split('\n')[0] ?? error.message;
}
