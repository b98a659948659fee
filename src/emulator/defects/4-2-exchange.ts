import { formatForm, mediaTypeOf, type ReceivedParameters } from '../parameters.ts';
import type { CodeExchange } from '../policy.ts';
import type { AuthorizationCode } from '../records.ts';
import { isRefusal, refuse } from '../refusal.ts';
import {
  acceptingGrantType,
  asForm,
  comparingIds,
  comparingSecrets,
  firstOfEach,
  identifying,
  missingId,
  missingSecret,
  readingQuery,
  settling,
} from './at-token-endpoint.ts';
import { type Changes, changing, type Defects, whenever } from './define-defect.ts';

const KNOWN = [
  'client_id',
  'client_secret',
  'code',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'scope',
  'code_verifier',
];

export function lenient(same: (sent: string, asked: string, exchange: CodeExchange) => boolean): Changes {
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

export function lookup(resembles: (sent: string, issued: string) => boolean): Changes {
  return changing('code.find', (base) => (value, codes) => {
    const found = base(value, codes);
    if (!isRefusal(found)) return found;
    const fresh = [...codes.values()].reverse().filter((record) => record.usedAt === undefined);
    return fresh.find((record) => resembles(value, record.value)) ?? found;
  });
}

export function codeOptional(absent: (parameters: ReceivedParameters) => boolean): Changes {
  return ({ client, code }) => {
    let latest: string | undefined;
    return {
      code: {
        value(randomness) {
          latest = code.value(randomness);
          return latest;
        },
        redeem(record, exchange, now) {
          if (record.value === latest) latest = undefined;
          return code.redeem(record, exchange, now);
        },
      },
      client: {
        required: (parameters, name) =>
          name === 'code' && latest !== undefined && absent(parameters)
            ? latest
            : client.required(parameters, name),
      },
    };
  };
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

  'exchange-grant-type-guessed': {
    summary: 'A request with a code and no grant_type is taken for an exchange.',
    breaks: ['exchange.requires-grant-type'],
    changes: acceptingGrantType('code', (value = '') => value === ''),
  },
  'exchange-grant-type-unchecked': {
    summary: 'A request with a code is an exchange, whatever its grant_type says.',
    breaks: ['exchange.grant-type-checked'],
    changes: acceptingGrantType('code', (value = '') => value !== ''),
  },

  'token-get-honoured': {
    summary: 'The token endpoint answers a GET, with secret and code in the address.',
    breaks: ['token.post-only'],
    changes: whenever('client.parameters', ({ method }) => method === 'GET', readingQuery),
  },

  'token-first-of-repeated-counts': {
    summary: 'Of a parameter that comes twice in a token request the first value counts.',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => firstOfEach(sent)),
  },
  'token-last-of-repeated-counts': {
    summary: 'Of a parameter that comes twice in a token request the last value counts.',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => firstOfEach(sent.lastFirst())),
  },

  'token-unknown-parameter-refused': {
    summary: 'A token request with an unknown parameter is refused.',
    breaks: ['token.unknown-parameter-ignored'],
    changes: changing('client.parameters', (base) => async (request) => {
      const parameters = await base(request);
      if (parameters === 'other-method' || isRefusal(parameters)) return parameters;
      const unknown = parameters.entries().find(([name]) => !KNOWN.includes(name));
      if (unknown === undefined || parameters.get('grant_type') === undefined) return parameters;
      return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
    }),
  },

  'exchange-client-id-optional': {
    summary: 'A missing client_id is made up from the secret.',
    breaks: ['exchange.requires-client-id'],
    changes: identifying('authorization_code', missingId),
  },

  'exchange-client-id-unchecked': {
    summary: 'The secret alone tells the client, and the client_id may be anything.',
    breaks: ['exchange.client-id-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingIds('authorization_code', () => true),
  },

  'exchange-secret-optional': {
    summary: 'A client that sends no secret is taken for a public one and served.',
    breaks: ['exchange.requires-client-secret'],
    changes: identifying('authorization_code', missingSecret),
  },

  'exchange-secret-unchecked': {
    summary: 'There must be a secret, and any will do.',
    reference: 'bshaffer/oauth2-server-php#131',
    breaks: ['exchange.client-secret-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingSecrets('authorization_code', () => true),
  },
  'exchange-secret-prefix': {
    summary: 'A secret is compared up to the length of what came.',
    severity: 'subtle',
    breaks: ['exchange.client-secret-checked'],
    changes: comparingSecrets('authorization_code', (sent, own) => own.startsWith(sent)),
  },

  'exchange-redirect-uri-optional': {
    summary: 'A missing redirect_uri is not missed.',
    breaks: ['exchange.requires-redirect-uri'],
    changes: addressOptional((sent) => !sent),
  },

  'exchange-redirect-uri-not-compared': {
    summary: 'There must be a redirect_uri, and any will do.',
    reference: 'modelcontextprotocol/typescript-sdk#209',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.redirect-uri-exact',
    ],
    changes: lenient(() => true),
  },
  'exchange-redirect-uri-case-ignored': {
    summary: 'A redirect_uri in another letter case counts.',
    severity: 'subtle',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.toLowerCase() === asked.toLowerCase()),
  },

  'exchange-code-optional': {
    summary: 'In place of a missing code the latest one counts.',
    breaks: ['exchange.requires-code'],
    changes: codeOptional((parameters) => !parameters.get('code')),
  },

  'exchange-code-unknown-accepted': {
    summary: 'A code that was never issued counts as the latest one.',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup(() => true),
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
