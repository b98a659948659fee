import { MOST_SEARCHED, mayHoldTokens, tokenStructure } from './answer-secrets.ts';
import type { Exchange, Header, WireRequest, WireResponse } from './exchange.ts';
import type { AgentStep, RecordEntry } from './recorder.ts';
import type { SecretRegistry } from './secrets/registry.ts';

/** Shows an answer whole, or reduced to what is safe on a live target. */
export type AnswerView = (request: WireRequest, response: WireResponse) => WireResponse;

/** Maximum characters of a body in evidence; a note says how much is missing. */
const LONGEST_BODY = 4_000;

const HIDDEN_HEADERS = new Set(['cookie', 'set-cookie', 'proxy-authorization']);
const SECRET_FIELDS =
  /((?:access_token|refresh_token|bearer_token|client_secret|password|code|csrf)(?:"\s*:\s*"|=))((?:<[a-z_]+#\d+>|[^"&\s<#])+)/gi;

/** The label of a secret, whole or percent-encoded. */
const LABEL = /<[a-z_]+#\d+>|%3C[a-z_]+%23\d+%3E|^[a-z_]+#\d+/gi;

/** Fewer characters beside a label are what the suite altered. */
const SHORTEST_HIDDEN = 6;

type EvidenceEntry =
  | (ReturnType<typeof exchangeEvidence> & { readonly decisive?: true })
  | ReturnType<typeof stepEvidence>;

/**
 * Returns everything recorded for one requirement, redacted and in the answer view.
 * @param secrets all secrets so far: a code is registered when it comes back, but earlier entries hold it too
 * @param decisive the entry that shows the result
 */
export function toEvidence(
  entries: readonly RecordEntry[],
  secrets: SecretRegistry,
  answerView?: AnswerView,
  decisive?: RecordEntry,
): EvidenceEntry[] {
  return entries.map((entry, index) => {
    if (entry.kind === 'step') return stepEvidence(entry.step, index + 1, secrets);
    const evidence = exchangeEvidence(entry.exchange, index + 1, secrets, answerView);
    return entry === decisive ? { ...evidence, decisive: true as const } : evidence;
  });
}

/** Replaces registered secrets by their labels, and hides values in places where secrets usually stand. */
export function redactText(text: string, secrets: SecretRegistry): string {
  return secrets.redact(text).replace(SECRET_FIELDS, (whole, before: string, value: string) => {
    return value.replace(LABEL, '').length < SHORTEST_HIDDEN ? whole : `${before}<hidden>`;
  });
}

/** Returns one exchange, redacted and in the answer view. @param order position among all evidence, from 1 */
export function exchangeEvidence(
  exchange: Exchange,
  order: number,
  secrets: SecretRegistry,
  answerView: AnswerView = (_, response) => response,
) {
  const { request, response: came, failure, validation } = exchange;
  const response = mayHoldTokens(request, came)
    ? tokenStructure(came, secrets)
    : came && answerView(request, came);
  const clean = (text: string) => redactText(text, secrets);
  return {
    kind: 'exchange' as const,
    order,
    purpose: exchange.purpose,
    request: {
      method: request.method,
      url: clean(request.url),
      headers: cleanHeaders(request.headers, clean),
      body: request.body === undefined ? undefined : shorten(request.body, clean),
    },
    response: response && {
      status: response.status,
      headers: cleanHeaders(response.headers, clean),
      body: shorten(response.body, clean),
      bytes: response.bytes,
    },
    error: failure && clean(failure.message),
    validation: validation && { ...validation, errors: validation.errors.map(clean) },
    startedAt: new Date(exchange.startedAt).toISOString(),
    durationMs: round(exchange.durationMs),
  };
}

function stepEvidence(step: AgentStep, order: number, secrets: SecretRegistry) {
  return {
    kind: 'step' as const,
    order,
    purpose: step.purpose,
    url: step.url && redactText(step.url, secrets),
    status: step.status,
    detail: step.detail && redactText(step.detail, secrets),
    startedAt: new Date(step.startedAt).toISOString(),
    durationMs: round(step.durationMs),
  };
}

function cleanHeaders(headers: readonly Header[], clean: (text: string) => string): Header[] {
  return headers.map(([name, value]) => {
    if (HIDDEN_HEADERS.has(name.toLowerCase())) return [name, '<hidden>'];
    if (name.toLowerCase() !== 'authorization') return [name, clean(value)];
    const [scheme = '', ...rest] = value.split(' ');
    const cleaned = clean(rest.join(' '));
    return [name, /^<[a-z_]+#\d+>$/.test(cleaned) ? `${scheme} ${cleaned}` : `${scheme} <hidden>`];
  });
}

function shorten(body: string, clean: (text: string) => string): string {
  const text = withoutStyles(body);
  // Searched before it is cut, so that a secret across the cut is found.
  const cleaned = clean(text.slice(0, MOST_SEARCHED));
  const whole = text.length <= MOST_SEARCHED;
  if (whole && cleaned.length <= LONGEST_BODY) return cleaned;
  const length = whole ? cleaned.length : text.length;
  return `${cleaned.slice(0, LONGEST_BODY)}… (${length - LONGEST_BODY} more characters)`;
}

/** Removes style sheets, which would fill the visible part. An unclosed one reaches to the end. */
function withoutStyles(html: string): string {
  return html.replace(/(<style[^<>]*>)([\s\S]*?)(?=<\/style|$)/g, (_, tag: string, { length }: string) =>
    length === 0 ? tag : `${tag}… (${length} characters of style)`,
  );
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
