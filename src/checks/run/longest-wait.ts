import { type Check, isTimed } from '../check.ts';
import { secondsOf } from '../lifetime.ts';

/**
 * Returns the seconds until the last moment of the last check, with the document's 7200 seconds.
 *
 * @param skewSeconds largest difference of the service's clock
 */
export function longestWait(checks: readonly Check[], skewSeconds: number): number {
  const last = checks.filter(isTimed).map(({ stages }) => secondsOf(stages.at(-1)?.at ?? 0, skewSeconds));
  return Math.max(0, ...last);
}
