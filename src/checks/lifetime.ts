import type { Target } from '../targets/target.ts';

/** Lifetime of an access token in seconds (clauses 2.1 and 8). */
export const LIFETIME = 7200;

/** Seconds before and after a deadline within which nothing is judged: clocks differ, and requests take time. */
export const SLACK = 10;

/** A moment of a check, in seconds after its beginning: exact, or as far from a deadline as clocks may differ. */
export type Moment = number | { readonly before: number } | { readonly past: number };

/** The seconds of a moment, for a service whose clock may differ by some seconds. */
export function secondsOf(moment: Moment, skewSeconds: number): number {
  if (typeof moment === 'number') return moment;
  const slack = Math.max(SLACK, skewSeconds);
  return 'before' in moment ? moment.before - slack : moment.past + slack;
}

/** Seconds before the end, and after it, at which a clock that stands still between moves can tell. */
export const LAST_SECOND = 1;
export const NEXT_SECONDS = 2;

/** Whether no second passes by itself: the clock of the service is moved, and its parts are said to have one time. */
export function tellsSeconds({ kind, clock, skewSeconds }: Target): boolean {
  return kind === 'emulator' && clock !== undefined && skewSeconds === 0;
}
