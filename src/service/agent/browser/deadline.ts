import { Aborted, withinMs } from '../../../http/exchange.ts';
import type { Unreachable } from '../../../http/unreachable.ts';
import type { ConfigurationFinding, Target } from '../../target.ts';
import type { PageCause } from '../user-agent.ts';

/** Thrown when a page leads nowhere. */
export class PageTrouble extends Error {
  override readonly name = 'PageTrouble';
  override readonly cause: PageCause | undefined;
  /** The observation and the fix apart; absent without a fix. */
  readonly finding: ConfigurationFinding | undefined;

  /** @param observed the expectation and the page's content */
  constructor(observed: string, remedy?: string, cause?: PageCause) {
    super(remedy === undefined ? observed : `${observed}; ${remedy}`);
    this.finding = remedy === undefined ? undefined : { observed, remedy };
    this.cause = cause;
  }
}

export class PageSilent extends PageTrouble {}

/** Error classes that only bugs in the suite raise: page problems arrive as the driver's own errors. */
const OWN_FAULTS = [TypeError, ReferenceError, SyntaxError, RangeError, EvalError, URIError];

/** Returns true if an error is the page's fault, not the suite's: pages can make the driver fail in countless ways. */
export function isPageTrouble(error: unknown): error is Error {
  return error instanceof Error && ![Aborted, ...OWN_FAULTS].some((other) => error instanceof other);
}

/** Returns the failed connection that kept a page from opening; undefined if the driver says something else. */
export function connectionIn({ message }: Error, { unreached }: Target): Unreachable | undefined {
  const [, code, address] = /net::(ERR_\w+) at (\S+)/.exec(message.split('\n')[0] ?? '') ?? [];
  if (code === undefined || address === undefined || !URL.canParse(address)) return undefined;
  return unreached(address, code);
}

/** Says what a page did in plain words: without the driver's names, and without its log of attempts behind the first line. */
export function firstErrorLine({ message }: Error): string {
  const [line = message] = message.split('\n');
  const [, call, ms] = /^(?:page|locator|frame)\.(\w+): Timeout (\d+)ms exceeded/.exec(line) ?? [];
  if (ms === undefined) return line.replace(/^(?:page|locator|frame)\.\w+: /, '');
  return call === 'goto'
    ? `the page did not load within ${ms} ms`
    : `the page did not let the suite ${call} within ${ms} ms`;
}

const CLOSING_MS = 2_000;

const DRIVER_GRACE_MS = 2_000;

/** Limits the time for reading a page, on which the driver waits without limit. @throws PageSilent */
export function withPageDeadline<T>(look: Promise<T>, deadlineMs: number, doing: string): Promise<T> {
  const late = `the page did not answer within ${deadlineMs} ms while the suite ${doing}: a script keeps it busy, or it is too large`;
  return withinMs(look, deadlineMs, () => new PageSilent(late));
}

/** Like {@link withPageDeadline}, a little later than the driver, whose error for the same deadline is better. */
export function withDriverDeadline<T>(call: Promise<T>, deadlineMs: number, doing: string): Promise<T> {
  return withPageDeadline(call, deadlineMs + DRIVER_GRACE_MS, doing);
}

export async function settles(ending: Promise<unknown>): Promise<boolean> {
  const ended = ending.then(
    () => true,
    () => true,
  );
  return withPageDeadline(ended, CLOSING_MS, 'let go of it').catch(() => false);
}

export async function closeQuietly(thing: { close(): Promise<void> }): Promise<void> {
  await settles(thing.close());
}
