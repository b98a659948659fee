import { html } from 'hono/html';
import type { ClauseRows, ResultRow } from '../catalogue-view.ts';
import { describeTotals, totalsOf } from '../totals.ts';
import {
  BY_ATTENTION,
  durationText,
  examplesText,
  LEVEL_MEANING,
  present,
  RESULT_WORD,
  rerunText,
} from '../words.ts';
import { evidence } from './evidence.ts';
import { answerMarkup, linkTo, type Markup, prose, redacted, sentences, sign } from './markup.ts';

export function requirements(clauses: readonly ClauseRows[]): Markup {
  return html`<section aria-labelledby="h-req"><h2 id="h-req">Requirements and evidence</h2>
${toolbar(clauses)}
${clauses.filter(({ rows }) => rows.length > 0).map(clauseSection)}
<p id="none" class="note" hidden>No requirement fits. Clear the search or the filter.</p></section>`;
}

/** Stays hidden until the script runs, because the buttons need it. */
function toolbar(clauses: readonly ClauseRows[]): Markup {
  const results = clauses.flatMap(({ rows }) => rows.map(({ result }) => result));
  const present = BY_ATTENTION.filter((kind) => results.some(({ result }) => result === kind));
  return html`<div class="tools" hidden><label class="vh" for="q">Search requirements and evidence</label>
<input id="q" type="search" placeholder="Search, e.g. single-use or refresh_token#2" autocomplete="off" spellcheck="false"><label class="vh" for="clause">Clause</label>
<select id="clause" autocomplete="off"><option value="">All clauses</option>${clauses
    .filter(({ rows }) => rows.length > 0)
    .map(
      ({ clause, title }) => html`<option value="${clause}">${clause} ${title}</option>`,
    )}</select><p id="shown" role="status">${totalsOf(results).selected} shown</p>
<div role="group" aria-label="Filter by result">${present.map(
    (kind) =>
      html`<button type="button" data-filter="${kind}" aria-pressed="false">${sign(kind)} ${RESULT_WORD[kind]} <span>${results.filter(({ result }) => result === kind).length}</span></button>`,
  )}</div></div>`;
}

function clauseSection({ clause, title, rows }: ClauseRows): Markup {
  return html`<section class="clause" id="clause-${clause}"><h3><span class="no">${clause}</span> ${title} <small>${describeTotals(rows.map(({ result }) => result))}</small></h3>${rows.map(requirementRow)}</section>`;
}

function requirementRow({ result, requirement }: ResultRow): Markup {
  return html`<details class="r" data-result="${result.result}"><summary>${sign(result.result)}<span class="id">${result.id}</span><span class="say">${prose(requirement?.statement ?? '')}</span><span class="lv">${result.level}</span></summary>
<div class="in" id="${result.id}"><p class="statement">${prose(requirement?.statement ?? 'The catalogue in use does not know this requirement.')}</p>
${why(result)}
${explained(requirement)}
<dl class="meta">${meta({ result, ...(requirement && { requirement }) }).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${evidence(result)}</div></details>`;
}

function why(result: ResultRow['result']): Markup {
  if (result.result === 'pass') return html``;
  const behind = result.blockedBy === undefined ? '' : html` by ${linkTo(result.blockedBy)}`;
  return html`<div class="why ${result.result}"><b>${sign(result.result)} ${RESULT_WORD[result.result]}${behind}</b><p>${sentences(result.reason)}</p></div>`;
}

const SHOWN = 5;

function alsoSeen(texts: readonly string[]): Markup {
  const lines = (some: readonly string[]) => some.map((text) => html`<span>${redacted(text)}</span><br>`);
  const rest = texts.slice(SHOWN);
  return html`${lines(texts.slice(0, SHOWN))}${rest.length === 0 ? '' : html`<details class="draw"><summary>and ${rest.length} more</summary>${lines(rest)}</details>`}`;
}

function explained(requirement: ResultRow['requirement']): Markup {
  if (requirement?.explanation === undefined) return html``;
  const { why: matters, how } = requirement.explanation;
  return html`<dl class="meta">
<div><dt>Why it matters</dt><dd>${prose(matters)}</dd></div>
<div><dt>How it is checked</dt><dd>${prose(how)}</dd></div>
</dl>`;
}

function meta({ result, requirement }: ResultRow): readonly (readonly [string, Markup | string])[] {
  const clauses = requirement?.clauses ?? [result.clause];
  const { level, frozen, seen, missing = [], signature, madeAnew, examples, durationMs } = result;
  return present<Markup | string>([
    [clauses.length > 1 ? 'Clauses' : 'Clause', clauses.join(', ')],
    ['Level', `${level}: ${LEVEL_MEANING[level]}`],
    ['Since', result.since && sinceText(result)],
    ['Recorded', frozen === undefined ? undefined : answerMarkup(frozen)],
    ['Seen', seen === undefined ? undefined : answerMarkup(seen)],
    ['Section', requirement?.rfc],
    ['Needs', requirement?.needs?.join(', ') || undefined],
    ['Missing', missing.join(', ') || undefined],
    ['Signature', signature && html`<code>${signature}</code>`],
    ['Rerun', madeAnew && rerunText(madeAnew)],
    ['Examples', examples && result.result === 'pass' ? examplesText(examples) : undefined],
    ['Also seen', result.alsoSeen && alsoSeen(result.alsoSeen)],
    // A client's requirements are evaluated together, so none has its own duration.
    ['Took', durationMs === 0 ? undefined : durationText(durationMs)],
    ['Link', html`<a href="#${result.id}">to this requirement</a>`],
  ]);
}

function sinceText({ since, notAdopted }: ResultRow['result']): string {
  return notAdopted ? `${since}, not adopted: decides nothing` : `${since}`;
}
