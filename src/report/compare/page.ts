import { html } from 'hono/html';
import { bareSign, type Markup, prose, redacted } from '../html/markup.ts';
import { pageHead, wholePage } from '../html/page.ts';
import type { ResultKind } from '../results.ts';
import {
  CHANGE_WORD,
  type Change,
  type ChangeKind,
  type Comparison,
  catalogueLines,
  isBetter,
  totalsText,
} from './changes.ts';

const SIGN: Readonly<Record<ChangeKind, ResultKind>> = {
  broke: 'fail',
  changed: 'warning',
  stopped: 'not-run',
  started: 'not-exercised',
  healed: 'pass',
};

export function comparisonPage(comparison: Comparison): string {
  const { before, after, changes, notes } = comparison;
  const remarks = [...notes, ...catalogueLines(comparison)];
  const first = changes[0];
  return wholePage({
    title: `${before} → ${after}: ${totalsText(comparison)}`,
    main: html`${pageHead(
      html`Changes from <b>${before}</b> to <b>${after}</b>`,
      html`<h1>${bareSign(first === undefined ? 'pass' : SIGN[first.kind])}<span>${first === undefined ? 'No difference' : changes.length === 1 ? '1 difference' : `${changes.length} differences`}</span></h1>`,
      html`<p class="totals">${totalsText(comparison)}.</p>
${remarks.length === 0 ? '' : html`<ul class="because">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`}`,
    )}
${changes.length === 0 ? '' : html`<section aria-labelledby="h-changes"><h2 id="h-changes">Differences</h2><ul class="look">${changes.map(entry)}</ul></section>`}`,
    foot: html`Changes that most likely break a client come first, improvements come last.`,
  });
}

function entry(change: Change): Markup {
  const { kind, what, about, breaks, before, after } = change;
  const likely = isBetter(change) ? '' : html` <span class="lv">a client breaks: ${breaks}</span>`;
  return html`<li id="${what}">${bareSign(SIGN[kind])}<div class="grow"><b>${CHANGE_WORD[kind]}</b> <a class="id" href="#${what}">${what}</a>${likely}
${about === '' ? '' : html`<p>${prose(about)}</p>`}
<div class="sides"><div><p class="cap">Before</p><pre>${redacted(before)}</pre></div><div><p class="cap">After</p><pre>${redacted(after)}</pre></div></div></div></li>`;
}
