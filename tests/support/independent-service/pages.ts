import { html } from 'hono/html';

type Markup = ReturnType<typeof html>;

/** CSS selectors of everything that a robot needs on the independent service's pages. */
export const SELECTORS = {
  /** Step one of signing in. */
  login: 'input[name="login"]',
  next: '#identifier-next',
  /** Step two of signing in, a page of its own. */
  password: 'input[name="passwd"]',
  signIn: '#password-next',
  /** The notice between password and consent, with `INDEPENDENT_SERVICE_INTERSTITIAL=1`. */
  proceed: '#notice-proceed',
  /** Asked for after the password, with `INDEPENDENT_SERVICE_TOTP_SECRET`. */
  code: 'input[name="otp"]',
  codeNext: '#code-next',
  allow: 'button[name="decision"][value="allow"]',
  deny: 'button[name="decision"][value="deny"]',
  /** Shown on both steps of signing in when they were refused; the status stays 200. */
  refused: '[role="alert"]',
} as const;

async function page(title: string, body: Markup): Promise<string> {
  const document = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 serif;max-width:28rem;margin:3rem auto;padding:0 1rem}label,button{display:block;margin:.75rem 0}</style>
</head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>`;
  return String(await document);
}

/** Values of every form of the pages: its address, and the token against forged posts. */
export interface FormFrame {
  readonly action: string;
  readonly csrf: string;
  readonly captcha: boolean;
  readonly drawnAfterMs: number | undefined;
}

function alert(message: string | undefined): Markup {
  return message === undefined ? html`` : html`<p role="alert">${message}</p>`;
}

/** A form, there at once or drawn by script some time after the page has loaded. */
function drawn(form: Markup, { drawnAfterMs }: FormFrame): Markup {
  if (drawnAfterMs === undefined) return form;
  return html`<template>${form}</template><script>
addEventListener('load', () => setTimeout(() => {
  document.querySelector('main').append(document.querySelector('template').content);
}, ${drawnAfterMs}));
</script>`;
}

/** The first page of signing in: who are you? */
export function identifierPage(frame: FormFrame, refusal?: string): Promise<string> {
  const form = html`<form method="post" action="${frame.action}/identifier">
<input type="hidden" name="_csrf" value="${frame.csrf}">
<label>Account <input name="login" type="text" autocomplete="username" required></label>
<button id="identifier-next">Next</button></form>`;
  return page('Who is there?', html`${alert(refusal)}${drawn(form, frame)}`);
}

/** The second page of signing in: prove it. */
export function passwordPage(frame: FormFrame, login: string, refusal?: string): Promise<string> {
  const captcha = html`<div class="g-recaptcha" style="width:300px;height:78px;border:1px solid">I am human</div>`;
  const form = html`<form method="post" action="${frame.action}/password">
<input type="hidden" name="_csrf" value="${frame.csrf}">
<label>Passphrase <input name="passwd" type="password" autocomplete="current-password" required></label>
${frame.captcha ? captcha : html``}
<button id="password-next">Sign in</button></form>`;
  return page('Welcome back', html`<p>${login}</p>${alert(refusal)}${drawn(form, frame)}`);
}

export function codePage(frame: FormFrame, refusal?: string): Promise<string> {
  const form = html`<form method="post" action="${frame.action}/code">
<input type="hidden" name="_csrf" value="${frame.csrf}">
<label>Code <input name="otp" inputmode="numeric" autocomplete="one-time-code" required></label>
<button id="code-next">Go on</button></form>`;
  return page('One more thing', html`${alert(refusal)}${drawn(form, frame)}`);
}

export function noticePage(frame: FormFrame): Promise<string> {
  return page(
    'Our terms have changed',
    html`<form method="post" action="${frame.action}/notice">
<input type="hidden" name="_csrf" value="${frame.csrf}">
<button id="notice-proceed">Proceed</button></form>`,
  );
}

/** The page on which the owner allows or denies an application what it asks for. */
export function consentPage(frame: FormFrame, client: string, scopes: readonly string[]): Promise<string> {
  return page(
    'Allow access?',
    html`<p>${client} would like to:</p><ul>${scopes.map((scope) => html`<li>${scope}</li>`)}</ul>
<form method="post" action="${frame.action}/consent">
<input type="hidden" name="_csrf" value="${frame.csrf}">
<button name="decision" value="deny">No, thanks</button>
<button name="decision" value="allow">Allow access</button></form>`,
  );
}

export function failurePage(error: string, description: string): Promise<string> {
  return page('That did not work', html`<p><code>${error}</code></p><p>${description}</p>`);
}
