import type { ExchangeEvidence } from './results.ts';

export interface LineageStep {
  readonly exchange: ExchangeEvidence;
  readonly to: 'authorization server' | 'resource API';
  readonly uses: readonly string[];
  readonly gives: readonly string[];
}

const ORDINAL = /<((?:code|access_token|refresh_token)#\d+)>/g;

/** Traces codes and tokens through exchanges, in order (clauses 2 and 3). */
export function lineageOf(exchanges: readonly ExchangeEvidence[]): readonly LineageStep[] {
  return exchanges.map((exchange) => {
    const { request, response } = exchange;
    const uses = ordinalsIn([request.url, request.body, ...request.headers.map(([, value]) => value)]);
    const given = ordinalsIn([response?.body, ...(response?.headers ?? []).map(([, value]) => value)]);
    const path = URL.parse(request.url)?.pathname ?? request.url;
    return {
      exchange,
      to: /\/v\d+\/projects\//.test(path) ? 'resource API' : 'authorization server',
      uses,
      gives: given.filter((ordinal) => !uses.includes(ordinal)),
    };
  });
}

function ordinalsIn(texts: readonly (string | undefined)[]): readonly string[] {
  return [
    ...new Set(
      texts.flatMap((text) => [...(text ?? '').matchAll(ORDINAL)].flatMap(([, ordinal]) => ordinal ?? [])),
    ),
  ];
}

/**
 * Returns the accepted request nearest to a doubtful one: another of the same kind that succeeded.
 *
 * @returns undefined if the evidence holds none
 */
export function twinOf(
  exchanges: readonly ExchangeEvidence[],
  doubtful: ExchangeEvidence,
): ExchangeEvidence | undefined {
  const at = exchanges.indexOf(doubtful);
  const kind = kindOf(doubtful);
  return exchanges
    .map((exchange, index) => ({ exchange, distance: Math.abs(index - at) }))
    .filter(
      ({ exchange }) =>
        exchange !== doubtful &&
        kindOf(exchange) === kind &&
        exchange.response !== undefined &&
        exchange.response.status < 400 &&
        !sameRequest(exchange, doubtful),
    )
    .sort((one, other) => one.distance - other.distance)[0]?.exchange;
}

function kindOf({ request }: ExchangeEvidence): string {
  const grant = /(?:^|&)grant_type=([^&]*)/.exec(request.body ?? '')?.[1] ?? '';
  return `${request.method} ${URL.parse(request.url)?.pathname ?? request.url} ${grant}`;
}

function sameRequest({ request: one }: ExchangeEvidence, { request: other }: ExchangeEvidence): boolean {
  const shape = ({ url, body, headers }: ExchangeEvidence['request']) =>
    JSON.stringify([url, body, headers]).replace(/#\d+>/g, '>');
  return shape(one) === shape(other);
}
