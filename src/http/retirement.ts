import { headerOf, type Transport, type WireResponse } from './exchange.ts';

export interface RetirementNotice {
  /** `deprecation`: RFC 9745; `sunset`: RFC 8594. */
  readonly kind: 'deprecation' | 'sunset';
  readonly origin: string;
  readonly value: string;
  readonly date?: string;
}

const LONGEST_VALUE = 80;

/** Returns `Deprecation` (RFC 9745 section 2 `@1688169599`, or its drafts' date or `true`) and `Sunset` (RFC 8594 section 3). */
export function noticesIn(response: WireResponse, url: string): readonly RetirementNotice[] {
  const { origin } = new URL(url);
  return (['deprecation', 'sunset'] as const).flatMap((kind) => {
    const sent = headerOf(response, kind)?.trim();
    if (!sent) return [];
    // Cut, a secret would not be recognized.
    const value = sent.length > LONGEST_VALUE ? `${sent.length} characters` : sent;
    const date = dateIn(value);
    return [{ kind, origin, value, date }];
  });
}

/** Parses a structured date (RFC 9651 section 3.3.7) or an HTTP date to a day. */
function dateIn(value: string): string | undefined {
  const structured = /^@(-?\d{1,12})(?:;|$)/.exec(value)?.[1];
  if (structured === undefined && !/[A-Za-z]{3}.*\d{4}|^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const at = structured === undefined ? Date.parse(value) : Number(structured) * 1_000;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
}

export class RetirementWatch {
  readonly #notices = new Map<string, RetirementNotice>();

  get notices(): readonly RetirementNotice[] {
    return [...this.#notices.values()];
  }

  watch(inner: Transport): Transport {
    return async (request, signal) => {
      const response = await inner(request, signal);
      for (const notice of noticesIn(response, request.url))
        this.#notices.set(`${notice.kind} ${notice.origin} ${notice.value}`, notice);
      return response;
    };
  }
}

/** Characters searched for a farewell, which is on a short page. */
const LONGEST_FAREWELL = 64 * 1024;

const FAREWELL =
  /\b(?:has been|have been|was|were|is|are|now)\s+(?:permanently\s+)?(?:retired|discontinued|decommissioned|sunset|shut\s*down|switched\s+off|turned\s+off)\b|\bno longer (?:available|supported|in service|offered|exists?)\b|\bend[- ]of[- ]life\b/i;

export function saysRetired({ status, body }: Pick<WireResponse, 'status' | 'body'>): boolean {
  return status === 410 || FAREWELL.test(wordsOf(body));
}

/** Returns the begin of a body without its tags. */
function wordsOf(body: string): string {
  return body.slice(0, LONGEST_FAREWELL).replace(/<[^<>]*>/g, ' ');
}

/** Words for a permanent end, which maintenance pages and moved pages do not use. */
const FINAL =
  /\b(?:has been|have been|was|were|is|are|now)\s+(?:permanently\s+)?(?:retired|discontinued|decommissioned|sunset)\b/i;

const PASSING = /maintenance|temporar|try again|retry|(?:back|again|return)\s+(?:soon|shortly|later|online)/i;

/** Returns the sign of retirement: 410, or 200 or 404 with words of a permanent end. Undefined otherwise, including any 5xx. */
export function retirementSign({ status, body }: Pick<WireResponse, 'status' | 'body'>): string | undefined {
  const text = wordsOf(body);
  if (PASSING.test(text)) return undefined;
  if (status === 410) return 'it answers 410';
  return (status === 200 || status === 404) && FINAL.test(text)
    ? `its answer (${status}) says that it is retired`
    : undefined;
}
