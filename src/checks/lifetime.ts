import type { Target } from '../targets/target.ts';

/** Lifetime of an access token in seconds (clauses 2.1 and 8). */
export const LIFETIME = 7200;

/** Seconds before and after a deadline within which nothing is judged: clocks differ, and requests take time. */
export const SLACK = 10;

/** Seconds before the end, and after it, at which a clock that stands still between moves can tell. */
export const LAST_SECOND = 1;
export const NEXT_SECONDS = 2;

/** Whether no second passes by itself: the clock of the service is moved, and its parts are said to have one time. */
export function tellsSeconds({ kind, clock, skewSeconds }: Target): boolean {
  return kind === 'emulator' && clock !== undefined && skewSeconds === 0;
}
