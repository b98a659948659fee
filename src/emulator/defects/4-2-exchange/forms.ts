import { formatForm, ReceivedParameters } from '../../parameters.ts';
import { mediaTypeOf } from '../../policy/media-type.ts';
import type { ReceivedTokenRequest } from '../../policy.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Changes, Defects } from '../define-defect.ts';
import { firstOfEach, isRepeated } from '../first-of-each.ts';

const FORM = 'application/x-www-form-urlencoded';

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

function asForm(request: ReceivedTokenRequest, parameters: ReceivedParameters): ReceivedTokenRequest {
  return { ...request, method: 'POST', contentType: FORM, query: '', body: formatForm(parameters.entries()) };
}

function grantType(accepts: (value: string) => boolean): Changes {
  return ({ client }) => ({
    client: {
      grantType: (parameters) =>
        parameters.get('code') && accepts(parameters.get('grant_type') ?? '')
          ? 'authorization_code'
          : client.grantType(parameters),
    },
  });
}

function repeated(settle: (sent: ReceivedParameters) => ReceivedParameters): Changes {
  return ({ client }) => ({
    client: {
      parameters(request) {
        if (mediaTypeOf(request.contentType) !== FORM) return client.parameters(request);
        const sent = new ReceivedParameters([...new URLSearchParams(request.body)]);
        return client.parameters(request.method === 'POST' ? asForm(request, settle(sent)) : request);
      },
    },
  });
}

