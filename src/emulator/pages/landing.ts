import { APPLICATIONS_PATH, addressList, type ListedApplication } from './account-area.ts';
import { html, layout, type PageMarkup } from './layout.ts';

/** Contains no secret, because the page is public. */
interface LandingPageProps {
  /** Without a trailing slash. */
  readonly authUrl: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly profile: { readonly id: string; readonly title: string; readonly summary: string };
  readonly defects: readonly string[];
  /** Lifetime of access tokens in seconds, if it differs from the document's. */
  readonly expiresIn?: number | undefined;
  readonly autoConsent?: string | undefined;
  readonly applications: readonly ListedApplication[];
  readonly owners: readonly { readonly name: string; readonly email: string }[];
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly users: readonly { readonly id: string; readonly name: string }[];
  readonly authorizeUrl: string;
  readonly controlUrl?: string | undefined;
}

export function landingPage(props: LandingPageProps): string {
  const { authUrl, baseUrl, profile, defects, expiresIn, autoConsent, controlUrl } = props;
  return layout({
    title: 'What runs here',
    width: 'wide',
    main: html`<h1>The legacy service, offline</h1>
<p>An emulator of its OAuth 2.0 authorization-code flow and of the assigned users of a project. It answers as the document says; what the document leaves open, the profile decides.</p>
${defects.length > 0 && defectsNotice(defects)}
${expiresIn !== undefined && lifetimeNotice(expiresIn)}
${autoConsent !== undefined && autoConsentNotice(autoConsent)}
<div class="grid">
<section class="card" aria-labelledby="addresses"><h2 id="addresses">Addresses</h2>
<dl>
<div><dt>Authorization server</dt><dd><code class="value">${authUrl}</code></dd></div>
<div><dt>Resource API</dt><dd><code class="value">${baseUrl}</code></dd></div>
${controlUrl !== undefined && html`<div><dt>Control port (needs its token)</dt><dd><code class="value">${controlUrl}</code></dd></div>`}
</dl></section>
<section class="card" aria-labelledby="profile"><h2 id="profile">Profile</h2>
<p><strong>${profile.title}</strong> <code class="muted">${profile.id}</code></p>
<p class="muted">${profile.summary}</p>
${defects.length === 0 && html`<p class="small muted">No defect is on.</p>`}
</section>
</div>
${begin(props)}
${contents(props)}`,
  });
}

function defectsNotice(defects: readonly string[]): PageMarkup {
  return html`<section class="notice warn" aria-labelledby="defects">
<h2 id="defects">${defects.length === 1 ? '1 defect is on' : `${defects.length} defects are on`}</h2>
<p>This emulator breaks the document’s word on purpose. Do not build a client against it in this state.</p>
<ul>${defects.map((id) => html`<li><code>${id}</code></li>`)}</ul>
</section>`;
}

function lifetimeNotice(seconds: number): PageMarkup {
  return html`<section class="notice warn" aria-labelledby="lifetime">
<h2 id="lifetime">Access tokens live ${String(seconds)} seconds</h2>
<p>The document says 7200 (clause 8). This emulator uses another lifetime, for clients whose clock cannot be moved.</p>
</section>`;
}

function autoConsentNotice(email: string): PageMarkup {
  return html`<section class="notice" aria-labelledby="auto-consent">
<h2 id="auto-consent">Authorization requests are decided without a form</h2>
<p>Each is answered at once, as <code>${email}</code>.</p>
</section>`;
}

function begin({ authorizeUrl }: LandingPageProps): PageMarkup {
  return html`<section class="card" aria-labelledby="begin"><h2 id="begin">How to begin</h2>
<p>Sign in as one of the accounts below, then authorize. The browser goes to the application’s redirect address with <code>code</code> in its query.</p>
<p><a class="button" href="${authorizeUrl}">Open the authorization request</a></p>
<p class="small muted">This page shows no password and no client secret. The program that started the emulator has them; the command <code>emulate</code> has printed them.</p>
</section>`;
}

function contents({ authUrl, applications, owners, projects, users }: LandingPageProps): PageMarkup {
  return html`<section class="card" aria-labelledby="applications"><h2 id="applications">Applications</h2>
<ul>${applications.map(
    ({ name, clientId, redirectUris }) => html`<li><h3>${name}</h3>
<dl><div><dt>Client id</dt><dd><code>${clientId}</code></dd></div><div><dt>Redirect addresses</dt><dd>${addressList(redirectUris)}</dd></div></dl></li>`,
  )}</ul>
<p><a href="${authUrl}${APPLICATIONS_PATH}">Create one in the account area</a></p></section>
<div class="grid">
${named(
  'Accounts',
  owners.map(({ name, email }) => ({ id: email, name })),
)}
${named('Projects', projects)}
${named('Users', users)}
</div>`;
}

function named(title: string, all: LandingPageProps['users']): PageMarkup {
  const id = title.toLowerCase();
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<ul>${all.map(({ id: one, name }) => html`<li><h3>${name}</h3><code class="muted">${one}</code></li>`)}</ul></section>`;
}
