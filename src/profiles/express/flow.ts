import type { Answer, AspectId, SeenAnswers } from '../aspects.ts';
import { canonical } from '../aspects.ts';
import { bodyOfChoice, JSON_TYPE, TEXT_TYPE } from '../expected/bodies.ts';
import { PAGE_CASES } from '../expected/flow.ts';
import { METHOD_PATHS, OTHER_METHODS } from '../expected/other-methods.ts';
import { HEADER_ASPECTS } from '../header-kinds.ts';
import type { ProfileAnswers, ProfileOtherMethod } from '../profile.ts';

/** Tells the emulator how the authorization address refuses (open point 7). */
export function expressAuthorize(answers: ProfileAnswers, seen: SeenAnswers): void {
  const failures = answers['authorize-failures'];
  const delivered = (
    ['no-response-type', 'unsupported-response-type', 'no-scope', 'unknown-scope'] as const
  ).flatMap((aspect) => pageAt(seen, `authorize-failures.${aspect}`)?.kind ?? []);
  const redirects = delivered.filter((kind) => kind === 'redirect').length;
  if (delivered.length > 0) failures.delivery = redirects * 2 > delivered.length ? 'redirect' : 'page';
  const denial = pageAt(seen, 'authorize-failures.denial');
  if (denial !== undefined) failures.denial = denial.kind;
  const status = seen.get('authorize-failures.redirect-status');
  if (status === 302 || status === 303) failures.redirectStatus = status;
  const spaces = seen.get('authorize-failures.redirect-spaces');
  if (spaces === 'plus' || spaces === 'percent-20') failures.redirectSpaces = spaces;
  for (const [aspect, reason] of Object.entries(PAGE_CASES) as [keyof typeof PAGE_CASES, keyof Cases][]) {
    const page = pageAt(seen, `authorize-failures.${aspect}`);
    if (page === undefined) continue;
    const known = reason === 'access-denied' ? failures.denial : failures.delivery;
    const early = ['no-client-id', 'unknown-client', 'no-redirect-uri', 'unauthorized-redirect-uri'].includes(
      aspect,
    );
    const wording = seen.get('authorize-failures.wording') as Readonly<Record<string, string>> | undefined;
    failures.cases[reason] = caseFrom(
      failures.cases[reason],
      page,
      page.kind === known || early,
      wording?.[aspect],
    );
  }
  expressRepeated(
    failures,
    seen.get('authorize-failures.duplicate-parameter'),
    pageAt(seen, 'authorize-failures.duplicate-parameter'),
  );
}

type AuthorizeFailures = ProfileAnswers['authorize-failures'];
type Cases = AuthorizeFailures['cases'];

interface SeenPage {
  readonly kind: 'page' | 'redirect';
  readonly status: number;
  readonly error: string | null;
}

function pageAt(seen: SeenAnswers, aspect: AspectId): SeenPage | undefined {
  const answer = seen.get(aspect);
  return typeof answer === 'object' && answer !== null && 'kind' in answer
    ? (answer as unknown as SeenPage)
    : undefined;
}

function caseFrom(
  { delivery: _, ...before }: Cases['access-denied'],
  page: SeenPage,
  asUsual: boolean,
  wording: string | undefined,
): Cases['access-denied'] {
  const possible = page.status === 200 || (page.status >= 400 && page.status <= 499);
  return {
    ...before,
    ...(page.kind === 'page' && possible ? { status: page.status as Cases['access-denied']['status'] } : {}),
    ...(page.error ? { error: page.error } : {}),
    ...(wording === undefined ? {} : { description: wording }),
    ...(asUsual ? {} : { delivery: page.kind }),
  };
}

