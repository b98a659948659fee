/** The legacy API's codes and tokens. They live in memory here; yours belong into a store that survives a restart. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME = 7200;
const CODE_LIFETIME = 600;
const SCOPES = ['read', 'write', 'destroy'];

const env = process.env;
export const application = {
  id: 'shim-suite',
  secret: env.SHIM_CLIENT_SECRET,
  redirectUris: ['https://client.example.test/callback', 'https://client.example.test/return?tenant=blue'],
};

let ahead = 0;
/** Seconds. Only a test moves the clock. */
export const now = () => Date.now() / 1000 + ahead;
export const advance = (seconds) => {
  ahead += seconds;
};

const codes = new Map();
const grants = { access: new Map(), refresh: new Map() };
const secret = () => randomBytes(24).toString('base64url');

export function sameText(one, other) {
  const [a, b] = [Buffer.from(String(one)), Buffer.from(String(other))];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The scopes that a request asks for, or undefined where one of them is unknown or none is there. */
export function scopesOf(text) {
  const scopes = [...new Set((text ?? '').split(' ').filter(Boolean))];
  return scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope)) ? scopes : undefined;
}

export function newCode(redirectUri, scopes) {
  const code = secret();
  codes.set(code, { redirectUri, scopes, until: now() + CODE_LIFETIME, used: false, family: secret() });
  return code;
}

/** The scopes of an access token that lives, or undefined. */
export function scopesFor(token) {
  const grant = grants.access.get(token);
  return grant && grant.until > now() ? grant.scopes : undefined;
}

function newPair(scopes, family) {
  const [access, refresh] = [secret(), secret()];
  grants.access.set(access, { scopes, family, until: now() + LIFETIME });
  grants.refresh.set(refresh, { scopes, family, access });
  return {
    access_token: access,
    token_type: 'bearer',
    expires_in: LIFETIME,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}

function revoke(family) {
  for (const tokens of [grants.access, grants.refresh])
    for (const [token, grant] of tokens) if (grant.family === family) tokens.delete(token);
}

const refused = (status, error, text) => ({ status, body: { error, error_description: text } });

/** Answers a token request: an exchange (4.2) or a refresh (4.3). @param form what was sent, each parameter once */
export function tokenAnswer(form) {
  if (form.client_id !== application.id || !sameText(form.client_secret, application.secret))
    return refused(401, 'invalid_client', 'Unknown client, or a wrong secret.');
  if (form.grant_type === 'authorization_code') return exchange(form);
  if (form.grant_type === 'refresh_token') return refresh(form);
  return form.grant_type
    ? refused(400, 'unsupported_grant_type', 'There are authorization_code and refresh_token.')
    : refused(400, 'invalid_request', 'grant_type is missing.');
}

function exchange({ code, redirect_uri: redirectUri }) {
  if (!code || !redirectUri) return refused(400, 'invalid_request', 'code or redirect_uri is missing.');
  const found = codes.get(code);
  if (found?.used) revoke(found.family);
  if (!found || found.used || found.until < now() || found.redirectUri !== redirectUri)
    return refused(400, 'invalid_grant', 'The code is unknown, used, expired, or for another address.');
  found.used = true;
  return { status: 200, body: newPair(found.scopes, found.family) };
}

function refresh({ refresh_token: token, scope }) {
  if (!token) return refused(400, 'invalid_request', 'refresh_token is missing.');
  const found = grants.refresh.get(token);
  if (!found) return refused(400, 'invalid_grant', 'The refresh token is unknown or used.');
  const wanted = scope === undefined ? found.scopes : scopesOf(scope);
  if (!wanted?.every((one) => found.scopes.includes(one)))
    return refused(400, 'invalid_scope', 'More was asked for than was granted.');
  grants.refresh.delete(token);
  grants.access.delete(found.access);
  return { status: 200, body: newPair(wanted, found.family) };
}
