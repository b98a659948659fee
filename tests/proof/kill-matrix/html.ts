import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { RequirementId } from '../../../generated/ids.ts';
import type { Catalogue, Clause } from '../../../src/catalogue/types.ts';
import { SCRIPT, STYLE } from './html-style.ts';
import { type Matrix, problemsOf } from './matrix.ts';
import type { MatrixRow } from './matrix-row.ts';

type Markup = ReturnType<typeof html>;

/** One cell that is no pass. */
interface Cell {
  /** `k s` killed by a fail, `k w` killed by a warning, `b` blocked, `x` missed or extra, `e` error. */
  readonly mark: string;
  readonly says: string;
}

/**
 * The matrix as one page that needs nothing else: requirements from left to right, defects from top to bottom, both by
 * clause, headings that stay in sight; then every defect with its reasons.
 *
 * @returns a whole HTML document
 */
export function matrixHtml(matrix: Matrix, catalogue: Catalogue): string {
  const clauses = catalogue.clauses.filter(({ requirements }) => requirements.length > 0);
  const problems = problemsOf(matrix);
  const exact = matrix.rows.filter((row) => row.problems.length === 0).length;
  const policy = `default-src 'none'; style-src '${digest(STYLE)}'; script-src '${digest(SCRIPT)}'; img-src data:`;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kill matrix: ${exact} of ${matrix.rows.length} defects killed exactly</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style></head><body>
<header><h1>${exact} of ${matrix.rows.length} defects killed exactly</h1>
<p class="soft">Every defect of the emulator against all ${catalogue.requirements.length} checks, each on a fresh emulator with the profile ${matrix.profile}. A defect is killed exactly when the checks of what it breaks fail, and no others.</p>
<ul class="legend"><li><b class="k s"></b>killed: the check failed</li><li><b class="k w"></b>killed by a warning</li><li><b class="b"></b>blocked behind a kill</li><li><b class="x"></b>missed, or extra</li><li><b class="e"></b>proved nothing</li><li><b></b>pass</li></ul>
${problems.length === 0 ? '' : html`<h2>${problems.length} to look at</h2><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul>`}
</header>
<div class="wrap"><table class="m">
${head(clauses, matrix)}
${clauses.map((clause) => body(clause, clauses, matrix))}
</table></div><p id="at" class="soft" aria-live="off"></p>
<section class="text"><h2>Every defect</h2>${clauses.map((clause) => details(clause, matrix))}</section>
<script>${raw(SCRIPT)}</script></body></html>
`;
  if (page instanceof Promise) throw new Error('the page holds an asynchronous part: render it beforehand');
  return page.toString();
}

function head(clauses: readonly Clause[], { rows }: Matrix): Markup {
  const kills = (id: RequirementId) => rows.filter((row) => row.killed.some((kill) => kill.id === id)).length;
  return html`<thead><tr class="c"><th class="corner">clause</th>${clauses.map(
    (clause) =>
      html`<th class="end" colspan="${clause.requirements.length}" title="${clause.title}">${clause.clause}</th>`,
  )}</tr>
<tr class="q"><th class="corner">requirement</th>${eachRequirement(clauses, (id, end) => html`<th${end}><span>${id}</span></th>`)}</tr>
<tr class="n"><th class="corner">killed by</th>${eachRequirement(clauses, (id, end) => html`<th${end}>${kills(id)}</th>`)}</tr></thead>`;
}

function body(clause: Clause, clauses: readonly Clause[], matrix: Matrix): Markup {
  const rows = matrix.rows.filter(({ facts }) => facts.clause === clause.clause);
  if (rows.length === 0) return html``;
  const width = clauses.reduce((sum, { requirements }) => sum + requirements.length, 0);
  return html`<tbody><tr class="g"><th>${clause.clause} ${clause.title}</th><td colspan="${width}"></td></tr>
${rows.map((row) => {
  const cells = cellsOf(row);
  return html`<tr${row.problems.length === 0 ? '' : html` class="bad"`}><th><a href="#${row.facts.id}" title="${row.facts.summary}">${row.facts.id}</a></th>${eachRequirement(
    clauses,
    (id, end) => {
      const cell = cells.get(id);
      if (cell === undefined) return html`<td${end}></td>`;
      return html`<td class="${cell.mark}${String(end) === '' ? '' : ' end'}" title="${cell.says}"></td>`;
    },
  )}</tr>
`;
})}</tbody>`;
}

/** `end` is the attribute of the last column of a clause. */
function eachRequirement(
  clauses: readonly Clause[],
  draw: (id: RequirementId, end: Markup | '') => Markup,
): readonly Markup[] {
  return clauses.flatMap(({ requirements }) =>
    requirements.map(({ id }, index) =>
      draw(id, index === requirements.length - 1 ? html` class="end"` : ''),
    ),
  );
}

function cellsOf(row: MatrixRow): ReadonlyMap<RequirementId, Cell> {
  const cells = new Map<RequirementId, Cell>();
  for (const { id, behind } of row.blocked) cells.set(id, { mark: 'b', says: `blocked behind ${behind}` });
  for (const { id, reason, result } of row.killed) {
    cells.set(id, { mark: result === 'fail' ? 'k s' : 'k w', says: `${result}: ${reason}` });
  }
  for (const { id, came } of row.misses) cells.set(id, { mark: 'x', says: `missed, came ${came}` });
  for (const { id, came } of row.extras) cells.set(id, { mark: 'x', says: `extra, came ${came}` });
  for (const { id, came } of row.errors) cells.set(id, { mark: 'e', says: `proved nothing, came ${came}` });
  return cells;
}

function details({ clause, title }: Clause, { rows }: Matrix): Markup {
  const own = rows.filter(({ facts }) => facts.clause === clause);
  if (own.length === 0) return html``;
  return html`<h3>${clause} ${title}</h3><dl class="d">${own.map(
    ({
      facts,
      killed,
      problems,
      inBrowser,
    }) => html`<dt id="${facts.id}"><b class="id">${facts.id}</b> <span class="soft">${facts.severity}${facts.reference === undefined ? '' : `, seen in ${facts.reference}`}${inBrowser === undefined ? '' : ', in the browser too'}</span></dt>
<dd>${facts.summary}</dd>${killed.map(({ id, reason }) => html`<dd class="soft"><span class="id">${id}</span> ${reason}</dd>`)}${problems.map((problem) => html`<dd class="p">${problem}</dd>`)}
`,
  )}</dl>`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
