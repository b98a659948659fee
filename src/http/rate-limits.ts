import { headerOf, type WireResponse } from './exchange.ts';

/** Smallest value of a reset header that counts as a moment in seconds since the epoch, not as a number of seconds. */
const EPOCH_SECONDS = 1_000_000_000;

/**
 * Returns the milliseconds until the service resets its limit, if no request is left before that. Reads `RateLimit` and
 * `RateLimit-*` (drafts of draft-ietf-httpapi-ratelimit-headers) and `X-RateLimit-*`.
 *
 * @param nowMs milliseconds since the epoch
 * @returns undefined if requests are left, or the headers do not say
 */
export function exhaustedMs(response: WireResponse, nowMs: number = Date.now()): number | undefined {
  const whole = headerOf(response, 'ratelimit') ?? '';
  for (const policy of whole.includes('remaining=') ? [whole] : whole.split(',')) {
    const left = numberIn(/(?:^|[;,\s])(?:r|remaining)\s*=\s*(\d+)/.exec(policy)?.[1]);
    const reset = numberIn(/(?:^|[;,\s])(?:t|reset)\s*=\s*(\d+)/.exec(policy)?.[1]);
    if (left === 0 && reset !== undefined) return reset * 1_000;
  }
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const left = numberIn(headerOf(response, `${prefix}-remaining`));
    const reset = numberIn(headerOf(response, `${prefix}-reset`));
    if (left !== 0 || reset === undefined) continue;
    return reset < EPOCH_SECONDS ? reset * 1_000 : Math.max(0, reset * 1_000 - nowMs);
  }
  return undefined;
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}
