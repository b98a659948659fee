import type { Defect } from '../../defect.ts';
import { formatForm, ReceivedParameters } from '../../parameters.ts';
import { mediaTypeOf } from '../../policy/media-type.ts';
import type { ReceivedTokenRequest } from '../../policy.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';
import { firstOfEach, isRepeated } from '../first-of-each.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Parameters of a token request that this service has heard of. */
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

/** The request as if its parameters had come in a form. */
function asForm(request: ReceivedTokenRequest, parameters: ReceivedParameters): ReceivedTokenRequest {
  return { ...request, method: 'POST', contentType: FORM, query: '', body: formatForm(parameters.entries()) };
}

/** A grant type that counts as `authorization_code` beside a code. */
function grantType(id: string, accepts: (value: string) => boolean): Defect {
  return defect(id, ({ client }) => ({
    client: {
      grantType: (parameters) =>
        parameters.get('code') && accepts(parameters.get('grant_type') ?? '')
          ? 'authorization_code'
          : client.grantType(parameters),
    },
  }));
}

/** A form in which some parameters may come twice. */
function repeated(id: string, settle: (sent: ReceivedParameters) => ReceivedParameters): Defect {
  return defect(id, ({ client }) => ({
    client: {
      parameters(request) {
        if (mediaTypeOf(request.contentType) !== FORM) return client.parameters(request);
        const sent = new ReceivedParameters([...new URLSearchParams(request.body)]);
        return client.parameters(request.method === 'POST' ? asForm(request, settle(sent)) : request);
      },
    },
  }));
}

/** Faults in the shape of the request (clause 4.2, RFC 6749 section 3.2): method, body and parameters as such. */
export const forms: readonly Defect[] = [
  defect('exchange-json-demanded', ({ client }) => ({
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
  })),

  defect('exchange-basic-demanded', ({ client }) => ({
    client: {
      credentials: (request, parameters) =>
        /^basic /i.test(request.authorization)
          ? client.credentials(request, parameters)
          : refuse('client-missing', 'HTTP Basic is demanded'),
    },
  })),

  defect('exchange-code-not-yet-known', ({ code }) => {
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
  }),

  defect('exchange-once-per-owner', ({ code }) => {
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
  }),

  defect('exchange-newest-code-of-owner-alone', ({ code }) => ({
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
  })),

  grantType('exchange-grant-type-guessed', (value) => value === ''),
  grantType('exchange-grant-type-unchecked', (value) => value !== ''),
  grantType('exchange-grant-type-case-ignored', (value) => value.toLowerCase() === 'authorization_code'),

  defect('token-get-honoured', ({ client }) => ({
    client: {
      parameters: (request) =>
        client.parameters(
          request.method === 'GET'
            ? { ...request, method: 'POST', contentType: FORM, query: '', body: request.query }
            : request,
        ),
    },
  })),

  defect('token-get-refused-with-tokens', ({ client, answer }) => {
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
  }),

  repeated('token-first-of-repeated-counts', (sent) => firstOfEach(sent)),
  repeated('token-last-of-repeated-counts', (sent) => firstOfEach(sent.lastFirst())),
  repeated('token-first-of-different-counts', (sent) => (isRepeated(sent) ? sent : firstOfEach(sent))),
  repeated('token-last-of-different-counts', (sent) =>
    isRepeated(sent) ? sent : firstOfEach(sent.lastFirst()),
  ),
  repeated('token-repeated-code-tolerated', (sent) => firstOfEach(sent, (name) => name === 'code')),

  defect('token-unknown-parameter-refused', ({ client }) => ({
    client: {
      async parameters(request) {
        const parameters = await client.parameters(request);
        if (parameters === 'other-method' || isRefusal(parameters)) return parameters;
        const unknown = parameters.entries().find(([name]) => !KNOWN.includes(name));
        if (unknown === undefined || parameters.get('grant_type') === undefined) return parameters;
        return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
      },
    },
  })),
];
