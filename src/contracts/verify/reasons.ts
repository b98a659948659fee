import { isJsonObject, parsedJson } from '../../document/input/plain-data.ts';
import { errorIn } from '../../http/answer-body.ts';
import { isHarmlessHeader, isHarmlessMember } from '../../http/answer-secrets.ts';
import { type Exchange, isSuccess, isTokenRequest, type WireResponse } from '../../http/exchange.ts';
import { oneLine } from '../../report/printable.ts';
import { tokensIn } from '../../service/flow/answers.ts';
import type { Target } from '../../service/target.ts';
import type { Interaction } from '../pact/read-pact.ts';
import { isStateName, PROVIDER_STATES } from '../states.ts';
import type { Mismatch, NativeReport } from './native-verifier.ts';
import { PACT_IS_WRONG } from './outcome.ts';
import type { OutcomeMismatch } from './pact-outcome.ts';
import { variablesIn } from './refuse-pacts.ts';
import type { Relayed } from './relay.ts';

const QUOTES_NOTHING = /^(Actual map is missing|Expected a (List|Map)\b)/;

const LONGEST = 300;

/**
 * Explains a mismatch. Bodies of a live target are not quoted, except harmless fields of a token response, because they
 * may hold personal data.
 */
export function reasonsOf(
  report: NativeReport,
  exchanges: readonly Exchange[],
  target: Pick<Target, 'isLive'>,
): readonly OutcomeMismatch[] {
  const response = exchanges.at(-1)?.response;
  const isStatus = ({ type }: Mismatch) => Number(type === 'StatusMismatch');
  // The missing fields of a refusal explain little.
  const statusFirst = report.mismatches.toSorted((a, b) => isStatus(b) - isStatus(a));
  const said = statusFirst.map((mismatch) => ({
    description: invalidPattern(mismatch) ?? sentence(mismatch, response, target.isLive),
    ...placeOf(mismatch),
  }));
  return [...said, ...report.errors.map((error) => ({ description: cut(error) }))];
}

function placeOf({ type, at }: Mismatch): Pick<OutcomeMismatch, 'attribute' | 'identifier'> {
  if (type === 'StatusMismatch') return { attribute: 'status' };
  if (type === 'HeaderMismatch') return { attribute: 'header', identifier: at };
  return { attribute: 'body', identifier: at === '' ? '$' : at };
}

function invalidPattern({ text, at }: Mismatch): string | undefined {
  const [, pattern, why] = /^'([\s\S]*)' is not a valid regular expression - (.+)$/.exec(text) ?? [];
  if (pattern === undefined || why === undefined) return undefined;
  return `${PACT_IS_WRONG}: at ${at || '$'} it has the invalid regular expression ${cut(pattern)} (${why})`;
}

function sentence(mismatch: Mismatch, response: WireResponse | undefined, live: boolean): string {
  const { type, text, at, expected, actual } = mismatch;
  if (type === 'StatusMismatch') {
    // `Expected status code 200 to be a Error response (>= 400)`, if a class is expected.
    const wanted = /\bto be an? (.+)$/.exec(text)?.[1]?.toLowerCase() ?? expected;
    const got = String(response?.status ?? actual);
    if (wanted === got) return `the status: ${cut(text)}`;
    return `the status: expected ${wanted}, got ${got}${errorIn(response)}`;
  }
  const pattern = /\bto match '([\s\S]+)'$/.exec(text)?.[1];
  const wanted = pattern === undefined ? shown(expected) : `a text that matches ${cut(pattern)}`;
  if (type === 'HeaderMismatch') {
    const secret = !isHarmlessHeader(at);
    // A rule can reject the very text of the example; only Pact's sentence says why.
    if (!secret && wanted === shown(actual))
      return `the header ${at}: ${cut(text.replace(/^Mismatch with header '[^']*': /, ''))}`;
    const other = secret ? 'got something else' : `got ${shown(actual)}`;
    const got = actual === '' ? 'it is missing' : other;
    return `the header ${at}: expected ${wanted}, ${got}`;
  }
  const where = at === '' || at === '$' ? 'the body' : `the body at ${at}`;
  // The verifier quotes the bytes in hexadecimal: nobody reads them, and they may hold a token.
  if (text.startsWith('Actual body ['))
    return `${where}: expected the example's bytes exactly, as the pact does not have it as \`application/json\``;
  if (
    !live ||
    isHarmlessMember(at.replace('$.', ''), parsedJson(actual) ?? actual) ||
    QUOTES_NOTHING.test(text)
  )
    return `${where}: ${cut(text)}`;
  const like = pattern === undefined ? ' or its like' : '';
  return `${where}: expected ${wanted}${like}, got ${kindOf(actual)} that is withheld`;
}

