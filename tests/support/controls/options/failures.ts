import type { AspectAnswer } from '../../../../src/profiles/aspects.ts';
import { canonical } from '../../../../src/profiles/aspects.ts';
import { SCOPE_SETS, suffices } from '../../../../src/profiles/scope-sets.ts';
import type { BodyShape, Shape } from '../../../../src/profiles/shape.ts';
import { isWording } from '../../../../src/profiles/wording.ts';
import type { OptionBody, OptionFailure, OptionMethod, OptionRefusal, Options } from './options.ts';

export type AnswersByAspect = Readonly<Record<string, AspectAnswer>>;

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

export const LONGEST_CODE = 86_400;

export function bodyOf(
  { body = 'none', contentType, shape }: OptionBody,
  usual: Shape = { error: 'string' },
) {
  const type = { none: null, text: TEXT_TYPE, json: JSON_TYPE }[body];
  const seen: BodyShape = body === 'json' ? (shape ?? usual) : body;
  return { contentType: contentType ?? type, body: seen as AspectAnswer };
}

const prefixed = (point: string, answers: AnswersByAspect): AnswersByAspect =>
  Object.fromEntries(Object.entries(answers).map(([aspect, answer]) => [`${point}.${aspect}`, answer]));

const wordings = (reported: readonly (readonly [string, string | undefined])[]): AspectAnswer =>
  Object.fromEntries(reported.filter((one): one is [string, string] => isWording(one[1])));

const RESOURCE_CASES: Readonly<Record<string, string>> = {
  'unknown-project': 'project-unknown',
  'unknown-user': 'user-unknown',
  'user-not-assigned': 'user-not-assigned',
  'unknown-path': 'path-unknown',
  'no-token': 'token-missing',
  'invalid-token': 'token-unknown',
  'expired-token': 'token-expired',
  'revoked-token': 'token-revoked',
  'insufficient-scope': 'scope-insufficient',
};

export function resourceFailures(options: Options): AnswersByAspect {
  const { cases, realm, ...all } = options['resource-failures'];
  const failureAt = (aspect: string) => cases[RESOURCE_CASES[aspect] ?? ''] as OptionFailure;
  // A case with a body of its own has its content type and shape with it.
  const body = (failure: OptionFailure) =>
    bodyOf(failure.body === undefined ? { ...all, ...defined(failure) } : defined(failure));
  const answer = (failure: OptionFailure) => ({
    status: failure.status,
    ...body(failure),
    challenge: failure.challenge === undefined ? null : `Bearer ${failure.challenge}`.trim(),
  });
  const reported = (failure: OptionFailure) =>
    failure.challenge || holdsText(body(failure).body) ? failure.description : undefined;
  const aspects = Object.keys(RESOURCE_CASES);
  const shown = aspects.filter((aspect) => showsAtResource(aspect, options));
  const challenged = shown.some((aspect) => failureAt(aspect).challenge !== undefined);
  return {
    ...prefixed('resource-failures', {
      ...Object.fromEntries(
        aspects.map((aspect) => [aspect, shown.includes(aspect) ? answer(failureAt(aspect)) : null]),
      ),
      realm: challenged ? realm : null,
      'challenge-description': failureAt('invalid-token').challenge
        ? failureAt('invalid-token').description !== undefined
        : null,
      wording: wordings(shown.map((aspect) => [aspect, reported(failureAt(aspect))])),
    }),
    'other-methods.without-version': answer(failureAt('unknown-path')),
  };
}

function defined({ body, contentType, shape }: OptionBody): OptionBody {
  return { ...(body && { body }), ...(contentType && { contentType }), ...(shape && { shape }) };
}

function holdsText(body: unknown): boolean {
  if (body === 'text' || body === 'string') return true;
  return typeof body === 'object' && body !== null && Object.values(body).some(holdsText);
}

