// The interactions of the library (sign-in and consent), and the account area.

import { randomBytes } from 'node:crypto';
import { addClient, SCOPES, users } from './oauth.mjs';

const random = () => randomBytes(24).toString('base64url');
const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function send(reply, status, headers = {}, content = '') {
  reply.statusCode = status;
  for (const [name, value] of Object.entries(headers)) reply.setHeader(name, value);
  reply.end(content);
}

function page(reply, title, content = '', status = 200) {
  send(
    reply,
    status,
    {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    },
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>
${content}
</main></body></html>
`,
  );
}

async function formOf(message) {
  const parts = [];
  for await (const part of message) parts.push(part);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

const signIn = (reply, action, wrong) =>
  page(
    reply,
    'Sign-in',
    `${wrong ? '<p role="alert">That is not right.</p>' : ''}
<form autocomplete="off" action="${action}" method="post">
<input required type="text" name="login" aria-label="Login">
<input required type="password" name="password" aria-label="Password">
<button type="submit">Sign-in</button></form>`,
    wrong ? 401 : 200,
  );
const userOf = (form) =>
  users.find(({ email, password }) => email === form.get('login') && password === form.get('password'));

/** @param step `login`, `confirm` or `abort`; undefined for the page itself */
export async function interaction(provider, message, reply, uid, step) {
  let details;
  try {
    details = await provider.interactionDetails(message, reply);
  } catch {
    return page(reply, 'This page has expired', '', 400);
  }
  const { prompt, params, session } = details;
  const finish = (result, mergeWithLastSubmission = false) =>
    provider.interactionFinished(message, reply, result, { mergeWithLastSubmission });
  const base = `/interaction/${uid}`;
  const oidc = prompt.details.missingOIDCScope ?? [];
  const resources = Object.entries(prompt.details.missingResourceScopes ?? {});

  if (message.method === 'GET' && !step) {
    if (prompt.name === 'login') return signIn(reply, `${base}/login`);
    const { clientName } = await provider.Client.find(params.client_id);
    const scopes = [...oidc, ...resources.flatMap(([, names]) => names)];
    return page(
      reply,
      `Authorize ${clientName}`,
      `<ul>${scopes.map((name) => `<li>${escapeHtml(SCOPES[name])}</li>`).join('')}</ul>
<form action="${base}/confirm" method="post"><button type="submit">Continue</button></form>
<form action="${base}/abort" method="post"><button type="submit">Cancel</button></form>`,
    );
  }
  if (message.method !== 'POST') return page(reply, 'Not found', '', 404);
  if (step === 'abort')
    return finish({ error: 'access_denied', error_description: 'End-User aborted interaction' });
  if (step === 'login' && prompt.name === 'login') {
    const user = userOf(await formOf(message));
    return user ? finish({ login: { accountId: user.id } }) : signIn(reply, `${base}/login`, true);
  }
  if (step === 'confirm' && prompt.name === 'consent') {
    const grant = details.grantId
      ? await provider.Grant.find(details.grantId)
      : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    if (oidc.length) grant.addOIDCScope(oidc.join(' '));
    for (const [resource, names] of resources) grant.addResourceScope(resource, names.join(' '));
    return finish({ consent: { grantId: await grant.save() } }, true);
  }
  return page(reply, 'Not found', '', 404);
}

// ---- account area

const sessions = new Map();

export async function accountArea(message, reply, pathname) {
  const posted = message.method === 'POST' ? await formOf(message) : undefined;
  if (!sessions.has(message.headers.cookie?.match(/(?:^|;\s*)account=([\w-]+)/)?.[1])) {
    const user = posted && userOf(posted);
    if (!user) return signIn(reply, pathname, posted !== undefined);
    const id = random();
    sessions.set(id, user);
    const cookie = `account=${id}; Path=/access-keys; HttpOnly; SameSite=Lax`;
    return send(reply, 303, { location: pathname, 'set-cookie': cookie });
  }
  if (posted && pathname === '/access-keys/applications') {
    const client = {
      id: random(),
      secret: random(),
      name: posted.get('name') || 'Application',
      redirectUris: (posted.get('redirect_uris') ?? '').split(/\s+/).filter(Boolean),
    };
    await addClient(client);
    return page(
      reply,
      client.name,
      `<dl><dt>Client id</dt><dd><code id="client-id">${client.id}</code></dd>
<dt>Client secret</dt><dd><code id="client-secret">${client.secret}</code></dd></dl>`,
    );
  }
  if (pathname === '/access-keys/applications/new')
    return page(
      reply,
      'New application',
      `<form action="/access-keys/applications" method="post">
<label>Name <input name="name" required></label>
<label>Redirect addresses, one a line <textarea name="redirect_uris" required></textarea></label>
<button type="submit">Create</button></form>`,
    );
  return page(
    reply,
    'Applications',
    '<p><a id="new" href="/access-keys/applications/new">New application</a></p>',
  );
}
