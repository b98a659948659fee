import { inputField, titleWithErrors } from './field.ts';
import { html, layout } from './layout.ts';

interface SignInPageProps {
  readonly csrf: string;
  /** Path of this server to go to after sign-in; the form's handler validates it. */
  readonly returnTo: string;
  readonly email?: string | undefined;
  readonly error?: string | undefined;
}

export function signInPage({ csrf, returnTo, email, error }: SignInPageProps): string {
  const refused = error !== undefined;
  const describedByAlso = refused ? 'sign-in-error' : undefined;
  return layout({
    title: titleWithErrors('Sign in', refused),
    width: 'narrow',
    main: html`<div class="card">
<h1>Sign in</h1>
<p class="muted">With an account of this emulator: the command that started it has printed one. Real credentials do not belong here.</p>
${refused && html`<p class="notice bad" role="alert" id="sign-in-error">${error}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="return_to" value="${returnTo}">
${inputField({
  name: 'email',
  label: 'Email',
  value: email,
  describedByAlso,
  attributes: html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" required`,
})}
${inputField({
  name: 'password',
  label: 'Password',
  describedByAlso,
  attributes: html`type="password" autocomplete="current-password" required`,
})}
<p><button class="button" type="submit">Sign in</button></p>
</form>
</div>`,
  });
}
