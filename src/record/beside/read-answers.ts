import { canonical } from '../../document/canonical.ts';
import { type HeaderFamily, headerAspect } from '../../document/profiles/header-kinds.ts';
import { fieldsOf, valueAt } from '../../document/profiles/pointers.ts';
import { shapeOf } from '../../document/profiles/shape.ts';
import { memberOf } from '../../http/answer-body.ts';
import { isHarmlessMember, memberText } from '../../http/answer-secrets.ts';
import {
  type Header,
  headerOf,
  isBusy,
  isSuccess,
  jsonOf,
  type WireRequest,
  type WireResponse,
} from '../../http/exchange.ts';
import { type AuthorizeOutcome, redirectParameters } from '../../service/agent/user-agent.ts';
import { challengeOf } from '../../service/flow/answer-shape.ts';
import { tokensIn } from '../../service/flow/answers.ts';
import { readList } from '../../service/flow/assigned-list.ts';
import { codesIn } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { anonymized } from '../observe/headers.ts';
import type { MET, StoryAnswer } from './answer.ts';
import type { StoryPlace } from './place.ts';

type Facets = Record<string, string>;

export interface AnswerReading {
  readonly session: Session;
  readonly place: StoryPlace;
  /** Returns where a value was first seen: `new`, or `known: code of step 3`. */
  readonly meet: (kind: (typeof MET)[number], value: string) => string;
}

type Read = Omit<StoryAnswer, 'part'>;

/** Headers whose values are recorded; of all others only the presence is. */
const VALUED =
  /^(cache-control|pragma|vary|allow|access-control-.*|strict-transport-security|deprecation|sunset|x-content-type-options|x-frame-options|referrer-policy)$/;

/** Redirect parameters whose names are recorded (RFC 6749, OpenID Connect). Another name may be a value. */
const PARAMETERS = new Set([
  ...['code', 'state', 'error', 'error_description', 'error_uri', 'scope', 'session_state'],
  ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'id_token'],
]);

const ERROR_CODE = /^[a-z_]{1,40}$/;

export function readToken(reading: AnswerReading, response: WireResponse): Read {
  const { accessToken, refreshToken } = tokensIn({ response });
  const given = accessToken !== undefined || refreshToken !== undefined;
  const without = isSuccess(response) ? 'done' : 'refused';
  const outcome = given ? 'tokens' : without;
  const facets: Facets = { ...common(reading, response, 'token'), ...bodyFacets(reading, response) };
  const scope = memberOf(response, 'scope');
  const members = {
    token_type: memberOf(response, 'token_type'),
    expires_in: memberOf(response, 'expires_in'),
    // The order of scopes has no meaning (RFC 6749 section 3.3).
    scope: typeof scope === 'string' ? scope.split(' ').sort().join(' ') : scope,
  };
  for (const [name, value] of given ? Object.entries(members) : [])
    facets[name] = shown(reading, isHarmlessMember(name, value) ? value : value && memberText(name, value));
  Object.assign(facets, valueFacets(reading, 'access token', accessToken));
  Object.assign(facets, valueFacets(reading, 'refresh token', refreshToken));
  return { outcome, facets };
}

export function readOperation(reading: AnswerReading, { method }: WireRequest, response: WireResponse): Read {
  const facets = common(reading, response, 'resource');
  if (response.status === 304) return { outcome: 'not modified', facets };
  const outcome = isSuccess(response) ? 'done' : 'refused';
  if (outcome === 'done' && method === 'GET') return { outcome, ...list(reading, response, facets) };
  return { outcome, facets: { ...facets, ...bodyFacets(reading, response) } };
}

function list(reading: AnswerReading, response: WireResponse, facets: Facets): Omit<Read, 'outcome'> {
  const { target, requestStyle } = reading.session;
  const pointer = requestStyle.userIdPointer;
  const ids = readList(response, { pointer, reader: target.readsList, known: target.users });
  if (ids === undefined) return { facets: { ...facets, list: 'unreadable' } };
  const own = ids.flatMap((id) => reading.place.user(id) ?? []);
  const others = target.kind === 'emulator' ? { others: ids.length - own.length } : {};
  return { facets: { ...facets, ...recordFacets(reading, response, pointer) }, listed: own, ...others };
}

/** Describes the record of the first own user. Records of other people are never read. */
function recordFacets(reading: AnswerReading, response: WireResponse, pointer: string | undefined): Facets {
  const [container, inRecord] = pointer?.split('/*') ?? [];
  if (container === undefined || inRecord === undefined) return {};
  const json = jsonOf(response);
  const records = valueAt(json, container);
  if (!Array.isArray(records)) return {};
  const idOf = (record: unknown) => String(inRecord === '' ? record : valueAt(record, inRecord));
  const record = records.find((one) => reading.place.user(idOf(one)) !== undefined);
  if (record === undefined) return {};
  const fields = inRecord === '' ? [typeof record] : fieldsOf(record, inRecord);
  const id = inRecord === '' ? record : valueAt(record, inRecord);
  const names = fields.map((field) => named(reading, field));
  return {
    'fields of a record': [`id:${typeof id}`, ...names.toSorted()].join(' '),
    'order of fields': names.join(' '),
    envelope: canonical(shape(reading, withoutRecords(json, container))),
  };
}

