import { html as honoHtml, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { stylesheet } from './styles.ts';

export type PageMarkup = HtmlEscapedString;

/** Values of a template: text (escaped), markup (unchanged), lists; `false`, `null` and `undefined` render nothing. */
export type Fragment = PageMarkup | string | number | boolean | null | undefined | readonly Fragment[];

/** Template tag for escaped HTML: hono's `html`, limited to synchronous values, so that a page is a string and never a promise. */
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
const SERVICE_NAME = 'legacy service (emulator)';

/** The signed-in user, for the header. Adds the sign-out form (POST `/sign-out`, field `csrf`). */
export interface SignedIn {
  readonly csrf: string;
  readonly ownerName?: string | undefined;
}

interface LayoutProps {
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
<link rel="icon" href="data:,">
<style>${raw(stylesheet)}</style>
</head>
<body class="${width}">
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="/">legacy service <span class="badge">emulator</span></a>
${signedIn && whoIsSignedIn(signedIn)}
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>An offline test double. It is not the real service: its accounts, keys and projects are made up.</footer>
</body>
</html>
`.toString();
}

function whoIsSignedIn({ csrf, ownerName }: SignedIn) {
  return html`<div class="small muted">${ownerName !== undefined && html`<span>Signed in as <strong>${ownerName}</strong></span>`}
<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="as-link" type="submit">Sign out</button></form></div>`;
}

interface ErrorPageProps {
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
    main: html`<div class="card">
<h1>${title}</h1>
<p>${message}</p>
${detail !== undefined && html`<pre>${detail}</pre>`}
<p class="small muted">Answered with status ${status}. <a href="/">What runs here</a></p>
</div>`,
  });
}
