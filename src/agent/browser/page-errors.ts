import { Aborted } from '../../exchange/exchange.ts';

/** Thrown when a page leads nowhere. The message has the expectation, the page's content and the fix. */
export class PageTrouble extends Error {
  override readonly name = 'PageTrouble';
}

export class PageSilent extends PageTrouble {}

/** Error classes that only bugs in the suite raise: page problems arrive as the driver's own errors. */
const OWN_FAULTS = [TypeError, ReferenceError, SyntaxError, RangeError, EvalError, URIError];

/**
 * Returns true if an error is the page's fault, not the suite's. Pages can make the driver fail in more ways than can
 * be listed.
 */
export function isPageTrouble(error: unknown): error is Error {
  return error instanceof Error && ![Aborted, ...OWN_FAULTS].some((other) => error instanceof other);
}

/** Drops the runner's log of attempts, which follows the first line. */
export function firstLine(error: Error): string {
  return error.message.split('\n')[0] ?? error.message;
}
