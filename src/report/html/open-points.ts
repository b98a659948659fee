import { html } from 'hono/html';
import { type CatalogueView, frozenId, type OpenPointView } from '../catalogue-view.ts';
import type { Observation, Results } from '../results.ts';
import { answerMarkup, linkTo, type Markup, prose } from './markup.ts';

export function openPoints(results: Results, view: CatalogueView): Markup {
  const seen = Map.groupBy(results.observations, ({ openPoint }) => openPoint);
  const known = view.openPoints.toSorted((a, b) => a.number - b.number);
  const observed = known.filter(({ id }) => seen.has(id));
  const unseen = known.filter(({ id }) => !seen.has(id));
  const strangers = [...seen.keys()].filter((id) => !known.some((point) => point.id === id));
  // A client's run has none.
  if (known.length === 0 && strangers.length === 0) return html``;
  return html`<section aria-labelledby="h-open"><h2 id="h-open">Open points</h2>
<p class="note">What the service’s document does not say. ${judgedOr(results)} “Since” is when an answer was first known to be so.</p>
${observed.map((point) => pointTable(point, seen.get(point.id) ?? [], results))}
${strangers.map((id) => pointTable({ id, question: 'not in the catalogue' }, seen.get(id) ?? [], results))}
${unseen.length === 0 ? '' : html`<h3>Not observed in this run</h3><ul class="unseen">${unseen.map(heading)}</ul>`}</section>`;
}

function judgedOr({ like }: Results): string {
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
