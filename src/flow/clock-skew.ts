import { headerOf } from '../exchange/exchange.ts';
import type { Target } from '../targets/target.ts';

/** Seconds by which two clocks may differ before one-time codes stop being the same (RFC 6238 section 5.2: one step). */
const MOST_SECONDS = 30;

/**
 * Why signing in with a one-time code cannot work: the target's clock, as its `Date` says, is another than ours. Looked at
 * before anything is typed, because every refused code counts towards a lock-out. One read.
 *
 * @returns undefined when the clocks agree, nothing can be said, or no one-time codes are used
 */
export async function skewTrouble({ owner, authUrl, transport }: Target): Promise<string | undefined> {
  if (owner.totpSecret === undefined) return undefined;
  const url = `${authUrl}/oauth/authorize`;
  const sentAt = Date.now();
  const response = await transport({ method: 'GET', url, headers: [['Accept', 'text/html']] });
  const date = Date.parse(headerOf(response, 'date') ?? '');
  if (Number.isNaN(date)) return undefined;
  // A Date is cut to the second.
  const seconds = Math.round((date + 500 - (sentAt + Date.now()) / 2) / 1_000);
  if (Math.abs(seconds) <= MOST_SECONDS) return undefined;
  const how = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ours`;
  return `the target's clock is ${how}, and the one-time code of \`owner.totpSecret\` depends on it: nothing was typed; set the clock that is wrong`;
}
