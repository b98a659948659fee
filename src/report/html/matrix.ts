import { html } from 'hono/html';
import type { ClauseRows, ResultRow } from '../catalogue-view.ts';
import { totalsOf } from '../totals.ts';
import { BY_ATTENTION, RESULT_WORD } from '../words.ts';
import { type Markup, sign } from './markup.ts';

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
  return html`<li><a href="#${result.id}" title="${name}" aria-label="${name}"><svg class="g ${result.result}" aria-hidden="true"><use href="#g-${result.result}"/></svg></a></li>`;
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
