import type { Target } from '../targets/target.ts';

export { LIFETIME } from '../catalogue/lifetime.ts';

/** Seconds around a deadline that the checks ignore, because clocks differ and requests take time. */
export const SLACK = 10;

export type Moment = number | { readonly before: number } | { readonly past: number };

export function secondsOf(moment: Moment, skewSeconds: number): number {
  if (typeof moment === 'number') return moment;
  const slack = Math.max(SLACK, skewSeconds);
  return 'before' in moment ? moment.before - slack : moment.past + slack;
}

/** Seconds before and after the deadline that can be tested if the clock stands still between moves. */
export const LAST_SECOND = 1;
export const NEXT_SECONDS = 2;

/** True if the service's clock only moves on request and all its parts share one time. */
export function tellsSeconds({ clock, skewSeconds }: Target): boolean {
  return clock?.standsStill === true && skewSeconds === 0;
}
