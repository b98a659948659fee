import type { RegisteredApplication } from '../store/records.ts';
import { errorSummary, type FieldError, inputField, textareaField, titleWithErrors } from './field.ts';
import { html, layout, type PageMarkup, type SignedIn } from './layout.ts';

export const APPLICATIONS_PATH = '/access-keys/applications';

export type ListedApplication = Pick<RegisteredApplication, 'clientId' | 'name' | 'redirectUris'>;

export function applicationPath(clientId: string): string {
  return `${APPLICATIONS_PATH}/${encodeURIComponent(clientId)}`;
}

const BACK = html`<p class="small"><a href="${APPLICATIONS_PATH}">Applications</a></p>`;

/** Lists redirect addresses as text, never as links, because a user may type any address. */
export function addressList(addresses: readonly string[]): PageMarkup {
  if (addresses.length === 0) return html`<span class="muted">none yet</span>`;
  return html`<ul>${addresses.map((address) => html`<li><code>${address}</code></li>`)}</ul>`;
}

export function applicationsPage(signedIn: SignedIn, applications: readonly ListedApplication[]): string {
  return layout({
    title: 'Applications',
    width: 'medium',
    signedIn,
    main: html`<h1>Applications</h1>
<p class="muted">Clients that may ask users to authorize them. Each has a client id and a client secret.</p>
<p><a class="button" href="${APPLICATIONS_PATH}/new">New application</a></p>
${applications.length === 0 && html`<p>No application yet</p>`}
${applications.map(card)}`,
  });
}

function card({ clientId, name, redirectUris }: ListedApplication): PageMarkup {
  return html`<section class="card">
<h2><a href="${applicationPath(clientId)}">${name}</a></h2>
<dl><div><dt>Client id</dt><dd><code>${clientId}</code></dd></div>
<div><dt>Redirect addresses</dt><dd>${addressList(redirectUris)}</dd></div></dl>
</section>`;
}

/** Shows a new application's credentials once (clauses 1 and 5.2), in the elements `client-id` and `client-secret`. */
export function applicationCreatedPage(
  signedIn: SignedIn,
  props: ListedApplication & { readonly clientSecret: string },
): string {
  const { clientId, clientSecret, name, redirectUris } = props;
  return layout({
    title: 'Application created',
    width: 'medium',
    signedIn,
    main: html`${BACK}
<h1>${name} is ready</h1>
<p class="notice warn"><strong>Copy the client secret now: it is shown only once.</strong> Treat it like a password. It lets its holder act as this application.</p>
<div class="card">
<dl>
<div><dt>Client id</dt><dd><code class="value" id="client-id">${clientId}</code></dd></div>
<div><dt>Client secret</dt><dd><code class="value" id="client-secret">${clientSecret}</code></dd></div>
<div><dt>Redirect addresses</dt><dd>${addressList(redirectUris)}</dd></div>
</dl>
<p><a class="button" href="${APPLICATIONS_PATH}">I have copied the secret</a></p>
</div>`,
  });
}

/** The values that the owner typed, and the reasons why they were refused. */
export interface TypedApplication {
  readonly values?: { readonly name: string; readonly redirectUris: string };
  readonly errors?: readonly FieldError[];
}

export function newApplicationPage(account: SignedIn, typed: TypedApplication): string {
  return formPage(account, typed, {
    title: 'New application',
    heading: 'New application',
    path: APPLICATIONS_PATH,
    submit: 'Create application',
    back: 'Cancel',
  });
}

export function editApplicationPage(
  account: SignedIn,
  { clientId, name }: ListedApplication,
  typed: TypedApplication,
  saved = false,
): string {
  return formPage(account, typed, {
    title: `Edit ${name}`,
    heading: name,
    path: applicationPath(clientId),
    submit: 'Save changes',
    back: 'Back to the list',
    notice:
      saved &&
      html`<p class="notice good" role="status">Saved. The next authorization request is compared with these addresses.</p>`,
    above: html`<dl><div><dt>Client id</dt><dd><code class="value" id="client-id">${clientId}</code></dd></div></dl>`,
    below: html`<p class="small muted">The client secret was shown when the application was created and cannot be shown again. Lost it? Create another application.</p>`,
  });
}

interface FormPage {
  readonly title: string;
  readonly heading: string;
  readonly path: string;
  readonly submit: string;
  readonly back: string;
  readonly notice?: PageMarkup | false;
  readonly above?: PageMarkup;
  readonly below?: PageMarkup;
}

/** `novalidate`: the server's messages name the cause and stay on the page; the browser's bubbles do neither. */
function formPage(signedIn: SignedIn, { values, errors = [] }: TypedApplication, page: FormPage): string {
  return layout({
    title: titleWithErrors(page.title, errors.length > 0),
    width: 'medium',
    signedIn,
    main: html`${BACK}
<h1>${page.heading}</h1>
${page.notice}
${errorSummary(errors)}
<form class="card" method="post" action="${page.path}" novalidate>
<input type="hidden" name="csrf" value="${signedIn.csrf}">
${page.above}
${inputField({
  name: 'name',
  label: 'Name',
  hint: 'Users read it when they are asked to authorize.',
  value: values?.name,
  errors,
  attributes: html`type="text" autocomplete="off" required`,
})}
${textareaField({
  name: 'redirect_uris',
  label: 'Redirect addresses',
  hint: 'One a line, written exactly as the client will send them.',
  value: values?.redirectUris,
  errors,
  attributes: html`rows="4" autocomplete="off" autocapitalize="none" spellcheck="false" required`,
})}
<p><button class="button" type="submit">${page.submit}</button> <a class="button quiet" href="${APPLICATIONS_PATH}">${page.back}</a></p>
</form>
${page.below}`,
  });
}
