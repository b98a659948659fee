import { layout } from './layout.ts';
import { html } from './markup.ts';

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
