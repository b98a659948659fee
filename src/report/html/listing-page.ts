import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type Block, type Entry, type Listing, SIGN_OF_EXIT } from '../listing.ts';
import { printableMarkup } from '../printable.ts';
import { bareSign, capital, labelled, linkTo, type Markup, redacted, SIGNS, sentences } from './markup.ts';
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
<h1>${bareSign(SIGN_OF_EXIT[exitCode])} <span>${capital(verdict)}</span></h1>
${totals !== '' && html`<p class="totals">${capital(totals)}</p>`}${list(remarks)}</header>
${blocks.filter(({ entries }) => entries.length > 0).map((block) => section(block, rows))}
${background.length > 0 && html`<details class="about"><summary>About this run</summary>${list(background)}</details>`}`;
}

function list(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return html``;
  return html`<ul class="because">${remarks.map((remark) => html`<li>${sentences(capital(remark))}</li>`)}</ul>`;
}

function section(
  { heading = 'What to look at', notes = [], entries }: Block,
  rows: ReadonlySet<string> | undefined,
): Markup {
  return html`<section><h2>${capital(heading)}</h2>${list(notes)}<ul class="look">${entries.map((entry) => entryMarkup(entry, rows))}</ul></section>`;
}

function entryMarkup(entry: Entry, rows: ReadonlySet<string> | undefined): Markup {
  const { sign, word, name, aside, about = [], reason = [], lines = [], ids = [], quote, sides = [] } = entry;
  const isRow = (text: string) => rows?.has(text) === true;
  const paragraphs = [...(about.length === 0 ? [reason].flat() : []), ...lines];
  return html`<li${rows === undefined && html` id="${name}"`}>${bareSign(sign)}<div class="grow"><b>${capital(word)}</b> ${rows === undefined || isRow(name) ? linkTo(name) : redacted(name)}${aside !== undefined && html` <span class="lv">${capital(aside)}</span>`}
${about.length > 0 && labelled(about)}${paragraphs.map((line) => html`<p>${sentences(capital(line))}</p>`)}
${ids.length > 0 && html`<p class="ids">${ids.map((id) => html`${linkTo(id)} `)}</p>`}
${quote !== undefined && !isRow(name) && html`<pre>${redacted(quote)}</pre>`}
${sides.length > 0 && html`<div class="sides">${sides.map(([label, text]) => html`<div><p class="cap">${label}</p><pre>${redacted(text)}</pre></div>`)}</div>`}</div></li>`;
}

/**
 * Builds a self-contained page: no network, no font, no script. Its policy allows only this project's style, so that a target's
 * answer cannot act in the browser even if escaping fails. Browsers open the row that a link leads to.
 */
export function wholePage(title: string, main: Markup, foot: Markup): string {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
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
<footer><p>${foot}</p></footer></body></html>
`;
  if (page instanceof Promise) throw new Error('the page holds an asynchronous part: render it beforehand');
  return printableMarkup(page.toString());
}

/** Tells a page of the suite from any other. */
export const OUR_PAGE = '<meta name="generator" content="legacy-conformance">';
