import { html } from 'hono/html';
import { type Markup, redacted } from '../report/html/markup.ts';
import { wholePage } from '../report/html/page.ts';
import type { ResultKind } from '../report/results.ts';
import type { RunOutcome } from '../report/verdict.ts';
import { durationWords } from '../report/words.ts';
import { endingWord, reasonsIn, standingGroups, totalsLines } from './render-verification.ts';
import type { InteractionOutcome, PactOutcome, Verification } from './verify/outcome.ts';

const SIGN_OF_EXIT: Readonly<Record<RunOutcome['exitCode'], ResultKind>> = {
  0: 'pass',
  1: 'fail',
  2: 'warning',
  3: 'not-run',
  4: 'warning',
};

export function verificationPage(
  verification: Verification,
  outcome: RunOutcome,
  told: readonly string[] = [],
): string {
  const word = endingWord(outcome, verification);
  const sentences = [...outcome.because, ...told];
  return wholePage({
    title: `Pacts: ${word}`,
    main: html`<header class="top"><p class="eyebrow"><span>Verification of <b>${pactsWords(verification)}</b></span>
<button type="button" id="theme" hidden>Theme: <span>system</span></button></p>
<h1>${shape(SIGN_OF_EXIT[outcome.exitCode])}<span>${capital(word)}</span></h1>
${totalsLines(verification).map((line) => html`<p class="totals">${capital(line)}</p>`)}
${sentences.length === 0 ? '' : html`<ul class="because">${sentences.map((sentence) => html`<li>${redacted(sentence)}</li>`)}</ul>`}</header>
${standingGroups(verification).map(
  ({ heading, pacts }) =>
    html`${heading === undefined ? '' : html`<p class="note">${heading}</p>`}${pacts.map(pactSection)}`,
)}`,
    foot: html`Secrets are replaced by ordinals. A <b>given</b> is the provider state that the suite brought about before the request was sent.`,
  });
}

function pactsWords({ pacts }: Verification): string {
  return pacts.length === 1 ? '1 pact' : `${pacts.length} pacts`;
}

function pactSection({ consumer, provider, source, why, warnings, interactions }: PactOutcome): Markup {
  const remarks = [
    ...why.flatMap(reasonsIn).map((reason) => `because: ${reason}`),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return html`<section><h2>${consumer} → ${provider}</h2><p class="note"><code>${source}</code></p>
${remarks.length === 0 ? '' : html`<ul class="because">${remarks.map((remark) => html`<li>${redacted(remark)}</li>`)}</ul>`}
<ul class="look">${interactions.map(interactionEntry)}</ul></section>`;
}

function interactionEntry(outcome: InteractionOutcome): Markup {
  const { description, states, reasons, durationMs } = outcome;
  const [kind, word] = standingOf(outcome);
  const given = states.length === 0 ? '' : html` <span class="lv">given ${states.join(' and ')}</span>`;
  return html`<li>${shape(kind)}<div class="grow"><b>${word}</b> ${description}${given} <span class="lv">${durationWords(durationMs)}</span>${reasons.map((reason) => html`<p>${redacted(reason)}</p>`)}</div></li>`;
}

function standingOf({ result, pending }: InteractionOutcome): readonly [ResultKind, string] {
  if (result === 'verified') return ['pass', 'Verified'];
  if (result === 'not-run') return ['not-run', 'Not run'];
  return pending ? ['warning', 'Pending'] : ['fail', 'Failed'];
}

function shape(kind: ResultKind): Markup {
  return html`<svg class="g ${kind}" aria-hidden="true"><use href="#g-${kind}"/></svg>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
