import { jsonObjectIn } from '../../document/input/plain-data.ts';
import type { JournalEntry } from '../control/control-types.ts';
import { decodeFormComponent, mediaTypeOf, parseForm } from '../parameters.ts';
import { readBasicCredentials } from '../policy/client.ts';
import type { Endpoint } from '../policy/policy.ts';
import type { RequestOutcome } from '../request.ts';
import type { Service } from '../service.ts';

export interface SentRequest {
  readonly endpoint: Endpoint;
  readonly target: string;
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface SentParameter {
  readonly name: string;
  readonly value: string;
  readonly place: 'query' | 'form' | 'json';
}

export type PresentedValues = ReturnType<typeof readSent>;

/** Reads what a request presents: credentials, code and tokens. */
export function readSent(sent: SentRequest) {
  const parameters = parametersOf(sent);
  const first = (name: string) => parameters.find((one) => one.name === name)?.value || undefined;
  const authorization = headerIn(sent, 'authorization');
  const basic = readBasicCredentials(authorization, decodeFormComponent);
  const isTokenRequest = sent.endpoint === 'token';
  const asked = isTokenRequest ? first('grant_type') : undefined;
  const grantType: JournalEntry['grantType'] =
    asked === 'authorization_code' || asked === 'refresh_token' ? asked : undefined;
  const bearer = /^bearer +(.*)$/is.exec(authorization)?.[1];
  return {
    parameters,
    grantType,
    authentication: isTokenRequest ? authenticationOf(parameters, authorization) : undefined,
    presentation: isOperation(sent.endpoint) ? presentationOf(parameters, bearer) : undefined,
    clientId: basic?.clientId ?? first('client_id'),
    clientSecret: basic?.clientSecret ?? first('client_secret'),
    code: isTokenRequest ? first('code') : undefined,
    accessToken: bearer || first('access_token') || first('bearer_token'),
    refreshToken: first('refresh_token'),
  };
}

function parametersOf(sent: SentRequest): readonly SentParameter[] {
  const { target, body } = sent;
  const mark = target.indexOf('?');
  const query = mark < 0 ? [] : named(parseForm(target.slice(mark + 1)).entries(), 'query');
  if (body === '') return query;
  const mediaType = mediaTypeOf(headerIn(sent, 'content-type'));
  if (mediaType === 'application/json') return [...query, ...named(jsonMembers(body), 'json')];
  if (mediaType === 'multipart/form-data') return [...query, ...named(multipartFields(body), 'form')];
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  return isForm ? [...query, ...named(parseForm(body).entries(), 'form')] : query;
}

function named(
  pairs: readonly (readonly [string, string])[],
  place: SentParameter['place'],
): readonly SentParameter[] {
  return pairs.map(([name, value]) => ({ name, value, place }));
}

function jsonMembers(body: string): readonly (readonly [string, string])[] {
  return Object.entries(jsonObjectIn(body) ?? {}).map(([name, member]) => [
    name,
    typeof member === 'string' ? member : JSON.stringify(member),
  ]);
}

function multipartFields(body: string): readonly (readonly [string, string])[] {
  const parts = body.matchAll(/\bname="([^"]*)"[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n([\s\S]*?)\r\n--/g);
  return [...parts].map(([, name = '', value = '']) => [name, value]);
}

function authenticationOf(
  parameters: readonly SentParameter[],
  authorization: string,
): JournalEntry['authentication'] {
  const form = parameters.some(({ name, place }) => name === 'client_secret' && place === 'form');
  const basic = /^basic\b/i.test(authorization);
  if (form) return basic ? 'both' : 'form';
  return basic ? 'basic' : 'none';
}

function presentationOf(
  parameters: readonly SentParameter[],
  bearer: string | undefined,
): JournalEntry['presentation'] {
  if (bearer !== undefined) return 'header';
  const parameter = parameters.find(({ name }) => name === 'access_token' || name === 'bearer_token');
  if (parameter === undefined) return 'none';
  return parameter.place === 'query' ? 'query' : 'form';
}

function isOperation(endpoint: Endpoint): boolean {
  return endpoint === 'assign' || endpoint === 'unassign' || endpoint === 'list' || endpoint === 'resource';
}

/** Returns a header's value, name in lower case; empty for none. */
export function headerIn({ rawHeaders }: SentRequest, wanted: string): string {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === wanted);
  return at < 0 ? '' : (rawHeaders[at + 1] ?? '');
}

/** Finds the request's owner and client: from what a served request issued, otherwise from what it presents. */
export function identitiesOf(sent: PresentedValues, outcome: RequestOutcome, { store }: Service) {
  const { codes, tokens, owners, applications } = store;
  // No record has an empty key.
  const record =
    tokens.byAccessToken(outcome.accessToken ?? '') ??
    codes.get(outcome.code ?? sent.code ?? '') ??
    tokens.byRefreshToken(sent.refreshToken ?? '') ??
    tokens.byAccessToken(sent.accessToken ?? '');
  const grant = record?.grant;
  return {
    grant,
    user: owners.get(grant?.ownerId ?? '')?.email,
    application: applications.get(sent.clientId ?? '')?.clientId ?? grant?.clientId,
  };
}
