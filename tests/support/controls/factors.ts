import { type Draft, type Factor, key, keys, named, partOf } from './factor.ts';
import { AUTHORIZE_CASES, RESOURCE_CASES, TOKEN_CASES } from './failure-cases.ts';

const YES_OR_NO = [true, false];
const ACCEPTED_OR_IGNORED = ['accepted', 'ignored'];
const ACCEPTED_OR_REFUSED = ['accepted', 'refused'];
const SERVED_OR_ABSENT = ['served', 'absent'];
const FATES = ['at-once', 'on-first-use-of-the-new', 'never'];
const JSON_UTF8 = 'application/json; charset=utf-8';

const OPERATION_ANSWERS = [
  { status: 204, body: 'none' },
  { status: 200, body: 'none', contentType: 'application/json' },
  { status: 200, body: 'user', contentType: JSON_UTF8 },
  { status: 201, body: 'user', pointer: '/data' },
  named('JSON of its own', { status: 200, body: 'json', shape: { ok: 'boolean', at: 'string' } }),
  { status: 202, body: 'text', contentType: 'text/plain; charset=iso-8859-1' },
];

const ONE_SCOPE_EACH = [['read'], ['write'], ['destroy']];
const SEVERAL = [['read write', 'destroy'], ['read write destroy'], ['read', 'write', 'destroy']];

const OTHER_METHODS = [
  named('405 with Allow', { status: 405, allow: true }),
  named('404', { status: 404, allow: false, body: 'text' }),
  named('200 and nothing', { status: 200, allow: false, body: 'none' }),
  named('405 in JSON', {
    status: 405,
    allow: true,
    body: 'json',
    contentType: 'application/problem+json',
    shape: { title: 'string', status: 'number' },
  }),
];

const BUSY_HEADERS = {
  'X-Request-Id': 'varies',
  ETag: 'varies',
  'X-RateLimit-Remaining': 'varies',
  'Strict-Transport-Security': 'max-age=63072000',
  Vary: 'Accept, Origin',
  Link: '</help>; rel="help"',
};

