// Sessions and the sign-in page.

import { random, users } from './store.mjs';

export const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
export const page = (title, content, { status = 200, headers = {} } = {}) =>
  new Response(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1>
${content}
</body></html>
`,
    {
      status,
      headers: {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
      },
    },
  );
export const to = (location, headers = {}) =>
  new Response(null, { status: 302, headers: { ...headers, location } });
export const json = (body, status = 200, headers = {}) => Response.json(body, { status, headers });

const sessions = new Map();
export function session(request) {
  const id = request.headers.get('cookie')?.match(/(?:^|;\s*)session=([\w-]+)/)?.[1];
  if (sessions.has(id)) return { now: sessions.get(id), headers: {} };
  const fresh = random();
  const now = { csrf: random(), asked: new Map() };
  sessions.set(fresh, now);
  return { now, headers: { 'set-cookie': `session=${fresh}; Path=/; HttpOnly; SameSite=Lax` } };
}

export async function login(request) {
  const { now, headers } = session(request);
  const next = new URL(request.url).searchParams.get('next') ?? '/';
  let problem = '';
  if (request.method === 'POST') {
    const form = await request.formData();
    const user = users.find(
      ({ email, password }) => email === form.get('user') && password === form.get('pass'),
    );
    if (user && form.get('csrf') === now.csrf && next.startsWith('/oauth/')) {
      now.user = user;
      return to(next, headers);
    }
    problem = '<p role="alert">Wrong name or password.</p>';
  }
  return page(
    'Log in',
    `${problem}<form method="post"><input type="hidden" name="csrf" value="${now.csrf}">
<label>Name <input name="user" autocomplete="username"></label>
<label>Password <input name="pass" type="password" autocomplete="current-password"></label>
<button type="submit">Log in</button></form>`,
    { headers, status: problem ? 401 : 200 },
  );
}
