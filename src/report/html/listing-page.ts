import { html } from 'hono/html';
import { type Block, type Entry, type Listing, SIGN_OF_EXIT } from '../listing.ts';
import { bareSign, type Markup, redacted, sentences } from './markup.ts';
import { pageHead, wholePage } from './page.ts';

export function listingPage({
  subject,
  verdict,
  exitCode,
  totals,
  remarks,
  blocks,
  foot = '',
}: Listing): string {
  return wholePage({
    title: `${subject}: ${verdict}`,
    main: html`${pageHead(
      html`<b>${subject}</b>`,
      html`<h1>${bareSign(SIGN_OF_EXIT[exitCode])}<span>${capital(verdict)}</span></h1>`,
      html`${totals === '' ? '' : html`<p class="totals">${capital(totals)}</p>`}${list(remarks)}`,
    )}
${blocks.filter(({ entries }) => entries.length > 0).map(section)}`,
    foot: html`Exit code ${exitCode}. ${foot}`,
  });
}

function list(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return html``;
  return html`<ul class="because">${remarks.map((remark) => html`<li>${sentences(remark)}</li>`)}</ul>`;
}

function section({ heading = 'Details', notes = [], entries }: Block): Markup {
  return html`<section><h2>${heading}</h2>${list(notes)}<ul class="look">${entries.map(entryMarkup)}</ul></section>`;
}

function entryMarkup({ sign, word, name, aside, reason, lines = [], quote, sides = [] }: Entry): Markup {
  return html`<li id="${name}">${bareSign(sign)}<div class="grow"><b>${capital(word)}</b> <a class="id" href="#${name}">${name}</a>${aside === undefined ? '' : html` <span class="lv">${aside}</span>`}
${[...(reason === undefined ? [] : [reason]), ...lines].map((line) => html`<p>${sentences(line)}</p>`)}
${quote === undefined ? '' : html`<pre>${redacted(quote)}</pre>`}
${sides.length === 0 ? '' : html`<div class="sides">${sides.map(([label, text]) => html`<div><p class="cap">${label}</p><pre>${redacted(text)}</pre></div>`)}</div>`}</div></li>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
