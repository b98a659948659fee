import type { AspectAnswer } from '../../../src/document/profiles/aspects.ts';
import { type Answers, choice, type Factor, value } from './factor.ts';
import { REFUSALS } from './refusals.ts';

const YES_OR_NO = [true, false];
const SERVED_OR_ABSENT = [200, 404];
const JSON_UTF8 = 'application/json; charset=utf-8';

/** Answers that need more than one aspect, or break nothing. */
const together = (...values: readonly Answers[]): Factor => values.map((answers) => value(answers));

/** Several refreshes with one token all succeed, unless the token dies at once. */
const fateOfOld = (fate: 'at-once' | 'on-first-use-of-the-new' | 'never', more: Answers): Answers => ({
  'refresh-fate.old-refresh-token': fate,
  'refresh-fate.parallel': 'all',
  'refresh-fate.grace-seconds': null,
  ...more,
});

const SUCCESSES = [
  { status: 204, contentType: null, body: 'none' },
  { status: 200, contentType: 'application/json', body: 'none' },
  { status: 200, contentType: JSON_UTF8, body: { id: 'number', email: 'string', name: 'string' } },
  { status: 201, contentType: JSON_UTF8, body: { data: { user_id: 'string', name: 'string' } } },
  { status: 200, contentType: JSON_UTF8, body: { ok: 'boolean', at: 'string' } },
  { status: 202, contentType: 'text/plain; charset=iso-8859-1', body: 'text' },
] as const;

const success = (operation: 'assign' | 'unassign'): Factor =>
  SUCCESSES.map(({ status, contentType, body }) =>
    value({
      [`operation-answers.${operation}.status`]: status,
      [`operation-answers.${operation}.content-type`]: contentType,
      [`operation-answers.${operation}.body`]: body,
    }),
  );

const SCOPE_SETS = [
  ['read', 'write', 'destroy'],
  ['read'],
  ['write'],
  ['destroy'],
  ['destroy', 'read write'],
  ['read write destroy'],
];

/** The places of an access token, the one that counts first before the others. */
const places = (...accepted: readonly string[]): Answers => ({
  'token-presentation.bearer-header': accepted.includes('authorization-header'),
  'token-presentation.query-access-token': accepted.includes('query-access-token'),
  'token-presentation.query-bearer-token': accepted.includes('query-bearer-token'),
  'token-presentation.form-access-token': accepted.includes('form-access-token'),
  'token-presentation.precedence': accepted.length < 2 ? null : accepted,
});

const userIds = (type: 'number' | 'string', form: 'numeric' | 'opaque'): Answers => ({
  'list-shape.user-id-type': type,
  'id-forms.user': form,
});

const list = (container: string, pointer: string, count: string | null): Answers => ({
  'list-shape.container': container,
  'list-shape.container-pointer': pointer,
  'list-shape.count-pointer': count,
});

const METHODS = {
  authorize: ['OPTIONS', 'PATCH', 'DELETE'],
  token: ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE'],
  'account-area': ['OPTIONS', 'PATCH', 'DELETE'],
  'assigned-users': ['HEAD', 'OPTIONS', 'POST', 'PATCH'],
  'assigned-user': ['GET', 'OPTIONS', 'POST', 'PATCH'],
} as const;

const NOT_ALLOWED = { status: 405, allow: true, contentType: null, body: 'none' };
const NOT_FOUND = { status: 404, allow: false, contentType: 'text/plain; charset=utf-8', body: 'text' };
const NOTHING = { status: 200, allow: false, contentType: null, body: 'none' };
const PROBLEM = {
  status: 405,
  allow: true,
  contentType: 'application/problem+json',
  body: { title: 'string', status: 'number' },
};

/** Each answer to most methods beside each answer to one of them. */
const otherMethods = (path: keyof typeof METHODS, one: string): Factor =>
  [
    [NOT_ALLOWED, NOT_ALLOWED],
    [NOT_FOUND, NOTHING],
    [NOTHING, PROBLEM],
    [PROBLEM, NOT_FOUND],
  ].map(([most = NOT_ALLOWED, other = NOT_ALLOWED]) => {
    const answers = METHODS[path].map((method) => [
      method,
      method === 'HEAD' ? { ...most, body: 'none' } : method === one ? other : most,
    ]);
    return value({ [`other-methods.${path}`]: Object.fromEntries(answers) });
  });

const headers = (aspect: string, pages: AspectAnswer, token: AspectAnswer, resource: AspectAnswer): Factor =>
  together(
    { [`response-headers.${aspect}`]: {} },
    { [`response-headers.${aspect}`]: { pages, token, resource } },
  );

const LIMIT = { 'x-ratelimit-remaining': 'varies' };
const CORS = { 'access-control-allow-origin': '*' };
const LINK = { link: '</help>; rel="help"' };
const HSTS = { 'strict-transport-security': 'max-age=63072000' };
const CACHING = { etag: 'varies', vary: 'Accept, Origin' };

