import { html } from 'hono/html';
import type { BesideFile, BesideStory } from '../../generated/schemas.d.ts';
import { type Markup, prose, redacted, sentences } from '../report/html/markup.ts';
import { wholePage } from '../report/html/page.ts';
import type { ResultKind } from '../report/results.ts';
import { countOf, notComparedLines, parityLines, remarksOn } from './text.ts';

const SIGN: Readonly<Record<BesideFile['verdict'], ResultKind>> = {
  alike: 'pass',
  differs: 'warning',
  inconclusive: 'not-run',
  broken: 'fail',
};

export function besidePage(file: BesideFile): string {
  const { left, right, verdict, differences, because, noise } = file;
  const remarks = [...because, ...parityLines(file), ...notComparedLines(file)];
  return wholePage({
    title: `${left.name} beside ${right.name}: ${countOf(file)}`,
    main: html`<header class="top"><p class="eyebrow"><span><b>${left.name}</b> (left) beside <b>${right.name}</b> (right)</span>
<button type="button" id="theme" hidden>Theme: <span>system</span></button></p>
<h1>${shape(SIGN[verdict])}<span>${countOf(file)}</span></h1>
<ul class="because">${remarks.map((remark) => html`<li>${sentences(remark)}</li>`)}
${noise.map(({ side, asked, facet }) => html`<li>noise: the ${side} side answers <code>${asked}</code> differently each time: ${facet}</li>`)}</ul></header>
${differences.length === 0 ? '' : html`<section aria-labelledby="h-differences"><h2 id="h-differences">Differences</h2><ul class="look">${differences.map((entry) => entryMarkup(file, entry))}</ul></section>`}`,
    foot: html`Both sides played the same stories. Names such as <code>pair 2</code> and users such as <code>1</code> stand for the same place on both.`,
  });
}

function entryMarkup(file: BesideFile, entry: BesideFile['differences'][number]): Markup {
  const { about, question, breaks, probe, story } = entry;
  return html`<li id="${about}">${shape('warning')}<div class="grow"><b>${about}</b>${breaks === undefined ? '' : html` <span class="lv">a client breaks: ${breaks}</span>`}
${question === undefined ? '' : html`<p>${prose(question)}</p>`}
${probe === undefined ? '' : html`<p>Asked by a probe:</p>${sides(file, probe.left, probe.right)}`}
${story === undefined ? '' : storyMarkup(file, story)}</div></li>`;
}

function storyMarkup(file: BesideFile, story: BesideStory): Markup {
  const { steps, facet, left, right, alsoInThisAnswer } = story;
  const side = (own: 'left' | 'right', first: string) =>
    [`${facet}: ${first}`, ...alsoInThisAnswer.map((one) => `${one.facet}: ${one[own]}`)].join('\n');
  return html`<pre>${redacted(steps.map(({ words }, index) => `${index + 1}. ${words}`).join('\n'))}</pre>
${sides(file, side('left', left), side('right', right))}
${remarksOn(story).map((remark) => html`<p>${remark}</p>`)}`;
}

function sides({ left, right }: BesideFile, one: string, other: string): Markup {
  return html`<div class="sides"><div><p class="cap">${left.name}</p><pre>${redacted(one)}</pre></div><div><p class="cap">${right.name}</p><pre>${redacted(other)}</pre></div></div>`;
}

function shape(kind: ResultKind): Markup {
  return html`<svg class="g ${kind}" aria-hidden="true"><use href="#g-${kind}"/></svg>`;
}
