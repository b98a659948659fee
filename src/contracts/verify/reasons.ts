import type { Exchange } from '../../exchange/exchange.ts';
import type { Target } from '../../targets/target.ts';
import type { Mismatch, NativeReport } from './native-report.ts';

/** Fields of a token response whose values are no secrets (clause 2.1). */
const HARMLESS = new Set(['$.expires_in', '$.token_type', '$.scope', '$.error', '$.created_at']);

/** Headers that may carry sessions or codes. */
const SECRET_HEADERS = new Set(['set-cookie', 'location']);

/** The verifier's sentences that quote nothing of what came. */
const QUOTES_NOTHING =
  /^(Actual map is missing|Expected a (List|Map) with \d|Expected an? (empty )?(List|Map)\b)/;

const LONGEST = 300;

/**
 * Says in sentences why an answer is not what its pact expects. Bodies of a live target are not quoted, save for harmless
 * fields of a token response: a list of staging holds people.
 */
export function reasonsOf(
  report: NativeReport,
  exchanges: readonly Exchange[],
  target: Pick<Target, 'kind'>,
): readonly string[] {
  const status = exchanges.at(-1)?.response?.status;
  const statusFirst = [...report.mismatches].sort((a, b) => rank(a) - rank(b));
  const said = statusFirst.map((mismatch) => sentence(mismatch, status, target.kind === 'live'));
  return [...said, ...report.errors.map((error) => cut(error))];
}

/** Of a refusal, the missing fields explain little. */
function rank({ type }: Mismatch): number {
  return type === 'StatusMismatch' ? 0 : 1;
}

function sentence(mismatch: Mismatch, status: number | undefined, live: boolean): string {
  const { type, text, at, expected, actual } = mismatch;
  if (type === 'StatusMismatch') {
    // `Expected status code 200 to be a Error response (>= 400)`, where a class is expected.
    const wanted = /\bto be an? (.+)$/.exec(text)?.[1]?.toLowerCase() ?? expected;
    return `the status: expected ${wanted}, came ${status ?? actual}`;
  }
  if (type === 'HeaderMismatch') {
    const secret = SECRET_HEADERS.has(at.toLowerCase());
    const came = actual === '' ? 'it is missing' : secret ? 'came something else' : `came ${shown(actual)}`;
    return `the header ${at}: expected ${shown(expected)}, ${came}`;
  }
  const where = at === '' || at === '$' ? 'the body' : `the body at ${at}`;
  if (!live || HARMLESS.has(at) || QUOTES_NOTHING.test(text)) return `${where}: ${cut(text)}`;
  return `${where}: expected ${shown(expected)} or its like, came ${kindOf(actual)} that is withheld`;
}

function shown(text: string): string {
  return cut(text === '' ? 'nothing' : text);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What kind of JSON a text is. */
function kindOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'an array';
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  } catch {
    return 'something';
  }
}
