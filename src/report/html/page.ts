import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { printableMarkup } from '../printable.ts';
import { type Markup, SIGNS } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface PageParts {
  readonly title: string;
  readonly main: Markup;
  readonly foot: Markup;
}

/**
 * Builds a self-contained page: no network, no font, and no script for reading. Its policy allows only this project's script and
 * style, so that a target's answer cannot act in the browser even if escaping fails.
 */
export function wholePage({ title, main, foot }: PageParts): string {
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

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
