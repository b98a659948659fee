import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AuthorizePolicy } from '../../../../src/emulator/policy/policy.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import type { AuthorizationCode, IssuedPair } from '../../../../src/emulator/store/records.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { noted, notedChanging, type RequestNotes } from '../tools/noted.ts';
import { kept } from '../tools/tokens.ts';

/** Returns the index of a name among the parameters of the token request; -1 if it is missing. */
function placeIn(request: RequestNotes, name: string): number {
  return request.form.entries().findIndex(([other]) => other === name);
}

/** An authorization request evaluated by the order of its parameters. */
function byOrder(
  make: (authorize: AuthorizePolicy, names: () => readonly string[]) => Partial<AuthorizePolicy>,
): Changes {
  return ({ authorize }) => {
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
  };
}

/** Faults that depend on the order of a request's parameters. */
export const parameters: SecondOrderDefects = {
  'token-secret-unchecked-behind-credential': {
    summary: 'A wrong secret is accepted when it stands behind the code, or the refresh token, in the form.',
    breaks: [
      'exchange.client-secret-checked',
      'exchange.client-secret-of-other-application',
      'refresh.client-secret-checked',
    ],
    changes: notedChanging(
      'client.authenticate',
      (base, request) => (credentials, applications, grantType) => {
        const found = base(credentials, applications, grantType);
        const credential = grantType === 'refresh_token' ? 'refresh_token' : 'code';
        const behind = placeIn(request, 'client_secret') > placeIn(request, credential);
        if (!behind || !('refused' in found) || found.refused !== 'client-secret-wrong') return found;
        return applications.get(credentials.clientId ?? '') ?? found;
      },
    ),
  },

  'refresh-with-grant-type-behind-keeps-refresh-token': {
    summary:
      'A refresh whose grant_type stands behind the refresh token answers with the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: noted(({ refresh, token }, request) => {
      const behind = new WeakSet<IssuedPair>();
      return {
        refresh: {
          check(pair, exchange, now) {
            if (placeIn(request, 'grant_type') > placeIn(request, 'refresh_token')) behind.add(pair);
            else behind.delete(pair);
            return refresh.check(pair, exchange, now);
          },
        },
        token: { value: kept(token.value, (previous) => behind.has(previous)) },
      };
    }),
  },

  'authorize-redirect-unchecked-before-client-id': {
    summary: 'Any redirect_uri is accepted when it stands before the client_id.',
    breaks: [
      'authorize.redirect-uri-authorized',
      'authorize.bad-redirect-uri-not-followed',
      'authorize.redirect-uri-exact',
    ],
    changes: byOrder((authorize, names) => ({
      redirectUri: (request, application) =>
        names().indexOf('redirect_uri') < names().indexOf('client_id') && request.redirectUri !== undefined
          ? request.redirectUri
          : authorize.redirectUri(request, application),
    })),
  },

  'authorize-response-type-unchecked-at-end': {
    summary: 'Any response_type is accepted when it is the last parameter.',
    breaks: ['authorize.response-type-code-only'],
    changes: byOrder((authorize, names) => ({
      responseType: (request) =>
        names().at(-1) === 'response_type' && request.responseType !== undefined
          ? undefined
          : authorize.responseType(request),
    })),
  },

  'authorize-scope-in-front-refused': {
    summary: 'A request whose first parameter is the scope is refused.',
    breaks: ['authorize.redirects-with-code'],
    changes: byOrder((authorize, names) => ({
      scopes: (request) =>
        names()[0] === 'scope'
          ? refuse('scope-missing', 'the first parameter was not read')
          : authorize.scopes(request),
    })),
  },

  'exchange-redirect-uri-unchecked-at-end': {
    summary: 'Any redirect_uri is accepted at the exchange when it is the last parameter of the form.',
    breaks: ['exchange.redirect-uri-same', 'exchange.redirect-uri-same-among-authorized'],
    changes: notedChanging('code.check', (base, request) => (record, exchange, now) => {
      const last = request.form.entries().at(-1)?.[0] === 'redirect_uri';
      return base(record, last ? { ...exchange, redirectUri: record.redirectUri } : exchange, now);
    }),
  },

  'exchange-code-good-again-in-other-order': {
    summary: 'A used code is accepted again when the parameters of the form come in another order.',
    breaks: ['exchange.code-single-use'],
    changes: notedChanging('code.redeem', (base, request) => {
      const orders = new WeakMap<AuthorizationCode, Set<string>>();
      return (record, exchange, now) => {
        const order = request.form
          .entries()
          .map(([name]) => name)
          .join(' ');
        const used = orders.get(record) ?? new Set();
        orders.set(record, used);
        if (record.usedAt !== undefined && used.size > 0 && !used.has(order)) record.usedAt = undefined;
        if (record.usedAt === undefined) used.add(order);
        return base(record, exchange, now);
      };
    }),
  },
};
