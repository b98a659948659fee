// The library's model, kept in memory, and the library.

import { timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import OAuth2Server from '@node-oauth/oauth2-server';
import * as seeds from '../seeds.mjs';
import { is } from './variants.mjs';

export const { Request, Response } = OAuth2Server;
export const SCOPES = {
  read: 'See projects and who works on them',
  write: 'Make changes to projects',
  destroy: 'Remove things from projects',
};
// repair: exchange.expires-in-7200 refresh.expires-in-7200
export const LIFETIME = is('as-is', 'expires-default') ? 3600 : 7200;
// end of repair

const codes = new Map();
const accessTokens = new Map();
const refreshTokens = new Map();

export const model = {
  getClient(id, secret) {
    const client = seeds.clients.find((each) => each.id === id);
    if (!client || secret === null) return client;
    const [given, wanted] = [Buffer.from(String(secret)), Buffer.from(client.secret)];
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? client : undefined;
  },
  validateScope(_user, _client, scope) {
    return scope?.length && scope.every((each) => Object.hasOwn(SCOPES, each)) ? scope : false;
  },
  saveAuthorizationCode(code, client, user) {
    const saved = { ...code, client, user };
    if (is('redirect-forgotten')) delete saved.redirectUri;
    codes.set(code.authorizationCode, saved);
    return saved;
  },
  getAuthorizationCode: (code) => codes.get(code),
  revokeAuthorizationCode: ({ authorizationCode }) =>
    is('code-replayable') || codes.delete(authorizationCode),
  async saveToken(token, client, user) {
    const saved = { ...token, client, user };
    accessTokens.set(token.accessToken, saved);
    if (token.refreshToken) refreshTokens.set(token.refreshToken, saved);
    if (is('as-is', 'expires-7199')) await wait(5); // a database takes its time, the library counts what is left
    return saved;
  },
  getAccessToken: (token) => accessTokens.get(token),
  getRefreshToken: (token) => refreshTokens.get(token),
  revokeToken: ({ refreshToken }) => refreshTokens.delete(refreshToken),
  // Any one of the wanted scopes is enough.
  verifyScope: (token, wanted) => wanted.some((scope) => token.scope.includes(scope)),
};

export const oauth = new OAuth2Server({
  model,
  accessTokenLifetime: LIFETIME,
  authorizationCodeLifetime: 300,
  alwaysIssueNewRefreshToken: !is('refresh-kept'),
  allowEmptyState: !is('state-required'),
});
