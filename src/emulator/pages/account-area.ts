import { html, type PageMarkup } from './markup.ts';

export const APPLICATIONS_PATH = '/access-keys/applications';

export function applicationPath(clientId: string): string {
  return `${APPLICATIONS_PATH}/${encodeURIComponent(clientId)}`;
}

export function breadcrumb(here: string): PageMarkup {
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="${APPLICATIONS_PATH}">Applications</a></li><li aria-current="page">${here}</li></ol></nav>`;
}

/** Lists redirect addresses as text, never as links, because a user may type any address. */
export function addressList(addresses: readonly string[]): PageMarkup {
  if (addresses.length === 0) return html`<span class="muted">none yet</span>`;
  return html`<ul>${addresses.map((address) => html`<li><code>${address}</code></li>`)}</ul>`;
}