export const forms: Defects = {
  'exchange-json-demanded': {
    summary: 'The token endpoint refuses forms and demands JSON.',
    severity: 'blunt',
    breaks: ['exchange.form-encoded'],
    changes: ({ client }) => ({
      client: {
        parameters(request) {
          if (mediaTypeOf(request.contentType) !== 'application/json')
            return request.method === 'POST'
              ? refuse('media-type-unsupported', 'a JSON body is demanded')
              : client.parameters(request);
          const sent = JSON.parse(request.body) as Record<string, string>;
          return client.parameters(asForm(request, new ReceivedParameters(Object.entries(sent))));
        },
      },
    }),
  },

  'exchange-basic-demanded': {
    summary: 'The client must authenticate by HTTP Basic; credentials in the form are refused.',
    severity: 'blunt',
    breaks: ['exchange.form-encoded'],
    changes: ({ client }) => ({
      client: {
        credentials: (request, parameters) =>
          /^basic /i.test(request.authorization)
            ? client.credentials(request, parameters)
            : refuse('client-missing', 'HTTP Basic is demanded'),
      },
    }),
  },

  'exchange-code-not-yet-known': {
    summary:
      'A code is not known when it is first asked for, because the server that issued it is ahead of this one.',
    severity: 'subtle',
    reference: 'DuendeArchive/Support#635',
    breaks: ['exchange.form-encoded'],
    changes: ({ code }) => {
      const asked = new Set<string>();
      return {
        code: {
          find(value, codes) {
            if (asked.has(value)) return code.find(value, codes);
            asked.add(value);
            return refuse('code-unknown', 'the code has not reached this server yet');
          },
        },
      };
    },
  },

  'exchange-once-per-owner': {
    summary: 'Who has tokens of a client already gets no further ones by a code.',
    severity: 'subtle',
    breaks: ['exchange.form-encoded'],
    changes: ({ code }) => {
      const served = new Set<string>();
      return {
        code: {
          async redeem(record, exchange, now) {
            const key = `${record.grant.ownerId} ${record.grant.clientId}`;
            if (served.has(key)) return refuse('code-unknown', 'the owner has tokens of this client already');
            const refused = await code.redeem(record, exchange, now);
            if (refused === undefined) served.add(key);
            return refused;
          },
        },
      };
    },
  },

  'exchange-newest-code-of-owner-alone': {
    summary:
      'Codes are kept by owner alone, so that the next one, for whatever application, puts an end to the one before.',
    severity: 'subtle',
    breaks: ['exchange.form-encoded'],
    changes: ({ code }) => ({
      code: {
        find(value, codes) {
          const found = code.find(value, codes);
          if (isRefusal(found) || found.usedAt !== undefined) return found;
          const replaced = [...codes.values()].some(
            ({ grant, ordinal }) => grant.ownerId === found.grant.ownerId && ordinal > found.ordinal,
          );
          return replaced ? refuse('code-unknown', 'the owner has a newer code') : found;
        },
      },
    }),
  },

  'exchange-grant-type-guessed': {
    summary: 'A request with a code and no grant_type is taken for an exchange.',
    severity: 'blunt',
    breaks: ['exchange.requires-grant-type'],
    changes: grantType((value) => value === ''),
  },
  'exchange-grant-type-unchecked': {
    summary: 'A request with a code is an exchange, whatever its grant_type says.',
    severity: 'blunt',
    breaks: ['exchange.grant-type-checked'],
    changes: grantType((value) => value !== ''),
  },
  'exchange-grant-type-case-ignored': {
    summary: 'A grant_type in another letter case counts.',
    severity: 'subtle',
    breaks: ['exchange.grant-type-checked'],
    changes: grantType((value) => value.toLowerCase() === 'authorization_code'),
  },

  'token-get-honoured': {
    summary: 'The token endpoint answers a GET, with secret and code in the address.',
    severity: 'blunt',
    breaks: ['token.post-only'],
    changes: ({ client }) => ({
      client: {
        parameters: (request) =>
          client.parameters(
            request.method === 'GET'
              ? { ...request, method: 'POST', contentType: FORM, query: '', body: request.query }
              : request,
          ),
      },
    }),
  },

  'token-get-refused-with-tokens': {
    summary: 'A GET is answered with status 405 and the tokens all the same.',
    severity: 'subtle',
    breaks: ['token.post-only'],
    changes: ({ client, answer }) => {
      let byGet = false;
      return {
        client: {
          parameters(request) {
            byGet = request.method === 'GET';
            if (!byGet) return client.parameters(request);
            return client.parameters({
              ...request,
              method: 'POST',
              contentType: FORM,
              query: '',
              body: request.query,
            });
          },
        },
        answer: {
          tokens: (issued) => (byGet ? { ...answer.tokens(issued), status: 405 } : answer.tokens(issued)),
        },
      };
    },
  },

  'token-first-of-repeated-counts': {
    summary: 'Of a parameter that comes twice in a token request the first value counts.',
    severity: 'blunt',
    breaks: ['token.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent)),
  },
  'token-last-of-repeated-counts': {
    summary: 'Of a parameter that comes twice in a token request the last value counts.',
    severity: 'blunt',
    breaks: ['token.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent.lastFirst())),
  },
  'token-first-of-different-counts': {
    summary:
      'Of two different values of a parameter in a token request the first counts; the same value twice is refused.',
    severity: 'subtle',
    breaks: ['token.duplicate-parameter'],
    changes: repeated((sent) => (isRepeated(sent) ? sent : firstOfEach(sent))),
  },
  'token-last-of-different-counts': {
    summary:
      'Of two different values of a parameter in a token request the last counts; the same value twice is refused.',
    severity: 'subtle',
    breaks: ['token.duplicate-parameter'],
    changes: repeated((sent) => (isRepeated(sent) ? sent : firstOfEach(sent.lastFirst()))),
  },
  'token-repeated-code-tolerated': {
    summary: 'A repeated code is tolerated, every other repeated parameter refused.',
    severity: 'subtle',
    breaks: ['token.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent, (name) => name === 'code')),
  },

  'token-unknown-parameter-refused': {
    summary: 'A token request with a parameter that the service has not heard of is refused.',
    severity: 'blunt',
    breaks: ['token.unknown-parameter-ignored'],
    changes: ({ client }) => ({
      client: {
        async parameters(request) {
          const parameters = await client.parameters(request);
          if (parameters === 'other-method' || isRefusal(parameters)) return parameters;
          const unknown = parameters.entries().find(([name]) => !KNOWN.includes(name));
          if (unknown === undefined || parameters.get('grant_type') === undefined) return parameters;
          return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
        },
      },
    }),
  },
};
