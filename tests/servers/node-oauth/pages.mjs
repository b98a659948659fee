// The frame of a page, sessions and the guard of forms.

import { randomBytes } from 'node:crypto';

export const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const page = (title, content) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <style>
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f2f4f8; color: #1b2330 }
    main { max-width: 26rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 12px }
    input { width: 100%; box-sizing: border-box; padding: .6rem; font: inherit; margin: .3rem 0 1rem }
    button { padding: .6rem 1.2rem; font: inherit; margin-right: .5rem }
    [role=alert] { color: #a11 }
  </style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>
`;

const sessions = new Map();

export function session(request, response, next) {
  const id = request.headers.cookie?.match(/(?:^|;\s*)sid=([\w-]+)/)?.[1];
  request.session = sessions.get(id);
  if (!request.session) {
    const fresh = randomBytes(24).toString('base64url');
    request.session = { csrf: randomBytes(24).toString('base64url') };
    sessions.set(fresh, request.session);
    response.cookie('sid', fresh, { httpOnly: true, sameSite: 'lax', path: '/' });
  }
  next();
}

export const hidden = (name, value) =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

export function guarded(request, response, next) {
  if (request.body?._csrf === request.session.csrf) next();
  else response.status(403).send(page('This page has expired', '<p>Go back and try again.</p>'));
}
