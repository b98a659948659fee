import { html, layout } from './layout.ts';

/** Explains the scopes (clause 5.3). Which operation needs which is open (clause 5.7), so the sentences promise no limit. */
const MEANINGS: Readonly<Record<string, string>> = {
  read: 'See your projects and the users assigned to them.',
  write: 'Change your projects, such as assigning a user to one.',
  destroy: 'Remove what is there, such as a user’s assignment to a project.',
};

const UNKNOWN_SCOPE =
  'A scope outside the three that the service’s document names; what it allows is not known.';

interface ConsentPageProps {
  readonly csrf: string;
  readonly application: string;
  readonly ownerName: string;
  readonly scopes: readonly string[];
  readonly redirectHost: string;
  /** The query of the authorization request, as received. */
  readonly query: string;
}

export function consentPage(props: ConsentPageProps): string {
  const { csrf, application, ownerName, scopes, redirectHost, query } = props;
  return layout({
    title: `Authorize ${application}`,
    width: 'narrow',
    main: html`<div class="card">
<h1>Authorize ${application}?</h1>
<p class="muted">It asks to act for <strong>${ownerName}</strong> and would be allowed to:</p>
<ul aria-label="Requested scopes">${scopes.map(
      (scope) => html`<li><code>${scope}</code> ${MEANINGS[scope] ?? UNKNOWN_SCOPE}</li>`,
    )}</ul>
<p class="small muted">Whatever you decide, you leave for <strong>${redirectHost}</strong> next. Authorize only if you expect to go there.</p>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="request" value="${query}">
<button class="button" type="submit" name="decision" value="grant">Authorize</button>
<button class="button quiet" type="submit" name="decision" value="deny">Deny</button>
</form>
</div>
<form class="small muted" method="post" action="/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="return_to" value="/oauth/authorize?${query}">
Signed in as ${ownerName}. <button class="as-link" type="submit">Not you? Sign out</button>
</form>`,
  });
}
