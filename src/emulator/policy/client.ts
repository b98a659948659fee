import { jsonObjectIn } from '../../document/input/plain-data.ts';
import {
  applyRepeatedRule,
  decodeFormComponent,
  mediaTypeOf,
  NO_PARAMETERS,
  parseForm,
  ReceivedParameters,
} from '../parameters.ts';
import { isRefusal, refuse, type TokenRefusal, withFinerReason } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import { equalSecrets } from '../store/randomness.ts';
import type { ClientPolicy, Credentials } from './policy.ts';
import type { Answers } from './profile.ts';

/** Compared when there is no application, so that an unknown client takes as long as a wrong secret. */
const NOBODYS_SECRET = 'no application has this secret';

export function clientPolicy(answers: Answers): ClientPolicy {
  const takes = (way: 'basic' | 'basic-and-form' | 'query-string' | 'json-body' | 'multipart') =>
    answers[`client-authentication.${way}`];
  const raw = answers['client-authentication.basic-encoding'] === 'raw';
  const decode = raw ? (part: string) => part : decodeFormComponent;
  const repeated = answers['token-failures.exchange.duplicate-parameter'];

  async function otherBody(mediaType: string, request: HttpRequest) {
    if (mediaType === 'application/json' && takes('json-body')) return jsonParameters(request.body);
    if (mediaType === 'multipart/form-data' && takes('multipart')) return multipartParameters(request);
    return refuse(
      'media-type-unsupported',
      `the payload must be application/x-www-form-urlencoded, got ${mediaType || 'none'}`,
    );
  }

  function settled(sent: ReceivedParameters | TokenRefusal, query: string) {
    if (isRefusal(sent)) return sent;
    const all = takes('query-string') && query !== '' ? sent.concat(parseForm(query)) : sent;
    return applyRepeatedRule(all, repeated);
  }

  return {
    parameters(request) {
      if (request.method !== 'POST') return 'other-method';
      const mediaType = mediaTypeOf(request.contentType);
      if (mediaType === 'application/x-www-form-urlencoded') {
        return settled(parseForm(request.body), request.query);
      }
      if (request.body === '') return settled(NO_PARAMETERS, request.query);
      return otherBody(mediaType, request).then((parameters) => settled(parameters, request.query));
    },

    grantType(parameters) {
      const value = parameters.get('grant_type');
      if (!value) {
        const missing = refuse('grant-type-missing', 'grant_type is missing', 'grant_type');
        return parameters.get('refresh_token')
          ? withFinerReason(missing, 'grant-type-missing-on-refresh')
          : missing;
      }
      if (value === 'authorization_code' || value === 'refresh_token') return value;
      return refuse('grant-type-unsupported', `grant_type ${value} is neither of the two`, 'grant_type');
    },

    required(parameters, name) {
      const value = parameters.get(name);
      if (value) return value;
      const reason = {
        code: 'code-missing',
        redirect_uri: 'redirect-uri-missing',
        refresh_token: 'refresh-token-missing',
      } as const;
      return refuse(reason[name], `${name} is missing`, name);
    },

    credentials(request, parameters) {
      const fromForm = {
        clientId: parameters.value('client_id'),
        clientSecret: parameters.value('client_secret'),
      };
      const fromHeader = takes('basic') ? readBasicCredentials(request.authorization, decode) : undefined;
      if (fromHeader === undefined) return fromForm;
      if (fromForm.clientSecret !== undefined && !takes('basic-and-form')) {
        return refuse('client-authenticated-twice', 'the client authenticated by header and by form');
      }
      return fromHeader;
    },

    authenticate({ clientId, clientSecret }, applications, grantType) {
      const refreshing = grantType === 'refresh_token';
      if (clientId === undefined) {
        const reason = refreshing ? 'client-missing-on-refresh' : 'client-missing';
        return refuse(reason, 'client_id is missing', 'client_id');
      }
      const application = applications.get(clientId);
      const fits = equalSecrets(clientSecret ?? '', application?.clientSecret ?? NOBODYS_SECRET);
      if (application === undefined) {
        const unknown = refuse('client-unknown', `no application has the client_id ${clientId}`);
        return refreshing ? withFinerReason(unknown, 'client-unknown-on-refresh') : unknown;
      }
      if (clientSecret === undefined) {
        const missing = refuse('client-missing', 'client_secret is missing', 'client_secret');
        return withFinerReason(
          missing,
          refreshing ? 'client-secret-missing-on-refresh' : 'client-secret-missing',
        );
      }
      if (fits) return application;
      const wrong = refuse('client-secret-wrong', 'client_secret is wrong');
      return refreshing ? withFinerReason(wrong, 'client-secret-wrong-on-refresh') : wrong;
    },
  };
}

/** Reads HTTP Basic credentials and decodes each part as the profile says; undefined for any other scheme. */
export function readBasicCredentials(
  authorization: string,
  decode: (part: string) => string | undefined,
): Credentials | undefined {
  const match = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization);
  if (match?.[1] === undefined) return undefined;
  const decoded = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) return undefined;
  return {
    clientId: decode(decoded.slice(0, colon)) || undefined,
    clientSecret: decode(decoded.slice(colon + 1)) || undefined,
  };
}

function jsonParameters(body: string): ReceivedParameters | TokenRefusal {
  const value = jsonObjectIn(body);
  if (value === undefined) return refuse('body-unreadable', 'the body must be a JSON object');
  return new ReceivedParameters(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

async function multipartParameters(request: HttpRequest): Promise<ReceivedParameters | TokenRefusal> {
  try {
    const response = new Response(request.body, { headers: { 'Content-Type': request.contentType } });
    const pairs: [string, string][] = [];
    for (const [name, value] of await response.formData()) {
      if (typeof value === 'string') pairs.push([name, value]);
    }
    return new ReceivedParameters(pairs);
  } catch {
    return refuse('body-unreadable', 'the body says that it is multipart/form-data and is none');
  }
}
