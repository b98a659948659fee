import { html } from 'hono/html';
import { type Block, type Entry, type Listing, SIGN_OF_EXIT } from '../listing.ts';
import { bareSign, linkTo, type Markup, redacted, sentences } from './markup.ts';
import { wholePage } from './page.ts';

export function listingPage(listing: Listing): string {
  const { subject, verdict, exitCode, foot = '' } = listing;
  return wholePage({
    title: `${verdict}: ${subject}`,
    main: listingMarkup(listing),
    foot: html`Exit code ${exitCode}. ${foot}`,
  });
}

/**
 * Renders the head and the entries of a listing.
 *
 * @param rows ids with a row elsewhere on the page, to which entries link; without them each entry is a place of its own
 */
export function listingMarkup(
  { subject, verdict, exitCode, totals, remarks, blocks }: Listing,
  rows?: ReadonlySet<string>,
): Markup {
  return html`<header class="top"><p class="eyebrow"><b>${subject}</b></p>
<h1>${bareSign(SIGN_OF_EXIT[exitCode])}<span>${capital(verdict)}</span></h1>
${totals === '' ? '' : html`<p class="totals">${capital(totals)}</p>`}${list(remarks)}</header>
${blocks.filter(({ entries }) => entries.length > 0).map((block) => section(block, rows))}`;
}

function list(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return html``;
  return html`<ul class="because">${remarks.map((remark) => html`<li>${sentences(remark)}</li>`)}</ul>`;
}

function section(
  { heading = 'What to look at', notes = [], entries }: Block,
  rows: ReadonlySet<string> | undefined,
): Markup {
  return html`<section><h2>${heading}</h2>${list(notes)}<ul class="look">${entries.map((entry) => entryMarkup(entry, rows))}</ul></section>`;
}

function entryMarkup(entry: Entry, rows: ReadonlySet<string> | undefined): Markup {
  const { sign, word, name, aside, about = [], reason = [], lines = [], quote, sides = [] } = entry;
  const isRow = (text: string) => rows?.has(text) === true;
  const paragraphs = [...about, ...[reason].flat(), ...lines.filter((line) => !isRow(line))];
  const linked = lines.filter(isRow);
  return html`<li${rows === undefined ? html` id="${name}"` : ''}>${bareSign(sign)}<div class="grow"><b>${capital(word)}</b> ${rows === undefined || isRow(name) ? linkTo(name) : redacted(name)}${aside === undefined ? '' : html` <span class="lv">${aside}</span>`}
${paragraphs.map((line) => html`<p>${sentences(line)}</p>`)}
${linked.length === 0 ? '' : html`<p class="ids">${linked.map((id) => html`${linkTo(id)} `)}</p>`}
${quote === undefined || rows !== undefined ? '' : html`<pre>${redacted(quote)}</pre>`}
${sides.length === 0 ? '' : html`<div class="sides">${sides.map(([label, text]) => html`<div><p class="cap">${label}</p><pre>${redacted(text)}</pre></div>`)}</div>`}</div></li>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
