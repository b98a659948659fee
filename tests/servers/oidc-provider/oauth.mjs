// The library: its endpoints, sessions and interactions, and the lines that make it conform.

import { randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import * as seeds from '../seeds.mjs';
import { Adapter } from './store.mjs';
import { is } from './variants.mjs';

const repaired = !is('as-is');

export const SCOPES = { read: 'See projects', write: 'Change projects', destroy: 'Delete from projects' };
export const users = seeds.users.map((user, index) => ({ ...user, id: `u-${index + 1}` }));
const clients = new Adapter('Client');
export const addClient = ({ id, secret, name, redirectUris }) =>
  clients.upsert(id, {
    client_id: id,
    client_secret: secret,
    client_name: name,
    redirect_uris: redirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
  });
for (const client of seeds.clients) await addClient(client);

// The library writes JWTs for a resource server alone, and the scopes are then those of that server.
export const JWT_KEY = randomBytes(32);
const RESOURCE = 'urn:example:api';
const resourceIndicators = {
  enabled: true,
  defaultResource: () => RESOURCE,
  useGrantedResource: () => true,
  getResourceServerInfo: () => ({
    scope: Object.keys(SCOPES).join(' '),
    audience: RESOURCE,
    accessTokenTTL: 7200,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'HS256', key: JWT_KEY } },
  }),
};

// By itself, the library has one grant for all authorizations of a client in a session.
async function grantOfItsOwn({ oidc: { provider, result, session, client } }) {
  const { Grant } = provider;
  if (result?.consent) return Grant.find(result.consent.grantId);
  const last = session.grantIdFor(client.clientId);
  const given = last && (await Grant.find(last));
  if (!given) return undefined;
  const own = new Grant({ accountId: given.accountId, clientId: given.clientId });
  own.addOIDCScope(given.getOIDCScope());
  await own.save();
  return own;
}

export function makeProvider(issuer) {
  const provider = new Provider(issuer, {
    adapter: Adapter,
    scopes: is('jwt-access-tokens') ? [] : Object.keys(SCOPES),
    claims: {},
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      ...(is('jwt-access-tokens') && { resourceIndicators }),
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    ...(is('grant-per-authorization') && { loadExistingGrant: grantOfItsOwn }),
    ...(repaired && {
      // repair: exchange.expires-in-7200 refresh.expires-in-7200 lifetime.alive-until-7200 lifetime.refreshed-full
      ttl: { AccessToken: 7200, ...(is('code-burned') && { AuthorizationCode: 30 }) },
      // end of repair
      // repair: refresh.new-refresh-token
      rotateRefreshToken: true,
      // end of repair
    }),
  });
  if (is('script-redirect')) provider.use(leaveByScript);
  if (is('code-burned')) provider.use(burnCode);
  // repair: exchange.token-type-bearer refresh.token-type-bearer
  if (repaired)
    provider.use(async (context, next) => {
      await next();
      if (context.body?.token_type) context.body.token_type = 'bearer';
    });
  // end of repair
  return provider;
}

const codes = new Adapter('AuthorizationCode');
async function burnCode(context, next) {
  await next();
  const { route, params } = context.oidc ?? {};
  if (route === 'token' && context.status >= 400 && params?.code) await codes.destroy(params.code);
}

// The browser leaves for the client by a script, instead of a redirect.
async function leaveByScript(context, next) {
  await next();
  const location = context.response.get('location');
  if (!URL.canParse(location) || location.startsWith(context.origin)) return;
  context.status = 200;
  context.remove('location');
  context.type = 'html';
  context.body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>One moment</title></head>
<body><p>Back to the application …</p>
<script>location.replace(${JSON.stringify(location).replaceAll('<', '\\u003c')})</script></body></html>
`;
}