function withoutRecords(json: unknown, container: string): unknown {
  const [name, ...rest] = container.split('/').slice(1);
  if (name === undefined) return [];
  const inner = (json as Record<string, unknown>)[name];
  return { ...(json as object), [name]: withoutRecords(inner, rest.map((one) => `/${one}`).join('')) };
}

export function readAuthorized(reading: AnswerReading, url: string, outcome: AuthorizeOutcome): Read {
  const { caught, pages, trouble } = outcome;
  if (trouble !== undefined || pages.some(({ status }) => isBusy(status)))
    return { outcome: 'trouble', facets: {} };
  const facets: Facets = {
    pages: pages.map(({ shows, status }) => `${shows} ${status}`).join(', ') || 'none',
  };
  for (const page of pages) Object.assign(facets, headerFacets(reading, page.headers, 'pages'));
  if (caught === undefined) return { outcome: 'page', facets };
  const asked = new URL(url).searchParams;
  const registered = asked.get('redirect_uri') ?? '';
  facets.status = String(caught.status ?? 'by script');
  facets.address = caught.url.split(/[?#]/)[0] === registered.split(/[?#]/)[0] ? 'as asked' : 'another';
  const own = [...(URL.parse(registered)?.searchParams.keys() ?? [])];
  const { query, fragment } = redirectParameters(caught);
  const names = (parameters: URLSearchParams) =>
    [...parameters.keys()]
      .filter((name) => name !== 'iss' && !own.includes(name))
      .map(parameterName)
      .join(' ');
  facets.parameters = `query: ${names(query) || 'none'}; fragment: ${names(fragment) || 'none'}`;
  const parameter = (name: string) => query.get(name) ?? fragment.get(name) ?? undefined;
  const state = asked.get('state');
  const returned = parameter('state');
  const other = returned === undefined ? 'none' : 'changed';
  if (state !== null) facets.state = returned === state ? 'as sent' : other;
  Object.assign(facets, errorFacets(parameter('error')));
  if (parameter('scope') !== undefined) facets.scope = shown(reading, parameter('scope'));
  const [code] = codesIn(outcome);
  Object.assign(facets, valueFacets(reading, 'code', code));
  return { outcome: code === undefined ? 'redirect' : 'code', facets };
}

function parameterName(name: string): string {
  return PARAMETERS.has(name) ? name : '*';
}

function common(reading: AnswerReading, response: WireResponse, family: HeaderFamily): Facets {
  const challenge = challengeOf(response);
  const { error, error_description: _, realm: __, ...rest } = challenge?.parameters ?? {};
  return {
    status: String(response.status),
    'content type': shown(reading, headerOf(response, 'content-type') ?? 'none'),
    ...headerFacets(reading, response.headers, family),
    ...(challenge && {
      challenge: [challenge.scheme, ...Object.keys(rest).map(parameterName).sort()].join(' '),
      ...(error !== undefined && ERROR_CODE.test(error) && { 'challenge error': error }),
    }),
  };
}

function headerFacets(reading: AnswerReading, headers: readonly Header[], family: HeaderFamily): Facets {
  const facets: Facets = {};
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    // Caching of token responses has aspects of its own, which exploration does not probe.
    if (headerAspect(name, family === 'token' ? 'resource' : family) === undefined) continue;
    facets[`header ${named(reading, name)}`] = VALUED.test(name) ? shown(reading, value) : 'there';
  }
  return facets;
}

function bodyFacets(reading: AnswerReading, response: WireResponse): Facets {
  const json = jsonOf(response);
  if (typeof json !== 'object' || json === null) return { body: response.body === '' ? 'none' : 'text' };
  const error = memberOf(response, 'error');
  return {
    body: canonical(shape(reading, json)),
    ...errorFacets(typeof error === 'string' ? error : undefined),
  };
}

function errorFacets(error: string | undefined): Facets {
  return error !== undefined && ERROR_CODE.test(error) ? { error } : {};
}

function valueFacets({ meet }: AnswerReading, kind: (typeof MET)[number], value: string | undefined): Facets {
  if (value === undefined) return {};
  return {
    [kind]: meet(kind, value),
    [`form of ${kind}`]: /^[0-9a-f]+$/i.test(value) ? 'hexadecimal' : 'other',
  };
}

function shape(reading: AnswerReading, json: unknown): unknown {
  return renamed(shapeOf(json), (name) => named(reading, name));
}

function renamed(value: unknown, name: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), renamed(inner, name)]));
}

/** Returns a name that holds no secret, otherwise `*` and the type after a colon. */
function named({ session }: AnswerReading, name: string): string {
  const type = name.split(':')[1];
  if (session.secrets.find(name).length === 0) return name;
  return type === undefined ? '*' : `*:${type}`;
}

/** Returns a text without secrets, addresses and ids. */
function shown({ session }: AnswerReading, value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return session.secrets.redact(anonymized(text, session.target)).replace(/<(\w+)#\d+>/g, '<$1>');
}
