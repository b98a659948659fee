// The authorization request, consent and the token endpoint.

import express from 'express';
import { LIFETIME, model, oauth, Request, Response, SCOPES } from './model.mjs';
import { escapeHtml, guarded, hidden, page, session } from './pages.mjs';
import { auth, urlencoded } from './sign-in.mjs';
import { is } from './variants.mjs';

const REQUEST = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];

// The library decides: a redirect with a code or an error, or a page with the error.
async function decide(request, response, query, allowed) {
  const answer = new Response();
  const asked = new Request({
    method: 'GET',
    headers: {},
    query: { ...query, ...(!allowed && { allowed: 'false' }) },
  });
  try {
    await oauth.authorize(asked, answer, { authenticateHandler: { handle: () => request.session.user } });
  } catch (error) {
    if (!answer.get('location')) {
      response
        .status(error.code ?? 500)
        .send(page('This request cannot be completed', `<p role="alert">${escapeHtml(error.message)}</p>`));
      return;
    }
  }
  response.redirect(302, answer.get('location'));
}

auth.get('/oauth/authorize', session, async (request, response) => {
  const { query } = request;
  const client = model.getClient(query.client_id, null);
  // repair: authorize.redirect-uri-required
  if (client && !query.redirect_uri && !is('as-is')) {
    response
      .status(400)
      .send(
        page('This request cannot be completed', '<p role="alert">Missing parameter: `redirect_uri`</p>'),
      );
    return;
  }
  // end of repair
  const registered = client?.redirectUris.includes(query.redirect_uri ?? client.redirectUris[0]);
  const scope = (query.scope ?? '').trim().split(/\s+/).filter(Boolean);
  const fine =
    registered &&
    query.response_type === 'code' &&
    model.validateScope(null, client, scope) &&
    (query.state || !is('state-required'));
  if (registered && !request.session.user) {
    request.session.next = request.originalUrl;
    response.redirect(303, '/login');
  } else if (!fine) {
    await decide(request, response, query, true); // the library answers with its own error
  } else {
    response.send(
      page(
        `${client.name} wants access`,
        `
<p>Signed in as ${escapeHtml(request.session.user.email)}. It asks to:</p>
<ul>${scope.map((each) => `<li>${escapeHtml(SCOPES[each])}</li>`).join('')}</ul>
<form method="post" action="/oauth/decision">
  ${hidden('_csrf', request.session.csrf)}
  ${REQUEST.filter((name) => query[name] !== undefined)
    .map((name) => hidden(name, query[name]))
    .join('\n  ')}
  <button type="submit" name="decision" value="allow">Yes, continue</button>
  <button type="submit" name="decision" value="reject">No, go back</button>
</form>`,
      ),
    );
  }
});

auth.post('/oauth/decision', urlencoded, session, guarded, async (request, response) => {
  if (!request.session.user) return response.redirect(303, '/login');
  const query = Object.fromEntries(
    REQUEST.filter((name) => request.body[name] !== undefined).map((name) => [name, request.body[name]]),
  );
  return decide(request, response, query, request.body.decision === 'allow');
});

auth.post('/oauth/token', is('json-token-body') ? express.json() : urlencoded, async (request, response) => {
  const answer = new Response();
  try {
    const { method, query } = request;
    const headers = { ...request.headers };
    const body = { ...request.body };
    if (is('json-token-body')) {
      if (!request.is('json')) {
        response
          .status(415)
          .json({ error: 'invalid_request', error_description: 'Content-Type must be application/json' });
        return;
      }
      headers['content-type'] = 'application/x-www-form-urlencoded'; // the library takes nothing else
    }
    if (is('basic-only') && !headers.authorization) delete body.client_secret;
    await oauth.token(new Request({ method, query, headers, body }), answer);
    // repair: exchange.token-type-bearer refresh.token-type-bearer
    if (!is('as-is', 'token-type-caps')) answer.body.token_type = 'bearer';
    // end of repair
    // repair: exchange.expires-in-7200 refresh.expires-in-7200
    if (!is('as-is', 'expires-7199')) answer.body.expires_in = LIFETIME;
    // end of repair
    response.set(answer.headers).json(answer.body);
  } catch (error) {
    response
      .status(error.code ?? 500)
      .set(answer.headers)
      .json({ error: error.name, error_description: error.message });
  }
});

export { auth };
