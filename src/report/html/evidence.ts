import { html } from 'hono/html';
import type { EvidenceHeader, ExchangeEvidence, RequirementResult, StepEvidence } from '../results.ts';
import { decisiveExchange, durationText, inOrder } from '../words.ts';
import { type Markup, redacted } from './markup.ts';

const WHOLE = 2;

const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
]);

export function evidence(result: RequirementResult): Markup {
  // For a client, the reason has the lines, and a pass its number of examples.
  if (result.evidence.every((entry) => saidAlready(entry, result)) && result.durationMs === 0) return html``;
  if (result.evidence.length === 0) return html`<p class="note">No exchange stands behind this result.</p>`;
  const passed = result.result === 'pass';
  const opened = passed ? undefined : decisiveExchange(result);
  const entries = inOrder(result.evidence);
  const brief = (index: number) => passed && index >= WHOLE && index < entries.length - WHOLE;
  return html`<ol class="seq">${entries.map(
    (entry, index) =>
      html`<li>${entry.kind === 'step' ? step(entry) : brief(index) ? inOneLine(entry) : exchange(entry, entry === opened)}</li>`,
  )}</ol>`;
}

function saidAlready(entry: RequirementResult['evidence'][number], { reason }: RequirementResult): boolean {
  return entry.kind === 'step' && entry.purpose === 'journal' && reason.includes(entry.detail ?? '');
}

function inOneLine({ purpose, request, response, durationMs }: ExchangeEvidence): Markup {
  return html`<div class="step"><span class="what">${purpose}</span> <b class="st">${response?.status ?? 'no answer'}</b> <span class="t">${durationText(durationMs)}</span><code>${request.method} ${redacted(pathOf(request.url))}</code></div>`;
}

function step({ purpose, url, status, detail, durationMs }: StepEvidence): Markup {
  return html`<div class="step"><span class="what">${purpose}</span>${status === undefined ? '' : html` <b class="st">${status}</b>`}${durationMs === 0 ? '' : html` <span class="t">${durationText(durationMs)}</span>`}${url === undefined ? '' : html`<code>${redacted(url)}</code>`}${detail === undefined ? '' : html`<p>${redacted(detail)}</p>`}</div>`;
}

function exchange(entry: ExchangeEvidence, open: boolean): Markup {
  const { request, response, error, validation } = entry;
  const invalid = validation?.valid === false;
  return html`<details class="x"${open ? html` open` : ''}><summary><span class="what">${entry.purpose}</span><code>${request.method} ${redacted(pathOf(request.url))}</code>${invalid ? html`<span class="odd">shape differs</span>` : ''}<b class="st">${response?.status ?? 'no answer'}</b><span class="t">${durationText(entry.durationMs)}</span></summary>
<div class="pair"><div><p class="cap">Request</p>${message(`${request.method} ${request.url}`, request.headers, request.body)}</div><div>${answer(response, error)}</div></div>${validation === undefined ? '' : shape(validation)}</details>`;
}

function answer(response: ExchangeEvidence['response'], error: string | undefined): Markup {
  const missing = error === undefined ? '' : html`<p class="err">${redacted(error)}</p>`;
  if (response === undefined) return html`<p class="cap">No answer</p>${missing}`;
  return html`<p class="cap">Response <span>${bytes(response.bytes)}</span></p>${message(String(response.status), response.headers, response.body)}${missing}`;
}

function message(first: string, headers: readonly EvidenceHeader[], body: string | undefined): Markup {
  const lines = headers
    .filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()))
    .map(([name, value]) => html`\n${name}: ${redacted(value)}`);
  return html`<pre><b>${redacted(first)}</b>${lines}${body === undefined || body === '' ? '' : html`\n\n${redacted(body)}`}</pre>`;
}

function shape({ schema, valid, errors }: NonNullable<ExchangeEvidence['validation']>): Markup {
  if (valid) return html`<p class="shape">Has the shape of <code>${schema}</code>.</p>`;
  return html`<p class="shape">Differs from the shape of <code>${schema}</code>:</p><ul class="shape">${errors.map((error) => html`<li>${error}</li>`)}</ul>`;
}

function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/';
}

function bytes(count: number): string {
  return count < 1024 ? `${count} bytes` : `${(count / 1024).toFixed(1)} KiB`;
}
