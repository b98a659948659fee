import { html } from 'hono/html';
import { type LineageStep, lineageOf } from '../lineage.ts';
import type { ExchangeEvidence } from '../results.ts';
import type { Markup } from './markup.ts';

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
  return html`<details class="draw"><summary>Sequence: which code and token came of which request</summary>
<div class="wide" tabindex="0" role="group" aria-label="Sequence of ${steps.length} exchanges">
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${steps.map(inWords).join('; ')}">
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
  const came = response === undefined ? 'no answer' : String(response.status);
  return html`<g class="${bold ? 'call now' : 'call'}"><title>${exchange.purpose}</title>
<text x="${middle}" y="${top + 12}">${cut([`${request.method} ${path}`, ...uses].join('  '))}</text>
<path d="M${from} ${top + 18}H${end - 2}m-6-4 6 4-6 4"/>
<text x="${middle}" y="${top + 38}">${cut([came, ...gives].join('  '))}</text>
<path class="back" d="M${end} ${top + 44}H${from + 2}"/><path d="M${from + 8} ${top + 40}l-6 4 6 4"/></g>`;
}

function inWords({ exchange, to, uses, gives }: LineageStep): string {
  const withThese = uses.length === 0 ? '' : ` with ${uses.join(' and ')}`;
  const came = gives.length === 0 ? '' : ` and ${gives.join(' and ')}`;
  return `${exchange.purpose}: ${exchange.request.method} to the ${to}${withThese}, answered ${exchange.response?.status ?? 'not at all'}${came}`;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
