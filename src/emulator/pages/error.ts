import { layout } from './layout.ts';
import { html } from './markup.ts';

/** What an error page says. */
export interface ErrorPageProps {
  /** HTTP status of the answer that carries the page. */
  readonly status: number;
  readonly title: string;
  /** What happened and what to do, in a sentence or two. */
  readonly message: string;
  /** More for whoever builds the client: the parameter, what was expected, what came. */
  readonly detail?: string | undefined;
}

/** Says why there is no other page, such as for an authorization request that may not be redirected (RFC 6749 section 4.1.2.1). */
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