/** Every aspect of every open point, with each kind of answer; `profile-controls.ts` has those that depend on several others. */
export const FACTORS: readonly Factor[] = [
  ...REFUSALS,
  together({
    'list-shape.format': 'json',
    'operation-answers.assign.request-body': 'ignored',
    'operation-answers.unassign.request-body': 'ignored',
    'consent-memory.asked-for-wider': true,
    'events.channels': [],
  }),

  choice('token-presentation.scheme-case', ['any', 'exact']),
  together(
    places('authorization-header'),
    places('query-access-token'),
    places('query-bearer-token', 'authorization-header'),
    places('form-access-token', 'query-access-token'),
  ),

  choice('scope-per-operation.assign', SCOPE_SETS),
  choice('scope-per-operation.unassign', SCOPE_SETS),
  choice('scope-per-operation.list', SCOPE_SETS),

  success('assign'),
  success('unassign'),
  choice('operation-answers.assign.repeated', SUCCESSES),
  choice('operation-answers.unassign.not-assigned', [...SUCCESSES, 'refused']),
  together(
    { 'operation-answers.list.status': 200, 'operation-answers.list.content-type': 'application/json' },
    { 'operation-answers.list.status': 200, 'operation-answers.list.content-type': JSON_UTF8 },
    {
      'operation-answers.list.status': 203,
      'operation-answers.list.content-type': 'application/vnd.list+json',
    },
    { 'operation-answers.list.status': 200, 'operation-answers.list.content-type': 'text/plain' },
    { 'operation-answers.list.status': 200, 'operation-answers.list.content-type': null },
  ),

  together(
    list('array', '', null),
    list('envelope', '/users', null),
    list('envelope', '/result/items', '/result/total'),
  ),
  choice('list-shape.user-id-pointer', ['/id', '/user_id', '/assignee/key']),
  together(userIds('number', 'numeric'), userIds('string', 'numeric'), userIds('string', 'opaque')),
  choice('list-shape.fields', [
    [],
    ['name'],
    ['email', 'name'],
    ['type', 'attributes/first_name', 'attributes/age:number', 'active:boolean', 'left:null', 'tags:list'],
  ]),
  choice('list-shape.order', ['assigned-first', 'assigned-last', 'by-id']),
  choice('list-shape.paging', [null, { pageParameter: 'page', sizeParameter: 'per_page' }]),

  [
    value({}),
    value({ 'token-failures.exchange.duplicate-parameter': 'first-wins' }, 'token.duplicate-parameter'),
    value({ 'token-failures.exchange.duplicate-parameter': 'last-wins' }, 'token.duplicate-parameter'),
  ],

  [
    value({ 'authorize-failures.denial': { kind: 'redirect', error: 'access_denied' } }),
    value({}, 'authorize.denial-redirects', 'authorize.state-echoed-on-denial'),
  ],
  [
    value({}),
    value({ 'authorize-failures.duplicate-parameter': 'first-wins' }, 'authorize.duplicate-parameter'),
    value({ 'authorize-failures.duplicate-parameter': 'last-wins' }, 'authorize.duplicate-parameter'),
  ],

  choice('client-authentication.basic-encoding', ['raw', 'form']),
  together(
    { 'client-authentication.basic': true, 'client-authentication.basic-and-form': false },
    {
      'client-authentication.basic': true,
      'client-authentication.basic-and-form': true,
      'token-failures.exchange.authenticated-twice': 'accepted',
    },
    {
      'client-authentication.basic': false,
      'client-authentication.basic-encoding': null,
      'client-authentication.basic-and-form': true,
      'token-failures.exchange.authenticated-twice': 'accepted',
    },
  ),
  choice('client-authentication.query-string', YES_OR_NO),
  choice('client-authentication.json-body', YES_OR_NO),
  choice('client-authentication.multipart', YES_OR_NO),

  choice('refresh-fate.old-access-token', ['never', 'at-once', 'on-first-use-of-the-new']),
  choice('refresh-fate.reuse', ['refused', 'revokes-the-grant']),
  together(
    fateOfOld('at-once', { 'refresh-fate.successor': 'refused', 'refresh-fate.parallel': 'one' }),
    fateOfOld('on-first-use-of-the-new', { 'refresh-fate.successor': 'another-pair' }),
    fateOfOld('on-first-use-of-the-new', { 'refresh-fate.successor': 'same-pair' }),
    fateOfOld('never', { 'refresh-fate.successor': 'same-pair', 'refresh-fate.grace-seconds': 60 }),
    fateOfOld('never', { 'refresh-fate.successor': 'another-pair', 'refresh-fate.grace-seconds': 10 }),
    fateOfOld('never', {
      'refresh-fate.successor': 'another-pair',
      'refresh-fate.grace-seconds': 'unlimited',
      'refresh-fate.reuse': null,
      'token-failures.refresh.revoked-token': null,
    }),
  ),
  together(
    { 'refresh-fate.before-expiry': true, 'token-failures.refresh.too-early': null },
    { 'refresh-fate.before-expiry': false, 'refresh-fate.old-access-token': null },
  ),

  [
    value({ 'lifetimes.code': 600 }),
    value({ 'lifetimes.code': 30 }),
    value({ 'lifetimes.code': 3_600 }, 'exchange.code-short-lived'),
    value(
      { 'lifetimes.code': 'unlimited', 'token-failures.exchange.expired-code': null },
      'exchange.code-short-lived',
    ),
  ],
  together(
    { 'lifetimes.refresh-token': 'unlimited', 'token-failures.refresh.expired-token': null },
    { 'lifetimes.refresh-token': 2_592_000 },
    { 'lifetimes.refresh-token': 8_000 },
  ),

  choice('failed-exchange.burns-code', YES_OR_NO),
  choice('failed-exchange.revoked', ['authorization', 'application']),
  [
    value({ 'failed-exchange.replay-revokes': true }),
    value({ 'failed-exchange.replay-revokes': false }, 'exchange.code-replay-revokes'),
  ],

  choice('token-response-fields.extra-fields', [
    [],
    ['scope'],
    ['created_at', 'id_token'],
    ['created_at', 'scope'],
  ]),
  [
    value({ 'token-response-fields.content-type': 'application/json' }),
    value({ 'token-response-fields.content-type': 'application/JSON;charset=UTF-8' }),
    value({ 'token-response-fields.content-type': 'application/json; charset="utf-8"' }),
    value({ 'token-response-fields.content-type': 'text/json' }, 'token.json-content-type'),
    value({ 'token-response-fields.content-type': null }, 'token.json-content-type'),
  ],
  together(
    { 'token-response-fields.distinct-tokens': true },
    // Two authorizations have the same tokens.
    { 'token-response-fields.distinct-tokens': false, 'failed-exchange.revoked': 'application' },
  ),

  together(
    { 'consent-memory.remembered': false, 'consent-memory.remembered-for-fewer': false },
    { 'consent-memory.remembered': true, 'consent-memory.remembered-for-fewer': false },
    { 'consent-memory.remembered': true, 'consent-memory.remembered-for-fewer': true },
  ),

  together(
    { 'scope-requests.narrower-on-refresh': 'granted', 'token-failures.refresh.narrower-scope': 'accepted' },
    { 'scope-requests.narrower-on-refresh': 'ignored', 'token-failures.refresh.narrower-scope': 'accepted' },
    { 'scope-requests.narrower-on-refresh': 'refused' },
  ),
  together(
    { 'scope-requests.wider-on-refresh': 'ignored', 'token-failures.refresh.wider-scope': 'accepted' },
    { 'scope-requests.wider-on-refresh': 'refused' },
  ),
  together(
    { 'scope-requests.on-exchange': 'ignored', 'token-failures.exchange.unwanted-scope': 'accepted' },
    { 'scope-requests.on-exchange': 'refused' },
  ),

  together(
    { 'pkce.support': 'verified' },
    { 'pkce.support': 'ignored', 'token-failures.exchange.wrong-verifier': 'accepted' },
    // At the authorization request, or at the exchange.
    { 'pkce.support': 'refused', 'token-failures.exchange.wrong-verifier': null },
    { 'pkce.support': 'refused' },
  ),

  headers('caching', { vary: 'Accept' }, CACHING, { ...CACHING, 'cache-control': 'max-age=60' }),
  headers('cors', CORS, CORS, CORS),
  headers('rate-limit', LIMIT, LIMIT, LIMIT),
  headers('retirement', LINK, LINK, LINK),
  headers('transport', HSTS, HSTS, HSTS),

  otherMethods('authorize', 'PATCH'),
  otherMethods('token', 'GET'),
  otherMethods('account-area', 'DELETE'),
  otherMethods('assigned-users', 'POST'),
  otherMethods('assigned-user', 'OPTIONS'),
  // `profile-controls.ts` has the answer to HEAD that is the one to GET.
  together({}, { 'other-methods.assigned-users': { HEAD: null } }),

  choice('neighbours.revoke', SERVED_OR_ABSENT),
  choice('neighbours.introspect', SERVED_OR_ABSENT),
  choice('neighbours.token-info', SERVED_OR_ABSENT),
  choice('neighbours.authorization-server-metadata', SERVED_OR_ABSENT),
  choice('neighbours.openid-configuration', SERVED_OR_ABSENT),

  choice('loopback-ports.other-port', YES_OR_NO),
  choice('id-forms.project', ['numeric', 'opaque']),
];
