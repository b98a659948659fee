import { html as honoHtml, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { stylesheet } from './styles.ts';

export type PageMarkup = HtmlEscapedString;

/**
 * Values that a template accepts: text (escaped), markup (unchanged), and lists; `false`, `null` and `undefined` render
 * nothing.
 */
export type Fragment = PageMarkup | string | number | boolean | null | undefined | readonly Fragment[];

/**
 * Template tag for escaped HTML: hono's `html`, limited to synchronous values, so that a page is a string and never a promise.
 *
 * @throws TypeError if hono returns a promise, which only a value outside {@link Fragment} can cause
 */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): PageMarkup {
  const markup = honoHtml(strings, ...values);
  if (markup instanceof Promise) {
    throw new TypeError(
      'A page template expected finished values and got a promise: await it before the page is made.',
    );
  }
  return markup;
}

/** Shown in the window title and the header, so that no user takes a page for the real service's. */
export const SERVICE_NAME = 'legacy service (emulator)';

const mark = html`<svg width="26" height="26" viewBox="0 0 26 26" fill="none" aria-hidden="true" focusable="false"><rect x="1.5" y="1.5" width="23" height="23" rx="7" stroke="currentColor" stroke-width="2" stroke-dasharray="5 2.6"/><path d="M9 7v11.5h8.5" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="#0d5f56"/><path d="M9 7v11.5h8.5" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;

/** The signed-in user, for the header. Adds the sign-out form (POST `/sign-out`, field `csrf`). */
export interface SignedIn {
  readonly csrf: string;
  readonly ownerName?: string | undefined;
}

export interface LayoutProps {
  readonly title: string;
  readonly width: 'narrow' | 'medium' | 'wide';
  readonly signedIn?: SignedIn | undefined;
  readonly main: Fragment;
}

/** Renders the whole document around a page. Needs no script and no second request. */
export function layout({ title, width, signedIn, main }: LayoutProps): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<meta name="robots" content="noindex">
<title>${title} · ${SERVICE_NAME}</title>
<link rel="icon" href="${icon}">
<style>${raw(stylesheet)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="top-in">
<a class="brand" href="/">${mark}<span>legacy service</span> <span class="badge">emulator</span></a>
${signedIn && whoIsSignedIn(signedIn)}
</div></header>
<main id="main" class="${width}" tabindex="-1">
${main}
</main>
<footer class="foot"><div class="foot-in">An offline stand-in for tests. It is not the real service: its accounts, keys and projects are made up.</div></footer>
</body>
</html>
`.toString();
}

function whoIsSignedIn({ csrf, ownerName }: SignedIn) {
  return html`<div class="who">${ownerName !== undefined && html`<span>Signed in as <strong>${ownerName}</strong></span>`}
<form class="inline" method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="as-link" type="submit">Sign out</button></form></div>`;
}

export interface ErrorPageProps {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Details for the client's developer: parameter, expected and received value. */
  readonly detail?: string | undefined;
}

export function errorPage({ status, title, message, detail }: ErrorPageProps): string {
  return layout({
    title,
    width: 'narrow',
    main: html`<div class="card stack">
<p class="status"><span aria-hidden="true">${status}</span></p>
<h1>${title}</h1>
<p>${message}</p>
${detail !== undefined && html`<pre>${detail}</pre>`}
<p class="small muted">Answered with status ${status}. <a href="/">What runs here</a></p>
</div>`,
  });
}