function expressRepeated(
  failures: AuthorizeFailures,
  answer: Answer | undefined,
  page: SeenPage | undefined,
): void {
  if (answer === 'first-wins' || answer === 'last-wins') failures.repeatedParameter = answer;
  if (page === undefined) return;
  failures.repeatedParameter = 'refused';
  const repeated = failures.cases['parameter-repeated'];
  failures.cases['parameter-repeated'] = caseFrom(repeated, page, page.kind === 'page', undefined);
}

/** Tells the emulator open points 8 to 15. */
export function expressTokens(answers: ProfileAnswers, seen: SeenAnswers): void {
  const choose = <T extends string>(aspect: AspectId, yes: T, no: T): T | undefined => {
    const answer = seen.get(aspect);
    return typeof answer === 'boolean' ? (answer ? yes : no) : undefined;
  };
  const client = answers['client-authentication'];
  client.basic = choose('client-authentication.basic', 'accepted', 'ignored') ?? client.basic;
  client.basicAndForm =
    choose('client-authentication.basic-and-form', 'accepted', 'refused') ?? client.basicAndForm;
  client.queryString =
    choose('client-authentication.query-string', 'accepted', 'ignored') ?? client.queryString;
  client.jsonBody = choose('client-authentication.json-body', 'accepted', 'refused') ?? client.jsonBody;
  client.multipartBody =
    choose('client-authentication.multipart', 'accepted', 'refused') ?? client.multipartBody;

  const fate = answers['refresh-fate'];
  const one = <T extends string>(aspect: AspectId, known: readonly T[]): T | undefined =>
    known.find((value) => value === seen.get(aspect));
  const fates = ['at-once', 'on-first-use-of-the-new', 'never'] as const;
  fate.oldAccessToken = one('refresh-fate.old-access-token', fates) ?? fate.oldAccessToken;
  fate.oldRefreshToken = one('refresh-fate.old-refresh-token', fates) ?? fate.oldRefreshToken;
  fate.reuse = one('refresh-fate.reuse', ['refused', 'revokes-the-grant']) ?? fate.reuse;
  fate.beforeExpiry = choose('refresh-fate.before-expiry', 'allowed', 'refused') ?? fate.beforeExpiry;

  const { code, 'refresh-token': refreshToken } = {
    code: seen.get('lifetimes.code'),
    'refresh-token': seen.get('lifetimes.refresh-token'),
  };
  if (typeof code === 'number') answers.lifetimes.code = code;
  if (typeof refreshToken === 'number' || refreshToken === 'unlimited')
    answers.lifetimes.refreshToken = refreshToken;

  const failed = answers['failed-exchange'];
  const truth = (aspect: AspectId, before: boolean) => {
    const answer = seen.get(aspect);
    return typeof answer === 'boolean' ? answer : before;
  };
  failed.burnsCode = truth('failed-exchange.burns-code', failed.burnsCode);
  failed.replayRevokes = truth('failed-exchange.replay-revokes', failed.replayRevokes);

  const scopes = answers['scope-requests'];
  // Where nobody can see what came of it, it can only be told that it was not refused.
  const accepted = (what: 'narrower' | 'wider') =>
    seen.get(`token-failures.refresh.${what}-scope`) === 'accepted' ? ('ignored' as const) : undefined;
  scopes.narrowerOnRefresh =
    one('scope-requests.narrower-on-refresh', ['granted', 'ignored', 'refused']) ??
    accepted('narrower') ??
    scopes.narrowerOnRefresh;
  scopes.widerOnRefresh =
    one('scope-requests.wider-on-refresh', ['ignored', 'refused']) ??
    accepted('wider') ??
    scopes.widerOnRefresh;
  scopes.onExchange = one('scope-requests.on-exchange', ['ignored', 'refused']) ?? scopes.onExchange;
  answers.pkce.challenge = one('pkce.support', ['ignored', 'verified']) ?? answers.pkce.challenge;
  expressTokenResponse(answers, seen);
}

