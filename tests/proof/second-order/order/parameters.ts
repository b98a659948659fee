import type { Defect } from '../../../../src/emulator/defect.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import type { AuthorizePolicy } from '../../../../src/emulator/policy.ts';
import type { AuthorizationCode, IssuedPair } from '../../../../src/emulator/records.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import { noted, type RequestNotes } from '../tools/noted.ts';

/** Where a name stands among the parameters of the token request; -1 when it is missing. */
function placeIn(request: RequestNotes, name: string): number {
  return request.form.entries().findIndex(([other]) => other === name);
}

/** An authorization request judged by the order of its parameters. */
function byOrder(
  id: string,
  make: (authorize: AuthorizePolicy, names: () => readonly string[]) => Partial<AuthorizePolicy>,
): Defect {
  return defect(id, ({ authorize }) => {
    let names: readonly string[] = [];
    return {
      authorize: {
        request(sent) {
          names = sent.entries().map(([name]) => name);
          return authorize.request(sent);
        },
        ...make(authorize, () => names),
      },
    };
  });
}

/** Faults that depend on the order of a request's parameters. */
export const parameters: readonly Defect[] = [
  noted('token-secret-unchecked-behind-credential', ({ client }, request) => ({
    client: {
      authenticate(credentials, applications, grantType) {
        const found = client.authenticate(credentials, applications, grantType);
        const credential = grantType === 'refresh_token' ? 'refresh_token' : 'code';
        const behind = placeIn(request, 'client_secret') > placeIn(request, credential);
        if (!behind || !('refused' in found) || found.refused !== 'client-secret-wrong') return found;
        return applications.get(credentials.clientId ?? '') ?? found;
      },
    },
  })),

  noted('refresh-with-grant-type-behind-keeps-refresh-token', ({ refresh, token }, request) => {
    const behind = new WeakSet<IssuedPair>();
    return {
      refresh: {
        check(pair, exchange, now) {
          if (placeIn(request, 'grant_type') > placeIn(request, 'refresh_token')) behind.add(pair);
          else behind.delete(pair);
          return refresh.check(pair, exchange, now);
        },
      },
      token: {
        value: (kind, randomness, previous) =>
          kind === 'refresh' && previous !== undefined && behind.has(previous)
            ? previous.refreshToken
            : token.value(kind, randomness, previous),
      },
    };
  }),

  byOrder('authorize-redirect-unchecked-before-client-id', (authorize, names) => ({
    redirectUri: (request, application) =>
      names().indexOf('redirect_uri') < names().indexOf('client_id') && request.redirectUri !== undefined
        ? request.redirectUri
        : authorize.redirectUri(request, application),
  })),

  byOrder('authorize-response-type-unchecked-at-end', (authorize, names) => ({
    responseType: (request) =>
      names().at(-1) === 'response_type' && request.responseType !== undefined
        ? undefined
        : authorize.responseType(request),
  })),

  byOrder('authorize-scope-in-front-refused', (authorize, names) => ({
    scopes: (request) =>
      names()[0] === 'scope'
        ? refuse('scope-missing', 'the first parameter was not read')
        : authorize.scopes(request),
  })),

  noted('exchange-redirect-uri-unchecked-at-end', ({ code }, request) => ({
    code: {
      check(record, exchange, now) {
        const last = request.form.entries().at(-1)?.[0] === 'redirect_uri';
        return code.check(record, last ? { ...exchange, redirectUri: record.redirectUri } : exchange, now);
      },
    },
  })),

  noted('exchange-code-good-again-in-other-order', ({ code }, request) => {
    const orders = new WeakMap<AuthorizationCode, Set<string>>();
    return {
      code: {
        redeem(record, exchange, now) {
          const order = request.form
            .entries()
            .map(([name]) => name)
            .join(' ');
          const used = orders.get(record) ?? new Set();
          orders.set(record, used);
          if (record.usedAt !== undefined && used.size > 0 && !used.has(order)) record.usedAt = undefined;
          if (record.usedAt === undefined) used.add(order);
          return code.redeem(record, exchange, now);
        },
      },
    };
  }),
];
