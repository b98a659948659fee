import type { ServiceAnswer } from '../answer.ts';
import { formatForm, mediaTypeOf, ReceivedParameters } from '../parameters.ts';
import type { ClientPolicy, Credentials, IssuedTokens } from '../policy.ts';
import type { RegisteredApplication } from '../records.ts';
import { isRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Meant } from './at-resource-api.ts';
import { type Changes, changing } from './define-defect.ts';

const FORM = 'application/x-www-form-urlencoded';

export function asForm(request: HttpRequest, body: string): HttpRequest {
  return { ...request, method: 'POST', contentType: FORM, query: '', body };
}

export const readingQuery = changing(
  'client.parameters',
  (base) => (request) => base(asForm(request, request.query)),
);

export function settling(
  settle: (sent: ReceivedParameters) => ReceivedParameters,
  meant: Meant = () => true,
): Changes {
  return changing('client.parameters', (base) => (request) => {
    const isForm = request.method === 'POST' && mediaTypeOf(request.contentType) === FORM;
    if (!isForm || !meant(request)) return base(request);
    const sent = new ReceivedParameters([...new URLSearchParams(request.body)]);
    return base({ ...request, body: formatForm(settle(sent).entries()) });
  });
}

/** Accepts a request with a code or refresh token, whatever its grant_type, if `accepts` allows that. */
export function acceptingGrantType(
  having: 'code' | 'refresh_token',
  accepts: (grantType: string | undefined) => boolean,
): Changes {
  const meant = having === 'code' ? 'authorization_code' : 'refresh_token';
  return changing(
    'client.grantType',
    (base) => (parameters) =>
      parameters.get(having) && accepts(parameters.get('grant_type')) ? meant : base(parameters),
  );
}

export function firstOfEach(
  sent: ReceivedParameters,
  counts: (name: string) => boolean = () => true,
): ReceivedParameters {
  const pairs = sent.entries();
  return new ReceivedParameters(
    pairs.filter(([name], index) => !counts(name) || pairs.findIndex(([other]) => other === name) === index),
  );
}

export type GrantType = Parameters<ClientPolicy['authenticate']>[2];

/** Finds the application that a client is mistaken for; undefined for none. */
export type Identify = (
  sent: Credentials,
  applications: ReadonlyMap<string, RegisteredApplication>,
) => RegisteredApplication | undefined;

/** Mistakes a refused client for the application that `identify` finds. */
export function identifying(grantType: GrantType, identify: Identify): Changes {
  return changing('client.authenticate', (base) => (sent, applications, asked) => {
    const authenticated = base(sent, applications, asked);
    if (!isRefusal(authenticated) || asked !== grantType) return authenticated;
    return identify(sent, applications) ?? authenticated;
  });
}

export const bySecret: Identify = ({ clientSecret }, applications) =>
  [...applications.values()].find((one) => one.clientSecret === clientSecret);

export const byId: Identify = ({ clientId = '' }, applications) => applications.get(clientId);

export const missingId: Identify = (sent, applications) =>
  sent.clientId === undefined ? bySecret(sent, applications) : undefined;

export const missingSecret: Identify = (sent, applications) =>
  sent.clientSecret === undefined ? byId(sent, applications) : undefined;

export type Alike = (sent: string, own: string) => boolean;

export function comparingIds(grantType: GrantType, alike: Alike): Changes {
  return identifying(grantType, ({ clientId, clientSecret }, applications) =>
    [...applications.values()].find(
      (own) => clientId !== undefined && own.clientSecret === clientSecret && alike(clientId, own.clientId),
    ),
  );
}

export function comparingSecrets(grantType: GrantType, alike: Alike): Changes {
  return identifying(grantType, (sent, applications) => {
    const own = byId(sent, applications);
    const { clientSecret } = sent;
    return own && clientSecret !== undefined && alike(clientSecret, own.clientSecret) ? own : undefined;
  });
}

/** Takes every refresh token for one of the client that sends it. */
export const refreshingForAnybody = changing(
  'refresh.check',
  (base) => (pair, exchange, now) =>
    base(pair, { ...exchange, application: { ...exchange.application, clientId: pair.grant.clientId } }, now),
);

export type TokenResponseOf = 'exchange' | 'refresh';

/** Changes token responses: all, or `only` those of one kind. */
export function changingResponses(
  change: (answer: ServiceAnswer, issued: IssuedTokens) => ServiceAnswer,
  only?: TokenResponseOf,
): Changes {
  return changing('answer.tokens', (base) => (issued) => {
    const answer = base(issued);
    return only === undefined || (only === 'refresh') === issued.refreshed ? change(answer, issued) : answer;
  });
}

/** Changes the fields of token responses; undefined removes a field. */
export function changingFields(
  change: (fields: Fields, issued: IssuedTokens) => Readonly<Record<string, unknown>>,
  only?: TokenResponseOf,
): Changes {
  return changingResponses((answer, issued) => {
    const fields = JSON.parse(answer.body) as Fields;
    return { ...answer, body: JSON.stringify({ ...fields, ...change(fields, issued) }) };
  }, only);
}

export interface Fields {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly [more: string]: unknown;
}
