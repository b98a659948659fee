import { html } from 'hono/html';
import {
  type CatalogueView,
  type ClauseRows,
  type OpenPointView,
  type ResultRow,
  rowsByClause,
} from '../catalogue-view.ts';
import type { Listing } from '../listing.ts';
import type { Observation, Results } from '../results.ts';
import { resultsListing } from '../results-listing.ts';
import { ofKind } from '../verdict.ts';
import { definedRows, durationText, kindsIn, momentText, RESULT_WORD, targetText } from '../words.ts';
import { listingMarkup, wholePage } from './listing-page.ts';
import { answerMarkup, bareSign, capital, linkTo, type Markup, sentences } from './markup.ts';
import { requirements } from './requirements.ts';

export function renderHtml(results: Results, view: CatalogueView): string {
  const clauses = rowsByClause(results, view);
  const listing = resultsListing(results, view, undefined, 'page');
  return wholePage(
    `${listing.verdict}: ${listing.subject}`,
    html`${listingMarkup(listing, new Set(results.requirements.map(({ id }) => id)))}
${notExercised(results)}
${matrix(clauses)}
${facts(results, listing)}
${requirements(clauses)}
${openPoints(results, view)}`,
    html`The number of passes is out of the evaluated requirements. Ordinals replace secrets: the same <i>refresh_token#1</i> is the same secret everywhere on this page. Printing opens everything. If a pass has many exchanges, the page shows one line for each in the middle. It leaves out headers of the connection. <code>results.json</code> beside this file has everything. The statements are the suite’s words for the clauses of the service’s document; <code>docs/reference/document.md</code> in the package has them all.`,
  );
}

/** The requirements that a client's run left out; those that its own tests can exercise come first. */
function notExercised({ requirements }: Results): Markup {
  const left = ofKind(requirements, 'not-exercised')
    .map(({ id, reason, missing }) => ({ id, how: reason, app: missing !== undefined }))
    .toSorted((a, b) => Number(a.app) - Number(b.app));
  if (left.length === 0) return html``;
  return html`<section class="point left" aria-labelledby="h-left"><h2 id="h-left">Not exercised</h2>
<table><thead><tr><th scope="col">Requirement</th><th scope="col">To exercise it</th><th scope="col">Only with --app</th></tr></thead><tbody>${left.map(
    ({ id, how, app }) =>
      html`<tr><td>${linkTo(id)}</td><td>${sentences(capital(how))}</td><td>${app && 'Only with --app'}</td></tr>`,
  )}</tbody></table></section>`;
}

function facts(results: Results, { facts: known = [] }: Listing): Markup {
  const { target, client, startedAt } = results;
  const { page, cookies } = target.grants;
  const ofService = <T>(value: T) => (client === undefined ? value : undefined);
  const rows = definedRows<Markup | string | readonly string[]>([
    ['client', client?.name],
    ['target', client && targetText({ target })],
    ...known,
    ['abilities', ofService(target.abilities.length === 0 ? 'none' : target.abilities)],
    [
      'codes obtained',
      ofService(`${page} through pages in the browser, ${cookies} through the signed-in browser’s cookies`),
    ],
    ['selection', results.selection],
    ['strict', results.strict ? 'yes: warnings violate' : 'no: warnings do not violate'],
    ['started', html`<time datetime="${startedAt}">${momentText(startedAt)}</time>`],
    ['took', durationText(results.durationMs)],
    ['suite', `legacy-api-conformance ${results.suiteVersion}`],
    ['digest of the requirements', [results.catalogueDigest]],
    ['exit code', String(results.exitCode)],
  ]);
  return html`<section aria-labelledby="h-run"><h2 id="h-run">The run</h2>
<dl class="facts">${rows.map(([term, value]) => html`<div><dt>${capital(term)}</dt><dd>${Array.isArray(value) ? codes(value) : value}</dd></div>`)}</dl></section>`;
}

function codes(values: readonly string[]): Markup {
  return html`${values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`)}`;
}

function matrix(clauses: readonly ClauseRows[]): Markup {
  return html`<section aria-labelledby="h-matrix"><h2 id="h-matrix">Clauses and requirements</h2>
