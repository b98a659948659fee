import { headerOf, type Transport, type WireResponse } from './exchange.ts';

/** A header by which a service announces its end. */
export interface RetirementNotice {
  /** `deprecation`: RFC 9745; `sunset`: RFC 8594. */
  readonly kind: 'deprecation' | 'sunset';
  /** Who sent it: scheme, host and port. */
  readonly origin: string;
  /** The header as it was sent. */
  readonly value: string;
  /** The date in it, `2027-01-31`; absent when it has none that can be read. */
  readonly date?: string;
}

/** Longest header value that is told. */
const LONGEST_VALUE = 80;

/**
 * The notices in one answer: `Deprecation` as RFC 9745 section 2 has it (`@1688169599`) and as its drafts had it (a date, or
 * `true`), `Sunset` as RFC 8594 section 3 has it.
 */
export function noticesIn(response: WireResponse, url: string): readonly RetirementNotice[] {
  const { origin } = new URL(url);
  return (['deprecation', 'sunset'] as const).flatMap((kind) => {
    const value = headerOf(response, kind)?.trim().slice(0, LONGEST_VALUE);
    if (!value) return [];
    const date = dateIn(value);
    return [{ kind, origin, value, date }];
  });
}

/** A date that a header holds, as a day: a structured date (RFC 9651 section 3.3.7) or an HTTP date. */
function dateIn(value: string): string | undefined {
  const structured = /^@(-?\d{1,12})(?:;|$)/.exec(value)?.[1];
  if (structured === undefined && !/[A-Za-z]{3}.*\d{4}|^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const at = structured === undefined ? Date.parse(value) : Number(structured) * 1_000;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
}

/** Notes what a service announces in any of its answers, each notice once. */
export class RetirementWatch {
  readonly #notices = new Map<string, RetirementNotice>();

  get notices(): readonly RetirementNotice[] {
    return [...this.#notices.values()];
  }

  /** The transport with every answer looked at. */
  watch(inner: Transport): Transport {
    return async (request, signal) => {
      const response = await inner(request, signal);
      for (const notice of noticesIn(response, request.url))
        this.#notices.set(`${notice.kind} ${notice.origin} ${notice.value}`, notice);
      return response;
    };
  }
}

/** Characters that are searched for a farewell: it stands on a short page. */
const LONGEST_FAREWELL = 64 * 1024;

const FAREWELL =
  /\b(?:has been|have been|was|were|is|are|now)\s+(?:permanently\s+)?(?:retired|discontinued|decommissioned|sunset|shut\s*down|switched\s+off|turned\s+off)\b|\bno longer (?:available|supported|in service|offered|exists?)\b|\bend[- ]of[- ]life\b/i;

/** Returns whether an answer says that the service is no more: 410 (RFC 9110 section 15.5.11), or a farewell in the body. */
export function saysRetired({ status, body }: Pick<WireResponse, 'status' | 'body'>): boolean {
  return status === 410 || FAREWELL.test(body.slice(0, LONGEST_FAREWELL).replace(/<[^<>]*>/g, ' '));
}

/** What is written of an end that stays: no maintenance page, and no page that was moved, speaks so. */
const FINAL =
  /\b(?:has been|have been|was|were|is|are|now)\s+(?:permanently\s+)?(?:retired|discontinued|decommissioned|sunset)\b/i;

const PASSING = /maintenance|temporar|try again|retry|(?:back|again|return)\s+(?:soon|shortly|later|online)/i;

/**
 * How one answer shows that a service was retired, where no outage, proxy or wrong address answers so: 410, or 200 or 404 with words
 * of an end that stays. Undefined for anything else, an answer of 5xx whatever it says included.
 */
export function retirementSign({ status, body }: Pick<WireResponse, 'status' | 'body'>): string | undefined {
  const text = body.slice(0, LONGEST_FAREWELL).replace(/<[^<>]*>/g, ' ');
  if (PASSING.test(text)) return undefined;
  if (status === 410) return 'it answers 410';
  return (status === 200 || status === 404) && FINAL.test(text)
    ? `its answer (${status}) says that it is retired`
    : undefined;
}
