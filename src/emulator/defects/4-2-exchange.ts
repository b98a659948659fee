import { formatForm, mediaTypeOf } from '../parameters.ts';
import type { CodeExchange } from '../policy/policy.ts';
import { refuse } from '../refusal.ts';
import type { AuthorizationCode } from '../store/records.ts';
import { asForm, comparingSecrets } from './at-token-endpoint.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

export function lenientExchanges(
  same: (sent: string, asked: string, exchange: CodeExchange) => boolean,
): Changes {
  return changing(
    'code.check',
    (base) => (record, exchange, now) =>
      base(
        record,
        same(exchange.redirectUri, record.redirectUri, exchange)
          ? { ...exchange, redirectUri: record.redirectUri }
          : exchange,
        now,
      ),
  );
}

export function addressOptional(absent: (sent: string | undefined) => boolean): Changes {
  return ({ client, code }) => ({
    client: {
      required: (parameters, name) =>
        name === 'redirect_uri' && absent(parameters.get(name)) ? '' : client.required(parameters, name),
    },
    code: {
      check: (record, exchange, now) =>
        code.check(record, { ...exchange, redirectUri: exchange.redirectUri || record.redirectUri }, now),
    },
  });
}

export function takenOver(record: AuthorizationCode, clientId: string): AuthorizationCode {
  return { ...record, grant: { ...record.grant, clientId } };
}

export const defects: Defects = {
  'exchange-json-demanded': {
    summary: 'The token endpoint refuses forms and demands JSON.',
    breaks: ['exchange.form-encoded'],
    changes: changing('client.parameters', (base) => (request) => {
      if (mediaTypeOf(request.contentType) !== 'application/json')
        return request.method === 'POST'
          ? refuse('media-type-unsupported', 'a JSON body is demanded')
          : base(request);
      const sent = JSON.parse(request.body) as Record<string, string>;
      return base(asForm(request, formatForm(Object.entries(sent))));
    }),
  },

  'exchange-basic-demanded': {
    summary: 'The client must authenticate by HTTP Basic; credentials in the form are refused.',
    breaks: ['exchange.form-encoded'],
    changes: changing(
      'client.credentials',
      (base) => (request, parameters) =>
        /^basic /i.test(request.authorization)
          ? base(request, parameters)
          : refuse('client-missing', 'HTTP Basic is demanded'),
    ),
  },
  'exchange-secret-unchecked': {
    summary: 'There must be a secret, and any will do.',
    reference: 'bshaffer/oauth2-server-php#131',
    breaks: ['exchange.client-secret-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingSecrets('authorization_code', () => true),
  },
  'exchange-redirect-uri-not-compared': {
    summary: 'There must be a redirect_uri, and any will do.',
    reference: 'modelcontextprotocol/typescript-sdk#209',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.redirect-uri-exact',
    ],
    changes: lenientExchanges(() => true),
  },
  'exchange-code-of-any-client': {
    summary: 'Any client that authenticates can exchange any code.',
    reference: 'zitadel/oidc#902',
    breaks: ['exchange.code-bound-to-client'],
    changes: changing(
      'code.check',
      (base) => (record, exchange, now) =>
        base(takenOver(record, exchange.application.clientId), exchange, now),
    ),
  },
};