function showsAtResource(aspect: string, options: Options): boolean {
  const { oldAccessToken, oldRefreshToken, reuse, beforeExpiry } = options['refresh-fate'];
  if (aspect === 'user-not-assigned') return options['operation-answers'].unassignNotAssigned === 'refused';
  if (aspect === 'insufficient-scope') return scopesShow(options);
  return (
    aspect !== 'revoked-token' ||
    options.neighbours.revoke === 'served' ||
    options['failed-exchange'].replayRevokes ||
    (beforeExpiry === 'allowed' && oldAccessToken !== 'never') ||
    (reuse === 'revokes-the-grant' && oldRefreshToken !== 'never')
  );
}

export function scopesShow(options: Options): boolean {
  return Object.values(options['scope-per-operation']).some((smallest) =>
    SCOPE_SETS.some((set) => !suffices(set, smallest)),
  );
}

const TOKEN_CASES: Readonly<Record<string, readonly [cases: readonly string[], parameter?: string]>> = {
  'exchange.no-client-id': [['client-missing'], 'client_id'],
  'exchange.no-client-secret': [['client-secret-missing', 'client-missing'], 'client_secret'],
  'exchange.no-code': [['code-missing'], 'code'],
  'exchange.no-redirect-uri': [['redirect-uri-missing'], 'redirect_uri'],
  'exchange.no-grant-type': [['grant-type-missing'], 'grant_type'],
  'exchange.unsupported-grant-type': [['grant-type-unsupported'], 'grant_type'],
  'exchange.unknown-client': [['client-unknown']],
  'exchange.wrong-secret': [['client-secret-wrong']],
  'exchange.unknown-code': [['code-unknown']],
  'exchange.used-code': [['code-used']],
  'exchange.expired-code': [['code-expired']],
  'exchange.other-redirect-uri': [['code-redirect-uri-different']],
  'exchange.other-client': [['code-of-other-client']],
  'exchange.wrong-verifier': [['code-verifier-wrong']],
  'exchange.unwanted-scope': [['scope-unwanted'], 'scope'],
  'exchange.authenticated-twice': [['client-authenticated-twice']],
  'exchange.duplicate-parameter': [['parameter-repeated'], 'code'],
  'exchange.media-type': [['media-type-unsupported']],
  'exchange.unreadable-body': [['body-unreadable']],
  'refresh.no-client-id': [['client-missing-on-refresh'], 'client_id'],
  'refresh.no-client-secret': [
    ['client-secret-missing-on-refresh', 'client-secret-missing', 'client-missing'],
    'client_secret',
  ],
  'refresh.no-refresh-token': [['refresh-token-missing'], 'refresh_token'],
  'refresh.no-grant-type': [['grant-type-missing-on-refresh', 'grant-type-missing'], 'grant_type'],
  'refresh.unknown-client': [['client-unknown-on-refresh', 'client-unknown']],
  'refresh.wrong-secret': [['client-secret-wrong-on-refresh', 'client-secret-wrong']],
  'refresh.unknown-token': [['refresh-token-unknown']],
  'refresh.revoked-token': [['refresh-token-revoked']],
  'refresh.expired-token': [['refresh-token-expired']],
  'refresh.too-early': [['refresh-too-early']],
  'refresh.other-client': [['refresh-token-of-other-client']],
  'refresh.narrower-scope': [['scope-narrower', 'scope-wider'], 'scope'],
  'refresh.wider-scope': [['scope-wider'], 'scope'],
};

