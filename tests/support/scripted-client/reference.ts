import type { Scope } from '../../../src/client/index.ts';
import {
  AuthorizationDenied,
  createClient,
  memoryStore,
  TokenRefused,
  type TokenStore,
} from '../../../src/client/index.ts';
import type { ClientSettings, ClientUnderTest, Explained, StoreHooks } from './client-under-test.ts';

export function referenceClient({ store, leewaySeconds, ...settings }: ClientSettings): ClientUnderTest {
  const client = createClient({ ...settings, expiryLeewaySeconds: leewaySeconds, store: storeOver(store) });
  return {
    ...client,
    authorizationRequest: async (scopes) => client.authorizationRequest(scopes as readonly Scope[]),
    readCallback: async (url, expectedState) => client.readCallback(url, expectedState),
  };
}

/** The client's information about an error. */
export function explain(error: unknown): Explained {
  if (error instanceof AuthorizationDenied) return { denied: true };
  return error instanceof TokenRefused ? { error: error.error } : {};
}

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
