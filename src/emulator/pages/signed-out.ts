import { APPLICATIONS_PATH } from './account-area.ts';
import { layout } from './layout.ts';
import { html } from './markup.ts';

export function signedOutPage(): string {
  return layout({
    title: 'Signed out',
    width: 'narrow',
    main: html`<div class="card stack">
<h1>You are signed out</h1>
<p class="muted">Applications that were authorized keep their tokens: signing out ends only the session of this browser.</p>
<p class="buttons"><a class="button" href="${APPLICATIONS_PATH}">Sign in again</a> <a class="button quiet" href="/">What runs here</a></p>
</div>`,
  });
}
