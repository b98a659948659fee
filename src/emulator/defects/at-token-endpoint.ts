import type { ServiceAnswer } from '../answer.ts';
import type { ClientPolicy, Credentials, IssuedTokens } from '../policy/policy.ts';
import { isRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { RegisteredApplication } from '../store/records.ts';
import { type Changes, changing } from './define-defect.ts';

export const FORM = 'application/x-www-form-urlencoded';

export function asForm(request: HttpRequest, body: string): HttpRequest {
  return { ...request, method: 'POST', contentType: FORM, query: '', body };
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

export const byId: Identify = ({ clientId = '' }, applications) => applications.get(clientId);

export const missingSecret: Identify = (sent, applications) =>
  sent.clientSecret === undefined ? byId(sent, applications) : undefined;

export type ValueMatcher = (sent: string, own: string) => boolean;

export function comparingSecrets(grantType: GrantType, alike: ValueMatcher): Changes {
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
