import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type CatalogueView, rowsByClause } from '../catalogue-view.ts';
import { printableMarkup } from '../printable.ts';
import type { Results } from '../results.ts';
import { targetWords, verdictWords } from '../words.ts';
import { SIGNS } from './markup.ts';
import { attention, facts, masthead } from './masthead.ts';
import { matrix } from './matrix.ts';
import { openPoints } from './open-points.ts';
import { requirements } from './requirements.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/**
 * The report as one page that needs nothing else: no network, no font, and no script for reading. Its policy lets run
 * only the script and style that this project wrote, so that nothing a target answered can act in the reader's browser,
 * should escaping ever fail.
 *
 * @param results the run
 * @param view the catalogue's words
 * @returns a whole HTML document
 */
export function renderHtml(results: Results, view: CatalogueView): string {
  const clauses = rowsByClause(results, view);
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
<title>${verdictWords(results)}: ${targetWords(results)}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style></head><body>
${SIGNS}
<main>${masthead(results)}
${attention(results)}
${matrix(clauses)}
${facts(results)}
${requirements(clauses)}
${openPoints(results, view)}
</main>
<footer><p>Passes are counted over what was judged. Secrets are replaced by ordinals: the same <i>refresh_token#1</i> is the same secret everywhere on this page. Printing opens everything that the filter shows. Of a pass with many exchanges those in the middle are a line each, and headers of the connection are left out: <code>results.json</code> beside this file has all of it.</p></footer>
<script>${raw(SCRIPT)}</script></body></html>
`;
  if (page instanceof Promise) throw new Error('the page holds an asynchronous part: render it beforehand');
  return printableMarkup(page.toString());
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