/** Every question of every open point, with each kind of answer that a profile can give to it. */
export const FACTORS: readonly Factor[] = [
  key('token-presentation', 'places', [
    ['authorization-header'],
    ['query-access-token'],
    ['query-bearer-token', 'authorization-header'],
    ['form-access-token', 'query-access-token'],
  ]),
  key('token-presentation', 'schemeCase', ['any', 'exact']),

  key('scope-per-operation', 'assign', [...ONE_SCOPE_EACH, ...SEVERAL]),
  key('scope-per-operation', 'unassign', [...ONE_SCOPE_EACH, ...SEVERAL]),
  key('scope-per-operation', 'list', [...ONE_SCOPE_EACH, ...SEVERAL]),

  key('operation-answers', 'assign', OPERATION_ANSWERS),
  key('operation-answers', 'repeatedAssign', OPERATION_ANSWERS),
  key('operation-answers', 'unassign', OPERATION_ANSWERS),
  key('operation-answers', 'unassignNotAssigned', [...OPERATION_ANSWERS, 'refused']),
  key('operation-answers', 'list', [
    { status: 200, contentType: 'application/json' },
    { status: 200, contentType: 'application/json; charset=UTF-8' },
    { status: 203, contentType: 'application/vnd.legacy.list+json' },
    { status: 200, contentType: 'text/plain' },
  ]),
  key('operation-answers', 'requestBodies', ['ignored']),

  keys('list-shape.envelope', {
    'bare array': (a) => Object.assign(partOf(a, 'list-shape'), { arrayPointer: '' }),
    '/users': (a) => Object.assign(partOf(a, 'list-shape'), { arrayPointer: '/users' }),
    'two levels, with a count': (a) =>
      Object.assign(partOf(a, 'list-shape'), {
        arrayPointer: '/result/items',
        countPointer: '/result/total',
      }),
  }),
  key('list-shape', 'idPointer', ['/id', '/user_id', '/assignee/key']),
  keys('list-shape.id', {
    number: (a) => setIds(a, 'number', 'numeric'),
    'numeric string': (a) => setIds(a, 'string', 'numeric'),
    'opaque string': (a) => setIds(a, 'string', 'opaque'),
  }),
  key('list-shape', 'fields', [
    [],
    ['name'],
    ['email', 'name'],
    ['type', 'attributes/first_name', 'attributes/age:number', 'active:boolean', 'left:null', 'tags:list'],
  ]),
  key('list-shape', 'order', ['assigned-first', 'assigned-last', 'by-id']),
  key('list-shape', 'paging', [undefined, { pageParameter: 'page', sizeParameter: 'per_page' }]),

  key('resource-failures', 'body', ['none', 'json', 'text']),
  key('resource-failures', 'contentType', [undefined, 'application/problem+json']),
  key('resource-failures', 'shape', [undefined, { errors: [{ status: 'string', detail: 'string' }] }]),
  key('resource-failures', 'realm', ['legacy service']),
  key(
    'resource-failures',
    'cases',
    [...RESOURCE_CASES].map(([name, cases]) => named(name, cases)),
    {
      'no challenge': ['resource.challenge'],
    },
  ),

  key('token-failures', 'body', ['json', 'text'], {
    '"text"': [
      'token.error-json',
      'token.error-invalid-client',
      'token.error-invalid-grant',
      'token.error-invalid-request',
      'token.error-unsupported-grant-type',
    ],
  }),
  key('token-failures', 'shape', [undefined, { error: 'string', error_description: 'string', id: 'null' }]),
  key('token-failures', 'contentType', ['application/json', 'text/html; charset=utf-8']),
  key('token-failures', 'challenge', ['every-failure', 'status-401', 'never']),
  key('token-failures', 'challengeScheme', ['Basic', 'Bearer']),
  key('token-failures', 'realm', ['legacy service']),
  key('token-failures', 'cacheControl', ['no-store', undefined]),
  key('token-failures', 'repeatedParameter', ['refused', 'first-wins', 'last-wins'], {
    '"first-wins"': ['token.duplicate-parameter'],
    '"last-wins"': ['token.duplicate-parameter'],
  }),
  key('token-failures', 'refreshTokenBeforeClient', YES_OR_NO),
  key(
    'token-failures',
    'cases',
    [...TOKEN_CASES].map(([name, cases]) => named(name, cases)),
    {
      'everything 401': ['token.error-invalid-request'],
      'own codes': [
        'token.error-json',
        'token.error-status',
        'token.error-invalid-client',
        'token.error-invalid-grant',
        'token.error-invalid-request',
        'token.error-unsupported-grant-type',
      ],
      'one code for all': [
        'token.error-invalid-client',
        'token.error-invalid-grant',
        'token.error-unsupported-grant-type',
      ],
    },
  ),

  key('authorize-failures', 'delivery', ['page', 'redirect']),
  key('authorize-failures', 'denial', ['redirect', 'page'], {
    '"page"': ['authorize.denial-redirects', 'authorize.state-echoed-on-denial'],
  }),
  key('authorize-failures', 'redirectStatus', [302, 303]),
  key('authorize-failures', 'redirectSpaces', ['plus', 'percent-20']),
  key('authorize-failures', 'redirectIssuer', YES_OR_NO),
  key('authorize-failures', 'repeatedParameter', ['refused', 'first-wins', 'last-wins'], {
    '"first-wins"': ['authorize.duplicate-parameter'],
    '"last-wins"': ['authorize.duplicate-parameter'],
  }),
  key(
    'authorize-failures',
    'cases',
    [...AUTHORIZE_CASES].map(([name, cases]) => named(name, cases)),
  ),

  key('client-authentication', 'basic', ACCEPTED_OR_IGNORED),
  key('client-authentication', 'basicEncoding', ['raw', 'form']),
  key('client-authentication', 'basicAndForm', ACCEPTED_OR_REFUSED),
  key('client-authentication', 'queryString', ACCEPTED_OR_IGNORED),
  key('client-authentication', 'jsonBody', ACCEPTED_OR_REFUSED),
  key('client-authentication', 'multipartBody', ACCEPTED_OR_REFUSED),

  key('refresh-fate', 'oldAccessToken', FATES),
  key('refresh-fate', 'oldRefreshToken', FATES),
  key('refresh-fate', 'reuse', ['refused', 'revokes-the-grant']),
  key('refresh-fate', 'beforeExpiry', ['allowed', 'refused']),

  key('lifetimes', 'code', [600, 30, 3600], { '3600': ['exchange.code-short-lived'] }),
  key('lifetimes', 'refreshToken', ['unlimited', 2_592_000, 8_000]),

  key('failed-exchange', 'burnsCode', YES_OR_NO),
  key('failed-exchange', 'replayRevokes', YES_OR_NO, { false: ['exchange.code-replay-revokes'] }),

  key('token-response-fields', 'extra', [[], ['scope'], ['created_at', 'id_token'], ['created_at', 'scope']]),
  key('token-response-fields', 'order', ['documented-first', 'documented-last', 'alphabetical']),
  key(
    'token-response-fields',
    'contentType',
    ['application/json', 'application/JSON;charset=UTF-8', 'application/json; charset="utf-8"', 'text/json'],
    { '"text/json"': ['token.json-content-type'] },
  ),
  key('token-response-fields', 'cacheControl', ['no-store', 'private, No-Store, max-age=0', undefined], {
    null: ['token.not-cacheable'],
  }),
  key('token-response-fields', 'pragma', ['no-cache', undefined]),
  key('token-response-fields', 'distinctTokens', YES_OR_NO),
  key('token-response-fields', 'accessTokenLength', [43, 200]),
  key('token-response-fields', 'refreshTokenLength', [43, 24]),

  key('consent-memory', 'remembered', ['never', 'for-the-same-scopes', 'for-the-same-or-fewer-scopes']),

  key('scope-requests', 'narrowerOnRefresh', ['granted', 'ignored', 'refused']),
  key('scope-requests', 'widerOnRefresh', ['refused', 'ignored']),
  key('scope-requests', 'onExchange', ['ignored', 'refused']),

  key('pkce', 'challenge', ['verified', 'ignored', 'refused', 'refused-at-exchange']),

  key('response-headers', 'names', ['title-case', 'lower-case', 'upper-case']),
  key('response-headers', 'pages', [{}, named('many', BUSY_HEADERS)]),
  key('response-headers', 'token', [{}, named('many', BUSY_HEADERS)]),
  key('response-headers', 'resource', [
    {},
    named('many', { ...BUSY_HEADERS, 'Cache-Control': 'max-age=60' }),
  ]),

  key('other-methods', 'head', ['as-get', 'other']),
  key('other-methods', 'options', OTHER_METHODS),
  key('other-methods', 'authorize', OTHER_METHODS),
  key('other-methods', 'token', OTHER_METHODS),
  key('other-methods', 'resource', OTHER_METHODS),
  key('other-methods', 'exceptions', [
    undefined,
    named('at the token endpoint', {
      token: { GET: { status: 404, allow: false, body: 'text', contentType: 'text/plain' } },
    }),
    named('elsewhere', {
      authorize: { PATCH: { status: 403, allow: false } },
      'account-area': { DELETE: { status: 405, allow: true } },
      'assigned-users': { POST: { status: 400, allow: false, body: 'json' } },
      'assigned-user': { OPTIONS: { status: 204, allow: true } },
    }),
  ]),

  key('neighbours', 'revoke', SERVED_OR_ABSENT),
  key('neighbours', 'introspect', SERVED_OR_ABSENT),
  key('neighbours', 'tokenInfo', SERVED_OR_ABSENT),
  key('neighbours', 'metadata', SERVED_OR_ABSENT),
  key('neighbours', 'openidConfiguration', [undefined, ...SERVED_OR_ABSENT]),

  key('loopback-ports', 'ports', ['any', 'exact']),

  key('id-forms', 'project', ['numeric', 'opaque']),
];

function setIds(answers: Draft, idType: 'number' | 'string', user: 'numeric' | 'opaque'): void {
  partOf(answers, 'list-shape').idType = idType;
  partOf(answers, 'id-forms').user = user;
}
