import { html } from 'hono/html';
import type { ExchangeEvidence } from '../results.ts';
import { type Markup, redacted } from './markup.ts';

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

/** Limit of drawn exchanges: the last ones, which show the failure. */
const MOST = 12;

const LINES = { client: 110, 'authorization server': 420, 'resource API': 690 } as const;

const [WIDTH, HEAD, ROW] = [800, 44, 58];

export function sequence(
  exchanges: readonly ExchangeEvidence[],
  decisive: ExchangeEvidence | undefined,
): Markup {
  const steps = lineageOf(exchanges).slice(-MOST);
  if (steps.length < 2) return html``;
  const height = HEAD + steps.length * ROW + 8;
  const left = exchanges.length - steps.length;
  return html`<details class="draw"><summary>Sequence: the request that each code and token came from</summary>
<div class="wide" tabindex="0" role="group" aria-label="Sequence of ${steps.length} exchanges">
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${steps.map(describeRequest).join('; ')}">
${Object.entries(LINES).map(
  ([name, x]) =>
    html`<text x="${x}" y="20" class="who">${name}</text><path class="life" d="M${x} 30V${height}"/>`,
)}
${steps.map((step, index) => arrows(step, HEAD + index * ROW, step.exchange === decisive))}
</svg></div>${left === 0 ? '' : html`<p class="note">The last ${steps.length} of ${exchanges.length} exchanges.</p>`}</details>`;
}

function arrows({ exchange, to, uses, gives }: LineageStep, top: number, bold: boolean): Markup {
  const { request, response } = exchange;
  const [from, end] = [LINES.client, LINES[to]];
  const middle = (from + end) / 2;
  const path = URL.parse(request.url)?.pathname ?? request.url;
  const outcome = response === undefined ? 'no answer' : String(response.status);
  return html`<g class="${bold ? 'call now' : 'call'}"><title>${exchange.purpose}</title>
<text x="${middle}" y="${top + 12}">${cut([`${request.method} ${path}`, ...uses].join('  '))}</text>
<path d="M${from} ${top + 18}H${end - 2}m-6-4 6 4-6 4"/>
<text x="${middle}" y="${top + 38}">${cut([outcome, ...gives].join('  '))}</text>
<path class="back" d="M${end} ${top + 44}H${from + 2}"/><path d="M${from + 8} ${top + 40}l-6 4 6 4"/></g>`;
}

function describeRequest({ exchange, to, uses, gives }: LineageStep): string {
  const withThese = uses.length === 0 ? '' : ` with ${uses.join(' and ')}`;
  const outcome = gives.length === 0 ? '' : ` and ${gives.join(' and ')}`;
  return `${exchange.purpose}: ${exchange.request.method} to the ${to}${withThese}, answered ${exchange.response?.status ?? 'not at all'}${outcome}`;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

type Row = readonly [name: string, one: string | undefined, other: string | undefined];

export function besideItsTwin(
  exchanges: readonly ExchangeEvidence[],
  doubtful: ExchangeEvidence | undefined,
): Markup {
  const twin = doubtful === undefined ? undefined : twinOf(exchanges, doubtful);
  if (doubtful === undefined || twin === undefined) return html``;
  const rows = rowsOf(doubtful, twin);
  return html`<details class="draw"><summary>Beside the accepted request that it differs from</summary>
<div class="wide" tabindex="0" role="group" aria-label="Two requests, parameter by parameter"><table class="twin"><thead><tr><th scope="col"></th><th scope="col">${doubtful.purpose}</th><th scope="col">${twin.purpose}</th></tr></thead>
<tbody>${rows.map(
    ([name, one, other]) =>
      html`<tr class="${one === other ? 'same' : 'differs'}"><th scope="row">${name}${one === other ? '' : html`<span class="vh"> (differs)</span>`}</th><td>${cell(one)}</td><td>${cell(other)}</td></tr>`,
  )}</tbody></table></div></details>`;
}

function rowsOf(one: ExchangeEvidence, other: ExchangeEvidence): readonly Row[] {
  const [left, right] = [partsOf(one), partsOf(other)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.map((name) => [name, left.get(name), right.get(name)] as const);
}

function partsOf({ request, response }: ExchangeEvidence): ReadonlyMap<string, string> {
  const url = URL.parse(request.url);
  const parameters = [...(url?.searchParams ?? []), ...new URLSearchParams(formOf(request))];
  const all: readonly (readonly [string, string])[] = [
    ['request', `${request.method} ${url?.pathname ?? request.url}`],
    ...parameters,
    ...request.headers
      .filter(([name]) => /^(authorization|content-type|accept)$/i.test(name))
      .map(([name, value]) => [name.toLowerCase(), value] as const),
    ['status', response === undefined ? 'no answer' : String(response.status)],
  ];
  return new Map(
    [...Map.groupBy(all, ([name]) => name)].map(([name, values]) => [
      name,
      values.map(([, value]) => value).join(', '),
    ]),
  );
}

function formOf({ body, headers }: ExchangeEvidence['request']): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return type.includes('form-urlencoded') ? (body ?? '') : '';
}

function cell(value: string | undefined): Markup {
  return value === undefined
    ? html`<span class="note">not sent</span>`
    : html`<code>${redacted(value)}</code>`;
}
