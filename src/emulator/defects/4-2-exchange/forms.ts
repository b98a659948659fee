import { formatForm, mediaTypeOf } from '../../parameters.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { acceptingGrantType, asForm, firstOfEach, readingQuery, settling } from '../at-token-endpoint.ts';
import { changing, type Defects, whenever } from '../define-defect.ts';

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

export const forms: Defects = {
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
};
