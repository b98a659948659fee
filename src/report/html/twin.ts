import { html } from 'hono/html';
import type { ExchangeEvidence } from '../results.ts';
import { type Markup, redacted } from './markup.ts';

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