function shown(text: string): string {
  return cut(text === '' ? 'nothing' : text);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function kindOf(text: string): string {
  const value = parsedJson(text);
  if (value === undefined) return 'something';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Checks two rules that no pact can express: a refusal holds no token (clauses 2.2, 4.2 and 4.3), and a refresh gives a new
 * refresh token (clause 2.1 rule 1).
 */
export function tokenRuleViolations(
  interaction: Interaction,
  exchanges: readonly Exchange[],
): readonly string[] {
  return exchanges.flatMap(({ request, response }) => {
    if (response === undefined || !isTokenRequest(request)) return [];
    const tokens = tokensIn({ request, response });
    if (interaction.status >= 400 && !isSuccess(response)) {
      return Object.keys(tokens).length === 0
        ? []
        : [
            `the request is refused (status ${response.status}), and yet the answer holds a token (clause 4.2)`,
          ];
    }
    const sent = new URLSearchParams(request.body ?? '').get('refresh_token');
    return sent !== null && tokens.refreshToken === sent
      ? [
          'the refresh gives the refresh_token back that it was sent; it must be a new one (clause 2.1 rule 1)',
        ]
      : [];
  });
}

/** A name as RFC 9110 section 5.6.2 has it. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Explains why an interaction's request was not sent: by its headers' names, by what the relay saw of it, otherwise in Pact's
 * own words.
 */
export function reasonsNotSent(
  { document: { request } }: Interaction,
  { unsendable }: Relayed,
  { errors }: NativeReport,
): readonly string[] {
  const seen = [...oddHeaders(request), ...unsendable];
  const withoutRelay = errors.map((error) => oneLine(error.replace(/http:\/\/127\.0\.0\.1:\d+\/[\w-]+/, '')));
  const reasons = seen.length > 0 ? seen : withoutRelay;
  return (reasons.length > 0 ? reasons : ['Pact’s verifier gives no reason']).map(
    (reason) => `${PACT_IS_WRONG}: its request cannot be sent: ${reason}`,
  );
}

function oddHeaders(request: unknown): readonly string[] {
  if (!isJsonObject(request) || !isJsonObject(request.headers)) return [];
  return Object.entries(request.headers).flatMap(([name, value]) => {
    if (!TOKEN.test(name)) return [`${JSON.stringify(name)} cannot be a header's name`];
    const odd = /[\x00-\x08\x0a-\x1f\x7f]/.test([value].flat().join());
    return odd ? [`the header ${name} holds a line break or another control character`] : [];
  });
}

const RULE = 'take every secret and every id from a provider state (rule 2 in docs/pacts.md)';

/**
 * Explains a failed interaction by the values that the pact holds itself: a token of its own, or states whose values it does not
 * use. No target knows these.
 */
export function ownValues({ expressions, states, document: { request } }: Interaction): readonly string[] {
  const used = new Set(expressions.flatMap(variablesIn));
  const headers = isJsonObject(request) && isJsonObject(request.headers) ? Object.keys(request.headers) : [];
  const literal =
    headers.some((name) => /^authorization$/i.test(name)) &&
    !['access_token', 'authorization'].some((value) => used.has(value));
  const unused = states.flatMap(({ name }) => {
    const values = isStateName(name) ? PROVIDER_STATES[name].values : [];
    if (values.length === 0 || values.some((value) => used.has(value))) return [];
    return [`the state "${name}" injects ${values.join(', ')}, and the interaction uses none of them`];
  });
  const said = [...(literal ? ['the interaction sends the Authorization of its example'] : []), ...unused];
  return said.map((sentence) => `${sentence}: ${RULE}`);
}
