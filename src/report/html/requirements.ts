import { html } from 'hono/html';
import type { ClauseRows, ResultRow } from '../catalogue-view.ts';
import { countText } from '../count-text.ts';
import type {
  Evidence,
  EvidenceHeader,
  ExchangeEvidence,
  RequirementResult,
  StepEvidence,
} from '../results.ts';
import { describeTotals } from '../verdict.ts';
import {
  decisiveExchange,
  definedRows,
  durationText,
  evidenceInOrder,
  examplesText,
  LEVEL_MEANING,
  RESULT_WORD,
  rerunText,
  wholeReason,
} from '../words.ts';
import { answerMarkup, bareSign, capital, linkTo, type Markup, redacted, sentences, sign } from './markup.ts';

export function requirements(clauses: readonly ClauseRows[]): Markup {
  return html`<section aria-labelledby="h-req"><h2 id="h-req">Requirements and evidence</h2>
${clauses.filter(({ rows }) => rows.length > 0).map(clauseSection)}</section>`;
}

function clauseSection({ clause, title, rows }: ClauseRows): Markup {
  return html`<section class="clause" id="clause-${clause}"><h3><span class="no">${clause}</span> ${title} <small>${describeTotals(rows.map(({ result }) => result))}</small></h3>${rows.map(requirementRow)}</section>`;
}

function requirementRow({ result, requirement }: ResultRow): Markup {
  return html`<details class="r"><summary>${sign(result.result)}<span class="id">${result.id}</span><span class="say">${sentences(requirement?.statement ?? '')}</span><span class="lv">${result.level}</span></summary>
<div class="in" id="${result.id}"><p class="statement">${sentences(requirement?.statement ?? 'The catalogue in use does not know this requirement.')}</p>
${why(result)}
${explained(requirement)}
<dl class="meta">${meta({ result, requirement }).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${evidence(result)}</div></details>`;
}

function why(result: ResultRow['result']): Markup {
  if (result.result === 'pass') return html``;
  const behind = result.blockedBy !== undefined && html` by ${linkTo(result.blockedBy)}`;
  return html`<div class="why ${result.result}"><b>${bareSign(result.result)} ${capital(RESULT_WORD[result.result])}${behind}</b><p>${sentences(capital(wholeReason(result)))}</p></div>`;
}

function alsoSeen(texts: readonly string[]): Markup {
  return html`<details class="draw"><summary>In ${countText(texts.length, 'other place')}</summary>${texts.map((text) => html`<span>${redacted(text)}</span><br>`)}</details>`;
}

function explained(requirement: ResultRow['requirement']): Markup {
  const { why: matters, how } = requirement ?? {};
  if (matters === undefined || how === undefined) return html``;
  return html`<dl class="meta">
<div><dt>Why it matters</dt><dd>${sentences(matters)}</dd></div>
<div><dt>How it is checked</dt><dd>${sentences(how)}</dd></div>
</dl>`;
}

function meta({ result, requirement }: ResultRow): readonly (readonly [string, Markup | string])[] {
  const clauses = requirement?.clauses ?? [result.clause];
  const { level, frozen, seen, missing = [], signature, earlierAttempts, examples, durationMs } = result;
  return definedRows<Markup | string>([
    [clauses.length > 1 ? 'Clauses' : 'Clause', clauseLinks(clauses, result.clause)],
    ['Level', `${level}: ${LEVEL_MEANING[level]}`],
    ['Recorded', frozen === undefined ? undefined : answerMarkup(frozen)],
    ['Seen', seen === undefined ? undefined : answerMarkup(seen)],
    ['Section', requirement?.rfc],
    ['Needs', requirement?.needs?.join(', ') || undefined],
    ['Missing', missing.join(', ') || undefined],
    ['Signature', signature && html`<code>${signature}</code>`],
    ['Rerun', earlierAttempts && rerunText(earlierAttempts)],
    ['Examples', examples && result.result === 'pass' ? examplesText(examples) : undefined],
    ['Also seen', result.alsoSeen && alsoSeen(result.alsoSeen)],
    // A client's requirements are evaluated together, so none has its own duration.
    ['Took', durationMs === 0 ? undefined : durationText(durationMs)],
    ['Link', html`<a href="#${result.id}">to this requirement</a>`],
  ]);
}

