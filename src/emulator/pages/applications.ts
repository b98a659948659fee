import { APPLICATIONS_PATH, addressList, applicationPath } from './account-area.ts';
import { layout } from './layout.ts';
import { html } from './markup.ts';

export interface ListedApplication {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface ApplicationsPageProps {
  readonly applications: readonly ListedApplication[];
  readonly ownerName: string;
  readonly csrf: string;
}

export function applicationsPage({ applications, ownerName, csrf }: ApplicationsPageProps): string {
  const create = html`<a class="button" href="${APPLICATIONS_PATH}/new">New application</a>`;
  return layout({
    title: 'Applications',
    width: 'medium',
    signedIn: { csrf, ownerName },
    main: html`<div class="stack-l">
<div class="head"><div class="stack-s"><h1>Applications</h1>
<p class="muted">Clients that may ask users to authorize them. Each has a client id and a client secret.</p></div>
${applications.length > 0 && create}</div>
${
  applications.length > 0
    ? html`<ul class="apps">${applications.map(card)}</ul>`
    : html`<div class="empty stack"><h2>No application yet</h2><p class="muted">Create one to receive a client id and a client secret.</p><p>${create}</p></div>`
}
</div>`,
  });
}

function card({ clientId, name, redirectUris }: ListedApplication) {
  return html`<li class="card flat stack">
<h2><a href="${applicationPath(clientId)}">${name}</a></h2>
<dl class="pairs"><div><dt>Client id</dt><dd><code>${clientId}</code></dd></div>
<div><dt>Redirect addresses</dt><dd>${addressList(redirectUris)}</dd></div></dl>
</li>`;
}
