// The library, the authorization request and the token endpoint, and the lines that make them conform.

import { AuthorizationServer, DateInterval, JwtService } from '@jmondi/oauth2-server';
import { handleVanillaError, requestFromVanilla, responseToVanilla } from '@jmondi/oauth2-server/vanilla';
import { escapeHtml, json, page, session, to } from './pages.mjs';
import {
  authCodeRepository,
  clientRepository,
  clients,
  random,
  SCOPES,
  scopeRepository,
  tokenRepository,
  userRepository,
} from './store.mjs';
import { is } from './variants.mjs';

const repaired = !is('as-is');

export const jwt = new JwtService(random(48));
const oauth = new AuthorizationServer(clientRepository, tokenRepository, scopeRepository, jwt, {
  requiresPKCE: is('pkce-required'),
});
const TWO_HOURS = new DateInterval('2h');
oauth.enableGrantTypes(
  [{ grant: 'authorization_code', authCodeRepository, userRepository }, TWO_HOURS],
  ['refresh_token', TWO_HOURS],
);
if (repaired) oauth.enabledGrantTypes.authorization_code.authCodeTTL = new DateInterval('9m');

// ---- authorization

const withError = (address, error, state) =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ error, ...(state && { state }) })}`;

export async function authorize(request) {
  const { now, headers } = session(request);
  const url = new URL(request.url);
  const query = url.searchParams;
  if (repaired) {
    const client = clients.get(query.get('client_id'));
    const address = query.get('redirect_uri');
    const refused = (text) =>
      page('This request cannot be completed', `<p role="alert">${escapeHtml(text)}</p>`, { status: 400 });
    if (new Set(query.keys()).size !== [...query.keys()].length) return refused('A parameter is there twice');
    // repair: authorize.redirect-uri-authorized
    if (!client?.redirectUris.includes(address))
      return refused('Unknown application, or an address that it has not authorized');
    // end of repair
    if (query.get('response_type') !== 'code')
      return to(withError(address, 'unsupported_response_type', query.get('state')));
    const scope = (query.get('scope') ?? '').split(' ').filter(Boolean);
    if (!scope.length || !scope.every((each) => Object.hasOwn(SCOPES, each)))
      return to(withError(address, 'invalid_scope', query.get('state')));
  }
  let asked;
  try {
    asked = await oauth.validateAuthorizationRequest(await requestFromVanilla(request));
  } catch (error) {
    return responseToVanilla(handleVanillaError(error));
  }
  if (!now.user) return to(`/login?next=${encodeURIComponent(url.pathname + url.search)}`, headers);
  const id = random();
  now.asked.set(id, asked);
  return page(
    `Let ${asked.client.name} in?`,
    `<p>You are ${escapeHtml(now.user.email)}. It asks to:</p>
<ul>${asked.scopes.map(({ name }) => `<li>${escapeHtml(SCOPES[name])}</li>`).join('')}</ul>
<form method="post" action="/oauth/consent"><input type="hidden" name="asked" value="${id}">
<button name="answer" value="yes">Let it in</button> <button name="answer" value="no">Refuse</button></form>`,
    { headers },
  );
}

export async function consent(request) {
  const { now } = session(request);
  const form = await request.formData();
  const asked = now.asked.get(form.get('asked'));
  if (!asked || !now.user) return page('This page has expired', '', { status: 403 });
  now.asked.delete(form.get('asked'));
  asked.user = now.user;
  asked.isAuthorizationApproved = form.get('answer') === 'yes';
  if (repaired && !asked.isAuthorizationApproved)
    return to(withError(asked.redirectUri, 'access_denied', asked.state));
  try {
    return responseToVanilla(await oauth.completeAuthorizationRequest(asked));
  } catch (error) {
    return responseToVanilla(handleVanillaError(error));
  }
}

// ---- token endpoint

// repair: exchange.code-single-use-parallel
let last = Promise.resolve();
const oneByOne = (work) => {
  const next = last.then(work, work);
  last = next.catch(() => {});
  return next;
};
// end of repair
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

export async function token(request) {
  if (!repaired) {
    try {
      return responseToVanilla(await oauth.respondToAccessTokenRequest(await requestFromVanilla(request)));
    } catch (error) {
      return responseToVanilla(handleVanillaError(error));
    }
  }
  const refuse = (error, text, status = 400) => json({ error, error_description: text }, status, NO_STORE);
  if (request.headers.get('content-type')?.split(';')[0].trim() !== 'application/x-www-form-urlencoded')
    return refuse('invalid_request', 'a form is needed');
  const form = new URLSearchParams(await request.text());
  if (new Set(form.keys()).size !== [...form.keys()].length)
    return refuse('invalid_request', 'a parameter is there twice');
  const grant = form.get('grant_type');
  const wanted = [
    'grant_type',
    'client_id',
    ...(grant === 'authorization_code'
      ? ['code', 'redirect_uri']
      : grant === 'refresh_token'
        ? ['refresh_token']
        : []),
  ];
  const missing = wanted.find((name) => !form.get(name));
  if (missing) return refuse('invalid_request', `${missing} is required`);
  const headers = Object.fromEntries(request.headers);
  return oneByOne(async () => {
    try {
      const answer = await oauth.respondToAccessTokenRequest({
        headers,
        query: {},
        body: Object.fromEntries(form),
      });
      // repair: exchange.token-type-bearer refresh.token-type-bearer exchange.expires-in-7200 refresh.expires-in-7200
      Object.assign(answer.body, { token_type: 'bearer', expires_in: 7200 });
      // end of repair
      return responseToVanilla(answer);
    } catch (error) {
      // what is left to be wrong is the code, its address or the refresh token
      const known = error.oauth && error.errorType !== 'invalid_request';
      return refuse(
        known ? error.errorType : 'invalid_grant',
        known ? error.error : 'The code or refresh token is not good',
        error.status ?? 400,
      );
    }
  });
}
