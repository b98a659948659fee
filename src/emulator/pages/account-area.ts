import { html, type PageMarkup } from './markup.ts';

/** Path of the account area's list of applications (clause 1). */
export const APPLICATIONS_PATH = '/access-keys/applications';

/** Path of one application's page. */
export function applicationPath(clientId: string): string {
  return `${APPLICATIONS_PATH}/${encodeURIComponent(clientId)}`;
}

/** The way back to the list, above a page of the account area. `here` names the page itself. */
export function breadcrumb(here: string): PageMarkup {
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="${APPLICATIONS_PATH}">Applications</a></li><li aria-current="page">${here}</li></ol></nav>`;
}

/** Redirect addresses as a list of text, never links: they lead wherever somebody typed. */
export function addressList(addresses: readonly string[]): PageMarkup {
  if (addresses.length === 0) return html`<span class="muted">none yet</span>`;
  return html`<ul>${addresses.map((address) => html`<li><code>${address}</code></li>`)}</ul>`;
}
