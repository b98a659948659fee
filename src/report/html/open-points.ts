import { html } from 'hono/html';
import type { CatalogueView, OpenPointView } from '../catalogue-view.ts';
import type { Observation, Results } from '../results.ts';
import { linkTo, type Markup, prose, redacted } from './markup.ts';

/** What the document leaves open, and what the target was seen to do there. Points that nobody looked at are named. */
export function openPoints(results: Results, view: CatalogueView): Markup {
  const seen = Map.groupBy(results.observations, ({ openPoint }) => openPoint);
  const known = view.openPoints.toSorted((a, b) => a.number - b.number);
  const observed = known.filter(({ id }) => seen.has(id));
  const unseen = known.filter(({ id }) => !seen.has(id));
  const strangers = [...seen.keys()].filter((id) => !known.some((point) => point.id === id));
  return html`<section aria-labelledby="h-open"><h2 id="h-open">Open points</h2>
<p class="note">What the service’s document does not say. Observed, never judged.</p>
${observed.map((point) => pointTable(point, seen.get(point.id) ?? []))}
${strangers.map((id) => pointTable({ id, question: 'not in the catalogue' }, seen.get(id) ?? []))}
${unseen.length === 0 ? '' : html`<h3>Not observed in this run</h3><ul class="unseen">${unseen.map(heading)}</ul>`}</section>`;
}

function heading({ number, question, id }: OpenPointView): Markup {
  return html`<li><span class="no">${number}</span> ${prose(question)} <code>${id}</code></li>`;
}

type Point = Omit<OpenPointView, 'number'> & { readonly number?: number };

function pointTable({ id, number, question }: Point, observations: readonly Observation[]): Markup {
  return html`<section class="point"><h3>${number === undefined ? '' : html`<span class="no">${number}</span> `}${prose(question)} <small>${id}</small></h3>
<table><thead><tr><th scope="col">Aspect</th><th scope="col">Seen</th><th scope="col">Seen by</th></tr></thead><tbody>${observations.map(
    ({ aspect, answer, seenBy }) =>
      html`<tr><td>${aspect}</td><td><code>${redacted(answerText(answer))}</code></td><td>${linkTo(seenBy)}</td></tr>`,
  )}</tbody></table></section>`;
}

/** Text without quotation marks when it needs none; anything else as JSON. */
function answerText(answer: unknown): string {
  return typeof answer === 'string' && answer !== '' ? answer : (JSON.stringify(answer) ?? 'undefined');
}
