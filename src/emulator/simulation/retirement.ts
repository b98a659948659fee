import { bodyAnswer, type ServiceAnswer, withHeader } from '../answer.ts';
import type { Endpoint } from '../policy/policy.ts';

/** The announced end of the service, rehearsed (clause 9). Times in seconds. */
export interface RehearsedEnd {
  /** Refuses requests for a while in each period, counted from the epoch; 410 and 503 in turn, by period. */
  readonly brownout?: { readonly lasts: number; readonly every: number } | undefined;
  /** Refuses every request from then on with 410; seconds since the epoch. */
  readonly from?: number | undefined;
  /** Announces the end in each answer, by `Sunset` (RFC 8594) and `Deprecation` (RFC 9745). */
  readonly announced?: boolean | undefined;
}

/** The end that is announced unless `from` says another: 2027-01-31T00:00:00Z. */
const EARLY_2027 = 1_801_353_600;

/** 2026-01-01T00:00:00Z, a structured date (RFC 9651 section 3.3.7). */
const DEPRECATED = '@1767225600';

const OURS: readonly Endpoint[] = ['page', 'neighbour'];

/** Returns the refusal of a request of clause 4 during a brownout, or after the retirement; else undefined. */
export function endedAnswer(
  { brownout, from }: RehearsedEnd,
  endpoint: Endpoint,
  now: number,
): ServiceAnswer | undefined {
  if (OURS.includes(endpoint)) return undefined;
  if (from !== undefined && now >= from) return gone('This API has been retired.');
  if (brownout === undefined) return undefined;
  const since = now % brownout.every;
  if (since >= brownout.lasts) return undefined;
  if (Math.floor(now / brownout.every) % 2 === 0) return gone('This API will be retired. Today it rests.');
  const seconds = Math.ceil(brownout.lasts - since);
  return bodyAnswer(503, 'text/plain; charset=utf-8', 'This API rests.\n', [['Retry-After', `${seconds}`]]);
}

/** Adds the announcement to an answer of clause 4. */
export function withAnnouncement(
  { from = EARLY_2027, announced }: RehearsedEnd,
  endpoint: Endpoint,
  answer: ServiceAnswer,
): ServiceAnswer {
  if (!announced || OURS.includes(endpoint)) return answer;
  const sunset = withHeader(answer, 'Sunset', new Date(from * 1_000).toUTCString());
  return withHeader(sunset, 'Deprecation', DEPRECATED);
}

function gone(text: string): ServiceAnswer {
  return bodyAnswer(410, 'text/plain; charset=utf-8', `${text}\n`);
}
