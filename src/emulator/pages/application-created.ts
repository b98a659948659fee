import { APPLICATIONS_PATH, addressList, breadcrumb } from './account-area.ts';
import { layout } from './layout.ts';
import { html } from './markup.ts';

export interface ApplicationCreatedPageProps {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Shows a new application's credentials once (clauses 1 and 5.2), in the elements `client-id` and `client-secret`. */
export function applicationCreatedPage(props: ApplicationCreatedPageProps): string {
  const { clientId, clientSecret, name, redirectUris } = props;
  return layout({
    title: 'Application created',
    width: 'medium',
    main: html`<div class="stack-l">
<div class="stack-s">${breadcrumb('Created')}<h1>${name} is ready</h1></div>
<p class="notice warn"><strong>Copy the client secret now: it is shown only once.</strong> Treat it like a password. It lets its holder act as this application.</p>
<div class="card stack-l">
<dl class="pairs">
<div><dt>Client id</dt><dd><code class="value grand" id="client-id">${clientId}</code></dd></div>
<div><dt>Client secret</dt><dd><code class="value grand" id="client-secret">${clientSecret}</code></dd></div>
<div><dt>Redirect addresses</dt><dd>${addressList(redirectUris)}</dd></div>
</dl>
<p><a class="button" href="${APPLICATIONS_PATH}">I have copied the secret</a></p>
</div>
</div>`,
  });
}