${legend(clauses)}
<table class="matrix"><thead class="vh"><tr><th>Clause</th><th>Requirements</th></tr></thead><tbody>${clauses.map(row)}</tbody></table></section>`;
}

function row({ clause, title, rows, unselected }: ClauseRows): Markup {
  const name = html`<span class="no">${clause}</span> <span>${title}</span>`;
  const head = rows.length > 0 ? html`<a href="#clause-${clause}">${name}</a>` : html`<span>${name}</span>`;
  const empty = rows.length + unselected.length === 0;
  return html`<tr><th scope="row">${head}</th><td>${empty ? html`<span class="note">Demands nothing</span>` : cells(rows, unselected)}</td></tr>`;
}

function cells(rows: ClauseRows['rows'], unselected: ClauseRows['unselected']): Markup {
  return html`<ul class="cells">${rows.map(cell)}${unselected.map(
    ({ id }) =>
      html`<li><span class="off" title="${id}: not selected"><span class="vh">${id}: not selected</span></span></li>`,
  )}</ul>`;
}

function cell({ result }: ResultRow): Markup {
  const name = `${result.id}: ${RESULT_WORD[result.result]}`;
  return html`<li><a href="#${result.id}" title="${name}">${bareSign(result.result)}<span class="vh">${name}</span></a></li>`;
}

function legend(clauses: readonly ClauseRows[]): Markup {
  const results = clauses.flatMap(({ rows }) => rows.map(({ result }) => result));
  const left = clauses.reduce((sum, { unselected }) => sum + unselected.length, 0);
  return html`<p class="legend">${kindsIn(results).map(
    ([kind, count]) => html`<span>${bareSign(kind)} ${capital(RESULT_WORD[kind])} ${count}</span> `,
  )}${left !== 0 && html`<span><span class="off"></span> Not selected ${left}</span>`} <span>${results.length} selected</span></p>`;
}

function openPoints(results: Results, view: CatalogueView): Markup {
  const seen = Map.groupBy(results.observations, ({ openPoint }) => openPoint);
  const known = view.openPoints.toSorted((a, b) => a.number - b.number);
  const observed = known.filter(({ id }) => seen.has(id));
  const unseen = known.filter(({ id }) => !seen.has(id));
  const strangers = [...seen.keys()].filter((id) => !known.some((point) => point.id === id));
  // A client's run has none.
  if (known.length === 0 && strangers.length === 0) return html``;
  return html`<section aria-labelledby="h-open"><h2 id="h-open">Open points</h2>
<p class="note">What the service’s document does not say. ${evaluatedOr(results)}</p>
${observed.map((point) => pointTable(point, seen.get(point.id) ?? []))}
${strangers.map((id) => pointTable({ id, question: 'not in the catalogue' }, seen.get(id) ?? []))}
${unseen.length > 0 && html`<h3>Not observed in this run</h3><ul class="unseen">${unseen.map(heading)}</ul>`}</section>`;
}

function evaluatedOr({ like }: Results): string {
  if (like === undefined) return 'Observed, never evaluated.';
  return `Checked against the recorded profile ${like.name}; see the requirements of level frozen.`;
}

function heading({ number, question, id }: OpenPointView): Markup {
  return html`<li><span class="no">${number}</span> ${sentences(question)} <code>${id}</code></li>`;
}

type Point = Omit<OpenPointView, 'number'> & { readonly number?: number };

function pointTable(point: Point, observations: readonly Observation[]): Markup {
  const { id, number, question } = point;
  return html`<section class="point"><h3>${number !== undefined && html`<span class="no">${number}</span> `}${sentences(question)} <small>${id}</small></h3>
<table><thead><tr><th scope="col">Question</th><th scope="col">Answer</th><th scope="col">Seen by</th></tr></thead><tbody>${observations.map(
    (observation) =>
      html`<tr><td>${sentences(questionOf(point, observation.aspect))}</td><td>${answerMarkup(observation.answer)}</td><td>${linkTo(observation.seenBy)}</td></tr>`,
  )}</tbody></table></section>`;
}

function questionOf({ aspects = [] }: Point, aspect: string): string {
  const question = aspects.find(({ name }) => name === aspect)?.question;
  return question === undefined ? aspect : `${question} \`${aspect}\``;
}