function expressTokenResponse(answers: ProfileAnswers, seen: SeenAnswers): void {
  const fields = answers['token-response-fields'];
  const extra = seen.get('token-response-fields.extra-fields');
  if (Array.isArray(extra)) fields.extra = [...(extra as string[])];
  const order = seen.get('token-response-fields.order');
  if (order === 'documented-first' || order === 'documented-last' || order === 'alphabetical')
    fields.order = order;
  const type = seen.get('token-response-fields.content-type');
  if (typeof type === 'string') fields.contentType = type;
  for (const [key, aspect] of [
    ['cacheControl', 'token-response-fields.cache-control'],
    ['pragma', 'token-response-fields.pragma'],
  ] as const) {
    const value = seen.get(aspect);
    if (value === undefined) continue;
    delete fields[key];
    if (typeof value === 'string' && value !== '') fields[key] = value;
  }
  const distinct = seen.get('token-response-fields.distinct-tokens');
  if (typeof distinct === 'boolean') fields.distinctTokens = distinct;
  const remembered = seen.get('consent-memory.remembered');
  const fewer = seen.get('consent-memory.remembered-for-fewer');
  if (remembered === false) answers['consent-memory'].remembered = 'never';
  else if (remembered === true) {
    answers['consent-memory'].remembered =
      fewer === true ? 'for-the-same-or-fewer-scopes' : 'for-the-same-scopes';
  }
}

/** Tells the emulator what surrounds the document: headers, other methods, neighbours, loopback (open points 16 to 19). */
export function expressSurroundings(answers: ProfileAnswers, seen: SeenAnswers): void {
  expressHeaders(answers['response-headers'], seen);
  expressMethods(answers, seen);
  const { neighbours } = answers;
  for (const [key, aspect] of [
    ['revoke', 'neighbours.revoke'],
    ['introspect', 'neighbours.introspect'],
    ['tokenInfo', 'neighbours.token-info'],
    ['metadata', 'neighbours.authorization-server-metadata'],
    ['openidConfiguration', 'neighbours.openid-configuration'],
  ] as const) {
    const status = seen.get(aspect);
    if (typeof status !== 'number') continue;
    neighbours[key] = status === 404 || status === 410 ? 'absent' : 'served';
  }
  if (neighbours.openidConfiguration === 'absent') delete neighbours.openidConfiguration;
  const ports = seen.get('loopback-ports.other-port');
  if (typeof ports === 'boolean') answers['loopback-ports'].ports = ports ? 'any' : 'exact';
}

/** Names that are not merely written with a capital after each hyphen. */
const SPELLED: Readonly<Record<string, string>> = { etag: 'ETag', 'content-md5': 'Content-MD5', dnt: 'DNT' };

function spelled(name: string): string {
  const known =
    SPELLED[name] ??
    name.replace(/(^|-)([a-z])/g, (_, before: string, c: string) => before + c.toUpperCase());
  return known.replace(/^(X-)?Ratelimit/, (_, x: string | undefined) => `${x ?? ''}RateLimit`);
}

function expressHeaders(headers: ProfileAnswers['response-headers'], seen: SeenAnswers): void {
  const answered = HEADER_ASPECTS.filter((aspect) => seen.has(aspect));
  if (answered.length > 0) for (const family of ['pages', 'token', 'resource'] as const) headers[family] = {};
  for (const aspect of answered) {
    const families = seen.get(aspect) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    for (const family of ['pages', 'token', 'resource'] as const) {
      for (const [name, value] of Object.entries(families[family] ?? {}))
        headers[family][spelled(name)] = value;
    }
  }
  const names = seen.get('response-headers.letter-case');
  if (names === 'title-case' || names === 'lower-case' || names === 'upper-case') headers.names = names;
}

type Exceptions = NonNullable<ProfileAnswers['other-methods']['exceptions']>;

interface SeenMethod {
  readonly status: number;
  readonly allow: boolean;
  readonly contentType: string | null;
  readonly body: Answer;
}

