import { type Check, isTimed } from '../check.ts';

/** What the document's 7200 seconds take to wait for: seconds until the last moment of the last check. */
export function longestWait(checks: readonly Check[]): number {
  return Math.max(0, ...checks.filter(isTimed).map((check) => check.stages.at(-1)?.atSeconds ?? 0));
}
