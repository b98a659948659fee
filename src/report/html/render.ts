import { html } from 'hono/html';
import {
  type CatalogueView,
  type ClauseRows,
  frozenId,
  type OpenPointView,
  type ResultRow,
  rowsByClause,
} from '../catalogue-view.ts';
import type { Observation, Results } from '../results.ts';
import { totalsOf } from '../totals.ts';
import { BY_ATTENTION, RESULT_WORD, targetText, verdictText } from '../words.ts';
import { answerMarkup, bareSign, linkTo, type Markup, prose, sign } from './markup.ts';
import { attention, facts, masthead } from './masthead.ts';
import { wholePage } from './page.ts';
import { requirements } from './requirements.ts';

export function renderHtml(results: Results, view: CatalogueView): string {
  const clauses = rowsByClause(results, view);
  return wholePage({
    title: `${verdictText(results)}: ${targetText(results)}`,
    main: html`${masthead(results)}
${attention(results, clauses)}
${matrix(clauses)}
${facts(results)}
${requirements(clauses)}
${openPoints(results, view)}`,
    foot: html`The number of passes is out of the evaluated requirements. Ordinals replace secrets: the same <i>refresh_token#1</i> is the same secret everywhere on this page. Printing opens everything that the filter shows. If a pass has many exchanges, the page shows one line for each in the middle. It leaves out headers of the connection. <code>results.json</code> beside this file has everything.`,
  });
}

export function matrix(clauses: readonly ClauseRows[]): Markup {
  return html`<section aria-labelledby="h-matrix"><h2 id="h-matrix">Clauses and requirements</h2>
${legend(clauses)}
<table class="matrix"><thead class="vh"><tr><th>Clause</th><th>Requirements</th></tr></thead><tbody>${clauses.map(row)}</tbody></table></section>`;
}

function row({ clause, title, rows, unselected }: ClauseRows): Markup {
  const name = html`<span class="no">${clause}</span><span>${title}</span>`;
  const head = rows.length > 0 ? html`<a href="#clause-${clause}">${name}</a>` : html`<span>${name}</span>`;
  const empty = rows.length + unselected.length === 0;
  return html`<tr><th scope="row">${head}</th><td>${empty ? html`<span class="note">demands nothing</span>` : cells(rows, unselected)}</td></tr>`;
}

function cells(rows: ClauseRows['rows'], unselected: ClauseRows['unselected']): Markup {
  return html`<ul class="cells">${rows.map(cell)}${unselected.map(
    ({ id }) =>
      html`<li><span class="off" title="${id}: not selected"><span class="vh">${id}: not selected</span></span></li>`,
  )}</ul>`;
}

function cell({ result }: ResultRow): Markup {
  const name = `${result.id}: ${RESULT_WORD[result.result]}`;
  return html`<li><a href="#${result.id}" title="${name}" aria-label="${name}">${bareSign(result.result)}</a></li>`;
}

function legend(clauses: readonly ClauseRows[]): Markup {
  const results = clauses.flatMap(({ rows }) => rows.map(({ result }) => result));
  const present = BY_ATTENTION.filter((kind) => results.some(({ result }) => result === kind));
  const { selected } = totalsOf(results);
  const left = clauses.reduce((sum, { unselected }) => sum + unselected.length, 0);
  return html`<p class="legend">${present.map(
    (kind) =>
      html`<span>${sign(kind)} ${RESULT_WORD[kind]} ${results.filter(({ result }) => result === kind).length}</span> `,
  )}${left === 0 ? '' : html`<span><span class="off"></span> not selected ${left}</span>`} <span>${selected} selected</span></p>`;
}

export function openPoints(results: Results, view: CatalogueView): Markup {
  const seen = Map.groupBy(results.observations, ({ openPoint }) => openPoint);
  const known = view.openPoints.toSorted((a, b) => a.number - b.number);
  const observed = known.filter(({ id }) => seen.has(id));
  const unseen = known.filter(({ id }) => !seen.has(id));
  const strangers = [...seen.keys()].filter((id) => !known.some((point) => point.id === id));
  // A client's run has none.
  if (known.length === 0 && strangers.length === 0) return html``;
  return html`<section aria-labelledby="h-open"><h2 id="h-open">Open points</h2>
<p class="note">What the service’s document does not say. ${evaluatedOr(results)} “Since” is when an answer was first known to be so.</p>
${observed.map((point) => pointTable(point, seen.get(point.id) ?? [], results))}
${strangers.map((id) => pointTable({ id, question: 'not in the catalogue' }, seen.get(id) ?? [], results))}
${unseen.length === 0 ? '' : html`<h3>Not observed in this run</h3><ul class="unseen">${unseen.map(heading)}</ul>`}</section>`;
}

function evaluatedOr({ like }: Results): string {
  if (like === undefined) return 'Observed, never evaluated.';
  return `Checked against the recorded profile ${like.name}; see the requirements of level frozen.`;
}

function heading({ number, question, id }: OpenPointView): Markup {
  return html`<li><span class="no">${number}</span> ${prose(question)} <code>${id}</code></li>`;
}

type Point = Omit<OpenPointView, 'number'> & { readonly number?: number };

function pointTable(point: Point, observations: readonly Observation[], results: Results): Markup {
  const { id, number, question } = point;
  return html`<section class="point"><h3>${number === undefined ? '' : html`<span class="no">${number}</span> `}${prose(question)} <small>${id}</small></h3>
<table><thead><tr><th scope="col">Question</th><th scope="col">Answer</th><th scope="col">Since</th><th scope="col">Seen by</th></tr></thead><tbody>${observations.map(
    (observation) =>
      html`<tr><td>${prose(questionOf(point, observation.aspect))}</td><td>${answerMarkup(observation.answer)}</td><td>${sinceOf(observation, results)}</td><td>${linkTo(observation.seenBy)}</td></tr>`,
  )}</tbody></table></section>`;
}

function questionOf({ aspects = [] }: Point, aspect: string): string {
  const question = aspects.find(({ name }) => name === aspect)?.question;
  return question === undefined ? aspect : `${question} \`${aspect}\``;
}

/** Returns the date of an answer: of the frozen profile if the run was compared with it and agrees, else of this run. */
function sinceOf(
  { openPoint, aspect, answer }: Observation,
  { requirements, like, startedAt }: Results,
): string {
  const row = requirements.find(({ id, level }) => level === 'frozen' && id === frozenId(openPoint, aspect));
  const unchanged = row?.result === 'pass' && JSON.stringify(row.seen) === JSON.stringify(answer);
  if (unchanged) return like?.observedAt?.slice(0, 10) ?? `profile ${like?.name}`;
  return startedAt.slice(0, 10);
}
