import { type Check, isTimed } from '../check.ts';
import { secondsOf } from '../lifetime.ts';

/**
 * What the document's 7200 seconds take to wait for: seconds until the last moment of the last check.
 *
 * @param skewSeconds by how much the service's clock may differ
 */
export function longestWait(checks: readonly Check[], skewSeconds: number): number {
  const last = checks.filter(isTimed).map(({ stages }) => secondsOf(stages.at(-1)?.at ?? 0, skewSeconds));
  return Math.max(0, ...last);
}
