import { html } from 'hono/html';
import type { Sign } from '../listing.ts';
import type { ResultKind } from '../results.ts';
import { RESULT_WORD } from '../words.ts';

/** Escaped HTML from the `html` tag. Templates escape every other value. */
export type Markup = ReturnType<typeof html>;

/** Renders a result's sign with shape and colour, and a word for screen readers. */
export function sign(kind: ResultKind): Markup {
  return html`<svg class="g ${kind}" width="16" height="16" role="img" aria-label="${capital(RESULT_WORD[kind])}"><use href="#g-${kind}"/></svg>`;
}

/** Renders the sign alone, where a word beside it says the same. */
export function bareSign(kind: Sign): Markup {
  return html`<svg class="g ${kind}" width="16" height="16" aria-hidden="true"><use href="#g-${kind}"/></svg>`;
}

/** Links to a requirement's row. Works without script: the target sits inside the row's details. */
export function linkTo(id: string): Markup {
  return html`<a class="id" href="#${id}">${id}</a>`;
}

const ORDINAL = /<([a-z_]+#\d+|hidden)>/;

export function redacted(text: string): Markup {
  const parts = text.split(ORDINAL).map((part, index) => (index % 2 === 1 ? html`<i>${part}</i>` : part));
  return html`${parts}`;
}

/** Renders sentences of a run: backquotes mark names and values, and redacted secrets are set apart. Keeps an odd backquote. */
export function sentences(text: string): Markup {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return redacted(text);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${redacted(part)}</code>` : redacted(part)))}`;
}

/** Renders labels in a column of their own, each beside its text. */
export function labelled(rows: readonly (readonly [label: string, text: string])[]): Markup {
  return html`<dl class="said">${rows.map(([label, text]) => html`<div><dt>${label}</dt><dd>${sentences(capital(text))}</dd></div>`)}</dl>`;
}

/** Begins each line with a capital, unless it begins with a name. */
export function capital(text: string): string {
  return text.replace(/^[a-z](?=[a-z]*(?:[\s,;:]|$))/gm, (first) => first.toUpperCase());
}

export function answerMarkup(answer: unknown): Markup {
  const text = typeof answer === 'string' && answer !== '' ? answer : (JSON.stringify(answer) ?? 'undefined');
  return html`<code>${redacted(text)}</code>`;
}

/** The signs, drawn once and used by reference. Solid: evaluated; outlined: not evaluated. */
export const SIGNS: Markup = html`<svg hidden width="0" height="0"><defs>
<symbol id="g-pass" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="currentColor"/><path d="M4.6 8.3l2.3 2.3 4.5-4.9" class="cut"/></symbol>
<symbol id="g-fail" viewBox="0 0 16 16"><path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor"/><path d="M5.3 5.3l5.4 5.4m0-5.4l-5.4 5.4" class="cut"/></symbol>
<symbol id="g-warning" viewBox="0 0 16 16"><path d="M8 .9l7.4 13.6H.6z" fill="currentColor" stroke="currentColor" stroke-linejoin="round"/><path d="M8 5.6v4.2m0 1.7v.8" class="cut"/></symbol>
<symbol id="g-known-deviation" viewBox="0 0 16 16"><path d="M8 .4L15.6 8 8 15.6.4 8z" fill="currentColor"/><path d="M4.4 7.1c1.2-1.2 2.4-1.2 3.6 0s2.4 1.2 3.6 0m-7.2 2.9c1.2-1.2 2.4-1.2 3.6 0s2.4 1.2 3.6 0" class="cut thin"/></symbol>
<symbol id="g-not-applicable" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line"/><path d="M5 8h6" class="line"/></symbol>
<symbol id="g-blocked" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line"/><path d="M3.7 12.3l8.6-8.6" class="line"/></symbol>
<symbol id="g-not-run" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line" stroke-dasharray="2.6 2.3"/><path d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2m0 1.7v.7" class="line"/></symbol>
<symbol id="g-inconclusive" viewBox="0 0 16 16"><rect x="1.2" y="1.2" width="13.6" height="13.6" rx="3" class="line"/><path d="M5.9 6.1a2.1 2.1 0 1 1 3.1 2c-.7.4-1 .8-1 1.5m0 1.9v.8" class="line"/></symbol>
<symbol id="g-not-exercised" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line" stroke-dasharray="1.2 2.2"/></symbol>
<symbol id="g-observed" viewBox="0 0 16 16"><path d="M1.5 8s2.4-4.2 6.5-4.2S14.5 8 14.5 8s-2.4 4.2-6.5 4.2S1.5 8 1.5 8z" class="line"/><circle cx="8" cy="8" r="1.9" fill="currentColor"/></symbol>
</defs></svg>`;
