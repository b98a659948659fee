import type { Scope } from '../../../src/client/index.ts';
import {
  AuthorizationDenied,
  createClient,
  memoryStore,
  TokenRefused,
  type TokenStore,
} from '../../../src/client/index.ts';
import type { ClientAdapter, StoreHooks } from './adapter.ts';

/** The reference client of this project. */
const reference: ClientAdapter = {
  name: 'reference client',

  createClient({ store, leewaySeconds, ...settings }) {
    const client = createClient({ ...settings, expiryLeewaySeconds: leewaySeconds, store: storeOver(store) });
    return {
      exchange: client.exchange,
      refresh: client.refresh,
      accessToken: client.accessToken,
      assign: client.assign,
      unassign: client.unassign,
      list: client.list,
      authorizationRequest: async (scopes) => client.authorizationRequest(scopes as readonly Scope[]),
      readCallback: async (url, expectedState) => client.readCallback(url, expectedState),
    };
  },

  explain(error) {
    if (error instanceof AuthorizationDenied) return { denied: true };
    return error instanceof TokenRefused ? { error: error.error } : {};
  },
};

export default reference;

/** The hooks as a store; its lock is that of a memory store. */
function storeOver(hooks: StoreHooks): TokenStore {
  const { exclusively } = memoryStore();
  return {
    exclusively,
    async read() {
      const stored = await hooks.load();
      if (stored === undefined) return undefined;
      const { accessToken, refreshToken, expiresAt, refreshSentAt } = stored;
      return {
        accessToken,
        refreshToken,
        expiresAt: Number(expiresAt),
        ...(typeof refreshSentAt === 'number' ? { refreshSentAt } : {}),
      };
    },
    write: (pair) => hooks.save({ ...pair }),
  };
}
