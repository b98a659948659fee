import { createHash } from 'node:crypto';
import { withheldHeaders } from '../../http/answer-secrets.ts';
import { readFrom } from '../../http/bodies.ts';
import { jsonOf, type WireResponse } from '../../http/exchange.ts';
import type { AnswerView } from '../../http/to-evidence.ts';
import type { Target } from '../../service/target.ts';

/** Above this length, only the first records, those with a configured id, the length and a digest are shown. */
const LONGEST_LIST = 50;

const FIRST_RECORDS = 3;

/** Selects the view of answers in evidence. Live lists hold personal data: only shape, configured ids and harmless headers are shown. */
export function answerViewFor(target: Target): AnswerView {
  const known = new Set([...target.projects, ...target.users]);
  // Secrets are redacted before anything is cut: half a token would not be recognized.
  if (!target.isLive) return (_, response) => response;
  const shape = (value: unknown) =>
    known.has(String(value)) || value === null ? value : `<${typeof value}>`;
  return (request, response) => {
    if (!request.url.startsWith(`${target.baseUrl}/`) || request.url.includes('/oauth/')) return response;
    const none = response.body === '' ? '' : `<${response.bytes} bytes that are no JSON>`;
    const body = compactJson(response, known, shape) ?? none;
    return { ...response, headers: withheldHeaders(response.headers), body };
  };
}

type Leaf = (value: unknown) => unknown;

function compactJson(response: WireResponse, known: ReadonlySet<string>, leaf: Leaf): string | undefined {
  return readFrom(response.body, `shape with ${[...known].join()}`, () => {
    const json = jsonOf(response);
    return { text: json === undefined ? undefined : JSON.stringify(compact(json, known, leaf)) };
  }).text;
}

function compact(value: unknown, known: ReadonlySet<string>, leaf: Leaf): unknown {
  if (Array.isArray(value)) {
    const long = value.length > LONGEST_LIST;
    const shown = long ? value.filter((item, at) => at < FIRST_RECORDS || holds(item, known)) : value;
    const records = shown.map((item) => compact(item, known, leaf));
    if (!long) return records;
    const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
    return [...records, `${value.length} records, sha256 ${digest}`];
  }
  if (typeof value !== 'object' || value === null) return leaf(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, compact(item, known, leaf)]));
}

function holds(value: unknown, known: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return known.has(String(value));
  for (const key in value) if (holds((value as Record<string, unknown>)[key], known)) return true;
  return false;
}