/** Links the clause whose section has the requirement: the page may lack the sections of the others. */
function clauseLinks(clauses: readonly string[], own: string): Markup {
  return html`${clauses.map((clause, index) => html`${index > 0 && ', '}${clause === own ? html`<a href="#clause-${clause}">${clause}</a>` : clause}`)}`;
}

const WHOLE = 2;

const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
]);

function evidence(result: RequirementResult): Markup {
  // A client's pass has its number of examples.
  if (result.evidence.length === 0 && result.durationMs === 0) return html``;
  if (result.evidence.length === 0) return html`<p class="note">No exchange stands behind this result.</p>`;
  const passed = result.result === 'pass';
  const opened = passed ? undefined : decisiveExchange(result);
  const entries = evidenceInOrder(result.evidence);
  const brief = (index: number) => passed && index >= WHOLE && index < entries.length - WHOLE;
  const shownWhole = (entry: Evidence, index: number) => {
    if (entry.kind === 'step') return step(entry);
    return brief(index) ? inOneLine(entry) : exchange(entry, entry === opened);
  };
  return html`<ol class="seq">${entries.map(
    (entry, index) => html`<li>${shownWhole(entry, index)}</li>`,
  )}</ol>`;
}

function inOneLine({ purpose, request, response, durationMs }: ExchangeEvidence): Markup {
  return html`<div class="step"><span class="what">${purpose}</span> <b class="st">${response?.status ?? 'no answer'}</b> <span class="t">${durationText(durationMs)}</span><code>${request.method} ${redacted(pathOf(request.url))}</code></div>`;
}

function step({ purpose, url, status, detail, durationMs }: StepEvidence): Markup {
  return html`<div class="step"><span class="what">${purpose}</span>${status !== undefined && html` <b class="st">${status}</b>`}${durationMs !== 0 && html` <span class="t">${durationText(durationMs)}</span>`}${url !== undefined && html`<code>${redacted(url)}</code>`}${detail !== undefined && html`<p>${redacted(detail)}</p>`}</div>`;
}

function exchange(entry: ExchangeEvidence, open: boolean): Markup {
  const { request, response, error, validation } = entry;
  const invalid = validation?.valid === false;
  return html`<details class="x"${open && html` open`}><summary><span class="what">${entry.purpose}</span><code>${request.method} ${redacted(pathOf(request.url))}</code>${invalid && html`<span class="odd">shape differs</span>`}<b class="st">${response?.status ?? 'no answer'}</b><span class="t">${durationText(entry.durationMs)}</span></summary>
<div class="pair"><div><p class="cap">Request</p>${message(`${request.method} ${request.url}`, request.headers, request.body)}</div><div>${answer(response, error)}</div></div>${validation && shape(validation)}</details>`;
}

function answer(response: ExchangeEvidence['response'], error: string | undefined): Markup {
  const missing = error !== undefined && html`<p class="err">${redacted(error)}</p>`;
  if (response === undefined) return html`<p class="cap">No answer</p>${missing}`;
  return html`<p class="cap">Response <span>${bytes(response.bytes)}</span></p>${message(String(response.status), response.headers, response.body)}${missing}`;
}

function message(first: string, headers: readonly EvidenceHeader[], body: string | undefined): Markup {
  const lines = headers
    .filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()))
    .map(([name, value]) => html`\n${name}: ${redacted(value)}`);
  return html`<pre><b>${redacted(first)}</b>${lines}${body && html`\n\n${redacted(body)}`}</pre>`;
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