export function tokenFailures(options: Options): AnswersByAspect {
  const all = options['token-failures'];
  const instead = insteadOfRefusals(options);
  const caseAt = (aspect: string) => {
    const [names = []] = TOKEN_CASES[aspect] ?? [];
    return names.map((name) => all.cases[name]).find((one) => one !== undefined) as OptionRefusal;
  };
  const body = ({ body: kind = all.body, contentType, shape = all.shape }: OptionRefusal) =>
    kind === 'none'
      ? bodyOf({ body: 'none', ...(contentType && { contentType }) })
      : bodyOf(defined({ body: kind, contentType: contentType ?? all.contentType, shape } as OptionBody), {
          error: 'string',
          error_description: 'string',
        });
  const isChallenged = ({ challenged, status }: OptionRefusal) =>
    challenged ?? (all.challenge === 'every-failure' || (all.challenge === 'status-401' && status === 401));
  const refusal = (reported: OptionRefusal) => {
    const { contentType, body: shape } = body(reported);
    const shows = typeof shape === 'object' && shape !== null && 'error' in shape;
    const challenge = isChallenged(reported) ? all.challengeScheme : null;
    return {
      status: reported.status,
      error: shows ? reported.error : null,
      contentType,
      body: shape,
      challenge,
    };
  };
  const wording = (aspect: string): string | undefined => {
    const reported = caseAt(aspect);
    const { body: shape } = body(reported);
    const [, parameter = 'parameter'] = TOKEN_CASES[aspect] ?? [];
    const description = reported.description.replace('{parameter}', parameter);
    if (shape === 'text') return `${reported.error}: ${description}`;
    return typeof shape === 'object' && shape !== null && 'error_description' in shape
      ? description
      : undefined;
  };
  const aspects = Object.keys(TOKEN_CASES);
  const refused = aspects.filter((aspect) => instead[aspect] === undefined);
  const said = (aspect: string) => canonical([refusal(caseAt(aspect)), wording(aspect) ?? null]);
  const alike = said('refresh.unknown-token') === said('refresh.wrong-secret');
  const first = all.refreshTokenBeforeClient ? 'token' : 'client';
  return prefixed('token-failures', {
    ...Object.fromEntries(aspects.map((aspect) => [aspect, instead[aspect] ?? null])),
    ...Object.fromEntries(refused.map((aspect) => [aspect, refusal(caseAt(aspect))])),
    'exchange.get': byGet(options),
    'refresh.unknown-token-and-wrong-secret': alike ? null : first,
    'cache-control': all.cacheControl ?? null,
    realm: refused.some((aspect) => isChallenged(caseAt(aspect))) ? all.realm : null,
    wording: wordings(refused.map((aspect) => [aspect, wording(aspect)])),
  });
}

function byGet(options: Options): AspectAnswer {
  const { status, contentType, body } = otherMethod('token', 'GET', options);
  const shows = typeof body === 'object' && body !== null && 'error' in body;
  return { status, error: shows ? 'Not allowed' : null, contentType, body, challenge: null };
}

function insteadOfRefusals(options: Options): Readonly<Record<string, AspectAnswer>> {
  const { basic, basicAndForm, jsonBody, multipartBody } = options['client-authentication'];
  const { narrowerOnRefresh, widerOnRefresh, onExchange } = options['scope-requests'];
  const { oldRefreshToken, beforeExpiry } = options['refresh-fate'];
  const { repeatedParameter } = options['token-failures'];
  const { challenge } = options.pkce;
  const rows: readonly (readonly [aspect: string, refused: boolean, instead: AspectAnswer])[] = [
    [
      'exchange.wrong-verifier',
      challenge !== 'refused' && challenge !== 'ignored',
      challenge === 'refused' ? null : 'accepted',
    ],
    ['exchange.unwanted-scope', onExchange === 'refused', 'accepted'],
    ['exchange.authenticated-twice', basic === 'accepted' && basicAndForm === 'refused', 'accepted'],
    ['exchange.duplicate-parameter', repeatedParameter === 'refused', repeatedParameter],
    ['exchange.unreadable-body', jsonBody === 'accepted' || multipartBody === 'accepted', null],
    ['exchange.expired-code', options.lifetimes.code <= LONGEST_CODE, null],
    ['refresh.expired-token', options.lifetimes.refreshToken !== 'unlimited', null],
    ['refresh.revoked-token', oldRefreshToken !== 'never', null],
    ['refresh.too-early', beforeExpiry === 'refused', null],
    ['refresh.narrower-scope', narrowerOnRefresh === 'refused', 'accepted'],
    ['refresh.wider-scope', widerOnRefresh === 'refused', 'accepted'],
  ];
  return Object.fromEntries(
    rows.flatMap(([aspect, refused, instead]) => (refused ? [] : [[aspect, instead]])),
  );
}

