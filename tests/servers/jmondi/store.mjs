// The library's repositories, in memory, each call a round trip.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DateInterval } from '@jmondi/oauth2-server';
import * as seeds from '../seeds.mjs';

export const SCOPES = { read: 'Look at projects', write: 'Change projects', destroy: 'Remove from projects' };
export const random = (bytes = 24) => randomBytes(bytes).toString('base64url');
const same = (one, two) => {
  const [a, b] = [Buffer.from(String(one)), Buffer.from(String(two))];
  return a.length === b.length && timingSafeEqual(a, b);
};

const LATENCY = 2;
export const clients = new Map(
  seeds.clients.map((client) => [client.id, { ...client, allowedGrants: client.grants, scopes: [] }]),
);
export const users = seeds.users.map((user, index) => ({ ...user, id: `account-${index + 1}` }));
const codes = new Map();
export const tokens = new Map(); // by the identifier of the access token

export const clientRepository = {
  async getByIdentifier(id) {
    await wait(LATENCY);
    return clients.get(id);
  },
  async isClientValid(grant, client, secret) {
    return client.allowedGrants.includes(grant) && same(secret, client.secret);
  },
};
export const scopeRepository = {
  async getAllByIdentifiers(names) {
    return names.filter((name) => Object.hasOwn(SCOPES, name)).map((name) => ({ name }));
  },
  async finalize(scopes) {
    return scopes;
  },
};
export const userRepository = {
  async getUserByCredentials(id) {
    await wait(LATENCY);
    return users.find((user) => user.id === id);
  },
};
export const authCodeRepository = {
  async getByIdentifier(code) {
    await wait(LATENCY);
    return codes.get(code);
  },
  issueAuthCode: (client, user, scopes) => ({ code: random(), client, user, scopes, expiresAt: new Date() }),
  async persist(code) {
    await wait(LATENCY);
    codes.set(code.code, code);
  },
  async isRevoked(code) {
    await wait(LATENCY);
    return !codes.has(code) || codes.get(code).expiresAt.getTime() < Date.now();
  },
  async revoke(code) {
    await wait(LATENCY);
    codes.get(code).expiresAt = new Date(0);
  },
};
const end = (token) =>
  Object.assign(token, { accessTokenExpiresAt: new Date(0), refreshTokenExpiresAt: new Date(0) });
export const tokenRepository = {
  async issueToken(client, scopes, user) {
    return { accessToken: random(), accessTokenExpiresAt: new Date(), client, user, scopes };
  },
  async persist(token) {
    await wait(LATENCY);
    tokens.set(token.accessToken, token);
  },
  async issueRefreshToken(token) {
    await wait(LATENCY);
    return Object.assign(token, {
      refreshToken: random(),
      refreshTokenExpiresAt: new DateInterval('30d').getEndDate(),
    });
  },
  async revoke(token) {
    await wait(LATENCY);
    end(token);
  },
  async revokeDescendantsOf(code) {
    await wait(LATENCY);
    for (const token of tokens.values()) if (token.originatingAuthCodeId === code) end(token);
  },
  async isRefreshTokenRevoked({ refreshTokenExpiresAt }) {
    return Date.now() > refreshTokenExpiresAt.getTime();
  },
  async getByRefreshToken(refreshToken) {
    await wait(LATENCY);
    const found = [...tokens.values()].find((token) => token.refreshToken === refreshToken);
    if (!found) throw new Error('no such refresh token');
    return found;
  },
};
