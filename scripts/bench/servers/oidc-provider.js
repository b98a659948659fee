import { enableCompileCache } from 'node:module';
import { ready } from './ready.js';

/**
 * oidc-provider in the emulator's role: opaque tokens in memory, rotation, no id_token (the scope omits `openid`), lifetimes of
 * clause 8, one owner's grant to one client. By default it stores in memory, where each refresh goes through every token of its
 * grant. With `map` as first argument it stores in a map that does not. Its warnings about development keys are suppressed.
 */

enableCompileCache();
console.warn = console.info = () => {};

const { default: Provider } = await import('oidc-provider');
const client = {
  client_id: 'app',
  client_secret: 'secret',
  redirect_uris: ['https://client.example.test/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_post',
};
const OWNER = 'ada@example.test';
const SCOPE = 'offline_access read write destroy';

class MapAdapter {
  static #records = new Map();
  #model;

  constructor(model) {
    this.#model = model;
  }

  async upsert(id, record) {
    MapAdapter.#records.set(`${this.#model} ${id}`, record);
  }

  async find(id) {
    return MapAdapter.#records.get(`${this.#model} ${id}`);
  }

  async consume(id) {
    MapAdapter.#records.get(`${this.#model} ${id}`).consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    MapAdapter.#records.delete(`${this.#model} ${id}`);
  }
}

const provider = new Provider('http://127.0.0.1', {
  ...(process.argv[2] === 'map' ? { adapter: MapAdapter } : {}),
  clients: [client],
  scopes: ['openid', 'offline_access', 'read', 'write', 'destroy'],
  rotateRefreshToken: true,
  issueRefreshToken: () => true,
  ttl: { AccessToken: 7_200, RefreshToken: 1_209_600, Grant: 1_209_600 },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
});
const server = provider.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  ready(
    {
      firstUrl: `${origin}/.well-known/openid-configuration`,
      tokenUrl: `${origin}/token`,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    },
    { tokens },
  );
});

async function tokens(count) {
  const grant = new provider.Grant({ accountId: OWNER, clientId: client.client_id });
  grant.addOIDCScope(SCOPE);
  const shared = {
    accountId: OWNER,
    client: await provider.Client.find(client.client_id),
    grantId: await grant.save(),
    scope: SCOPE,
    gty: 'authorization_code',
  };
  const made = [];
  for (let i = 0; i < count; i += 1) {
    const access = await new provider.AccessToken(shared).save();
    made.push({ access, refresh: await new provider.RefreshToken(shared).save() });
  }
  return made;
}