const PAGE_CASES: Readonly<Record<string, string>> = {
  'no-client-id': 'client-id-missing',
  'unknown-client': 'client-id-unknown',
  'no-redirect-uri': 'redirect-uri-missing',
  'unauthorized-redirect-uri': 'redirect-uri-unauthorized',
  'no-response-type': 'response-type-missing',
  'unsupported-response-type': 'response-type-unsupported',
  'no-scope': 'scope-missing',
  'unknown-scope': 'scope-unknown',
  denial: 'access-denied',
  'duplicate-parameter': 'parameter-repeated',
};

const NOWHERE_TO_GO = ['no-client-id', 'unknown-client', 'no-redirect-uri', 'unauthorized-redirect-uri'];

export function authorizeFailures(options: Options, missingScope: boolean): AnswersByAspect {
  const { cases, delivery, denial, redirectStatus, redirectSpaces, redirectIssuer, repeatedParameter } =
    options['authorize-failures'];
  const caseAt = (aspect: string) =>
    cases[PAGE_CASES[aspect] ?? ''] as Options['authorize-failures']['cases'][string];
  const usual = (aspect: string) => ({ denial, 'duplicate-parameter': 'page' as const })[aspect] ?? delivery;
  const isRedirected = (aspect: string) =>
    !NOWHERE_TO_GO.includes(aspect) && (caseAt(aspect).delivery ?? usual(aspect)) === 'redirect';
  const page = (aspect: string) =>
    isRedirected(aspect)
      ? { kind: 'redirect', status: redirectStatus, error: caseAt(aspect).error }
      : { kind: 'page', status: caseAt(aspect).status, error: null };
  const reported = Object.keys(PAGE_CASES).filter(
    (aspect) =>
      aspect !== 'duplicate-parameter' && isRedirected(aspect) && !(aspect === 'no-scope' && missingScope),
  );
  return prefixed('authorize-failures', {
    ...Object.fromEntries(Object.keys(PAGE_CASES).map((aspect) => [aspect, page(aspect)])),
    ...(missingScope && { 'no-scope': 'accepted' }),
    ...(repeatedParameter !== 'refused' && { 'duplicate-parameter': repeatedParameter }),
    'redirect-status': redirectStatus,
    'redirect-spaces': redirectSpaces,
    ...(redirectIssuer !== undefined && { 'redirect-issuer': redirectIssuer }),
    wording: wordings(reported.map((aspect) => [aspect, caseAt(aspect).description])),
  });
}

const OTHER_METHODS: Readonly<Record<string, readonly string[]>> = {
  authorize: ['OPTIONS', 'PATCH', 'DELETE'],
  token: ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE'],
  'account-area': ['OPTIONS', 'PATCH', 'DELETE'],
  'assigned-users': ['HEAD', 'OPTIONS', 'POST', 'PATCH'],
  'assigned-user': ['GET', 'OPTIONS', 'POST', 'PATCH'],
};

export function otherMethods(options: Options): AnswersByAspect {
  const answers = Object.entries(OTHER_METHODS).map(([path, methods]) => [
    path,
    Object.fromEntries(methods.map((method) => [method, otherMethod(path, method, options)])),
  ]);
  return prefixed('other-methods', Object.fromEntries(answers));
}

function otherMethod(path: string, method: string, options: Options) {
  const { head, options: asked, authorize, token, resource, exceptions } = options['other-methods'];
  const asGet = method === 'HEAD' && head === 'as-get';
  if (asGet && path === 'assigned-users') {
    const { status, contentType } = options['operation-answers'].list;
    return { status, allow: false, contentType, body: 'none' as const };
  }
  const treated = asGet ? 'GET' : method;
  const own = path === 'token' ? token : path.startsWith('assigned') ? resource : authorize;
  const reported: OptionMethod = exceptions?.[path]?.[treated] ?? (treated === 'OPTIONS' ? asked : own);
  const { contentType, body } = bodyOf(reported);
  return {
    status: reported.status,
    allow: reported.allow,
    contentType,
    body: method === 'HEAD' ? 'none' : body,
  };
}