/** One answer for each family, the one that most have; where a path or a method has another, it is an exception. */
function expressMethods(answers: ProfileAnswers, seen: SeenAnswers): void {
  const methods = answers['other-methods'];
  const at = METHOD_PATHS.flatMap((path) => {
    const answer = seen.get(`other-methods.${path}`) as Readonly<Record<string, SeenMethod>> | undefined;
    return answer === undefined
      ? []
      : OTHER_METHODS[path].flatMap((method) => {
          const told = answer[method];
          return told === undefined ? [] : [{ path, method, told, choice: choiceOf(told) }];
        });
  });
  if (at.length === 0) return;
  delete methods.exceptions;
  const most = (of: typeof at) =>
    mode(of.filter(({ method }) => method !== 'HEAD').map(({ choice }) => choice));
  const plain = at.filter(({ method }) => method !== 'OPTIONS');
  methods.options = most(at.filter(({ method }) => method === 'OPTIONS')) ?? methods.options;
  methods.authorize =
    most(plain.filter(({ path }) => path === 'authorize' || path === 'account-area')) ?? methods.authorize;
  methods.token = most(plain.filter(({ path }) => path === 'token')) ?? methods.token;
  methods.resource = most(plain.filter(({ path }) => path.startsWith('assigned'))) ?? methods.resource;
  const list = answers['operation-answers'].list;
  const head = at.find(({ path, method }) => path === 'assigned-users' && method === 'HEAD');
  if (head !== undefined) methods.head = isLike(head.told, list) ? 'as-get' : 'other';
  const exceptions: Exceptions = {};
  for (const { path, method, told, choice: shown } of at) {
    const family = {
      authorize: methods.authorize,
      'account-area': methods.authorize,
      token: methods.token,
      'assigned-users': methods.resource,
      'assigned-user': methods.resource,
    }[path];
    const usual = method === 'OPTIONS' ? methods.options : family;
    // HEAD follows GET, or has the family's answer; its body never shows, its content type may.
    if (method === 'HEAD' && methods.head === 'as-get') continue;
    const choice = method === 'HEAD' ? headChoice(told, usual) : shown;
    if (canonical(choice) === canonical(usual)) continue;
    exceptions[path] = { ...exceptions[path], [method]: choice };
  }
  if (Object.keys(exceptions).length > 0) methods.exceptions = exceptions;
}

/** Whether HEAD was answered as GET of the list would be. */
function isLike(
  { status, allow, contentType }: SeenMethod,
  list: ProfileAnswers['operation-answers']['list'],
): boolean {
  return !allow && status === list.status && contentType === list.contentType;
}

/** The usual answer where it shows as this one did, else one with as much of a body as its content type tells. */
function headChoice(
  { status, allow, contentType }: SeenMethod,
  usual: ProfileOtherMethod,
): ProfileOtherMethod {
  const as = bodyOfChoice(usual);
  if (usual.status === status && usual.allow === allow && as.contentType === contentType) return usual;
  return choiceOf({ status, allow, contentType, body: contentType === null ? 'none' : 'text' });
}

function choiceOf({ status, allow, contentType, body }: SeenMethod): ProfileOtherMethod {
  const plain = { status, allow };
  if (body === 'none') return plain;
  const usual = body === 'text' ? TEXT_TYPE : JSON_TYPE;
  const type = contentType === null || contentType === usual ? {} : { contentType };
  if (body === 'text') return { ...plain, body: 'text', ...type };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return plain;
  const shape = canonical(body) === canonical({ error: 'string' }) ? {} : { shape: { ...body } };
  return { ...plain, body: 'json', ...type, ...shape };
}

function mode<T>(values: readonly T[]): T | undefined {
  const count = (value: T) => values.filter((other) => canonical(other) === canonical(value)).length;
  return values.reduce<T | undefined>(
    (best, value) => (best === undefined || count(value) > count(best) ? value : best),
    undefined,
  );
}
