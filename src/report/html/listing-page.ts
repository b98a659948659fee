import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type Block, type Entry, type Listing, SIGN_OF_EXIT } from '../listing.ts';
import { printableMarkup } from '../printable.ts';
import type { ResultKind } from '../results.ts';
import { RESULT_WORD } from '../words.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export function listingPage(listing: Listing): string {
  const { subject, verdict, exitCode, foot = '' } = listing;
  return wholePage(`${verdict}: ${subject}`, listingMarkup(listing), html`Exit code ${exitCode}. ${foot}`);
}

/**
 * Renders the head and the entries of a listing.
 *
 * @param rows ids with a row elsewhere on the page, to which entries link; without them each entry is a place of its own
 */
export function listingMarkup(
  { subject, verdict, exitCode, totals, remarks, background = [], blocks }: Listing,
  rows?: ReadonlySet<string>,
): Markup {
  return html`<header class="top"><p class="eyebrow"><b>${subject}</b></p>
<h1>${bareSign(SIGN_OF_EXIT[exitCode])}<span>${capital(verdict)}</span></h1>
${totals === '' ? '' : html`<p class="totals">${capital(totals)}</p>`}${list(remarks)}</header>
${blocks.filter(({ entries }) => entries.length > 0).map((block) => section(block, rows))}
${background.length === 0 ? '' : html`<details class="about"><summary>About this run</summary>${list(background)}</details>`}`;
}

function list(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return html``;
  return html`<ul class="because">${remarks.map((remark) => html`<li>${sentences(capital(remark))}</li>`)}</ul>`;
}

function section(
  { heading = 'What to look at', notes = [], entries }: Block,
  rows: ReadonlySet<string> | undefined,
): Markup {
  return html`<section><h2>${heading}</h2>${list(notes)}<ul class="look">${entries.map((entry) => entryMarkup(entry, rows))}</ul></section>`;
}

function entryMarkup(entry: Entry, rows: ReadonlySet<string> | undefined): Markup {
  const { sign, word, name, aside, about = [], reason = [], lines = [], ids = [], quote, sides = [] } = entry;
  const isRow = (text: string) => rows?.has(text) === true;
  const seen = [reason]
    .flat()
    .map((text, index) => (about.length > 0 && index === 0 ? `Seen: ${text}` : text));
  const paragraphs = [...about, ...seen, ...lines];
  return html`<li${rows === undefined ? html` id="${name}"` : ''}>${bareSign(sign)}<div class="grow"><b>${capital(word)}</b> ${rows === undefined || isRow(name) ? linkTo(name) : redacted(name)}${aside === undefined ? '' : html` <span class="lv">${aside}</span>`}
${paragraphs.map((line) => html`<p>${sentences(line)}</p>`)}
${ids.length === 0 ? '' : html`<p class="ids">${ids.map((id) => html`${linkTo(id)} `)}</p>`}
${quote === undefined || rows !== undefined ? '' : html`<pre>${redacted(quote)}</pre>`}
${sides.length === 0 ? '' : html`<div class="sides">${sides.map(([label, text]) => html`<div><p class="cap">${label}</p><pre>${redacted(text)}</pre></div>`)}</div>`}</div></li>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Builds a self-contained page: no network, no font, and no script for reading. Its policy allows only this project's script and
 * style, so that a target's answer cannot act in the browser even if escaping fails.
 */
export function wholePage(title: string, main: Markup, foot: Markup): string {
  const policy = [
    "default-src 'none'",
    `style-src '${digest(STYLE)}'`,
    `script-src '${digest(SCRIPT)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
${raw(OUR_PAGE)}
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style></head><body>
${SIGNS}
<main>${main}
</main>
<footer><p>${foot}</p></footer>
<script>${raw(SCRIPT)}</script></body></html>
`;
  if (page instanceof Promise) throw new Error('the page holds an asynchronous part: render it beforehand');
  return printableMarkup(page.toString());
}

/** Tells a page of the suite from any other. */
export const OUR_PAGE = '<meta name="generator" content="legacy-conformance">';

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Escaped HTML from the `html` tag. Templates escape every other value. */
export type Markup = ReturnType<typeof html>;

/** Renders a result's sign with shape and colour, and a word for screen readers. */
export function sign(kind: ResultKind): Markup {
  return html`<svg class="g ${kind}" width="16" height="16" role="img" aria-label="${RESULT_WORD[kind]}"><use href="#g-${kind}"/></svg>`;
}

/** Renders the sign alone, where a word beside it says the same. */
export function bareSign(kind: ResultKind): Markup {
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

export function answerMarkup(answer: unknown): Markup {
  const text = typeof answer === 'string' && answer !== '' ? answer : (JSON.stringify(answer) ?? 'undefined');
  return html`<code>${redacted(text)}</code>`;
}

export function prose(text: string): Markup {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

/** The nine signs, drawn once and used by reference. Solid: evaluated; outlined: not evaluated. */
export const SIGNS: Markup = html`<svg hidden width="0" height="0"><defs>
<symbol id="g-pass" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="currentColor"/><path d="M4.6 8.3l2.3 2.3 4.5-4.9" class="cut"/></symbol>
<symbol id="g-fail" viewBox="0 0 16 16"><path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor"/><path d="M5.3 5.3l5.4 5.4m0-5.4l-5.4 5.4" class="cut"/></symbol>
<symbol id="g-warning" viewBox="0 0 16 16"><path d="M8 .9l7.4 13.6H.6z" fill="currentColor" stroke="currentColor" stroke-linejoin="round"/><path d="M8 5.6v4.2m0 1.7v.8" class="cut"/></symbol>
<symbol id="g-known-deviation" viewBox="0 0 16 16"><path d="M8 .4L15.6 8 8 15.6.4 8z" fill="currentColor"/><path d="M4.4 7.1c1.2-1.2 2.4-1.2 3.6 0s2.4 1.2 3.6 0m-7.2 2.9c1.2-1.2 2.4-1.2 3.6 0s2.4 1.2 3.6 0" class="cut thin"/></symbol>
<symbol id="g-not-applicable" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line"/><path d="M5 8h6" class="line"/></symbol>
<symbol id="g-blocked" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line"/><path d="M3.7 12.3l8.6-8.6" class="line"/></symbol>
<symbol id="g-not-run" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line" stroke-dasharray="2.6 2.3"/><path d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2m0 1.7v.7" class="line"/></symbol>
<symbol id="g-not-exercised" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" class="line" stroke-dasharray="1.2 2.2"/></symbol>
<symbol id="g-observed" viewBox="0 0 16 16"><path d="M1.5 8s2.4-4.2 6.5-4.2S14.5 8 14.5 8s-2.4 4.2-6.5 4.2S1.5 8 1.5 8z" class="line"/><circle cx="8" cy="8" r="1.9" fill="currentColor"/></symbol>
</defs></svg>`;
