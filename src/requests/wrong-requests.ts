import type { AspectOf, OpenPointId, RequirementId } from '../../generated/ids.ts';
import { OMITTED, type ParameterChanges } from '../flow/requests.ts';
import type { Application } from '../targets/target.ts';
import { unauthorizedAddresses, variantsOfAddress } from './addresses.ts';
import {
  alterations,
  neverIssued,
  unknownId,
  wrapped,
  wrongIds,
  wrongSecrets,
  wrongTokens,
} from './altered.ts';

export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

export type TokenError = (typeof TOKEN_ERRORS)[number];

type AspectId = { [P in OpenPointId]: `${P}.${AspectOf<P>}` }[OpenPointId];

export interface Good {
  readonly application: Application;
  readonly other?: Application;
  readonly redirectUri: string;
  readonly scope: string;
  readonly credential: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  readonly code?: string;
  readonly usedCode?: string;
}

export interface GoodCall {
  readonly place: { readonly project: string; readonly user: string };
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly code?: string;
  readonly usedCode?: string;
}

export const NO_TOKEN = { none: true } as const;

export interface CallChange {
  readonly project?: string;
  readonly user?: string;
  readonly token?: string | typeof NO_TOKEN;
}

interface Row<Of, Before, Change> {
  /** Name of the fault, unique within its kind of request. Files of `explore --replay` contain it. */
  readonly name: string;
  readonly of: Of;
  /** Returns differences, simplest first, each wrong by itself; none if the target lacks a prerequisite. */
  readonly change: (good: Before) => readonly Change[];
  readonly requirement: RequirementId;
  /** The error that fits (RFC 6749 section 5.2), and another that also fits. */
  readonly error?: TokenError | readonly [TokenError, TokenError];
  readonly aspect?: AspectId;
  readonly alsoIssued?: true;
  /** Excluded from exploration, because no documented requirement demands the refusal. */
  readonly unexplored?: true;
}

export type WrongAuthorization = Row<'authorize', Good, ParameterChanges>;
export type WrongTokenRequest = Row<'exchange' | 'refresh', Good, ParameterChanges>;
export type WrongCall = Row<'assign' | 'unassign' | 'list', GoodCall, CallChange>;

/** Returns rows of one kind. Their types keep the names, which the steps of exploration are made of. */
function requests<
  const Of extends 'authorize' | 'exchange' | 'refresh',
  const Rows extends readonly Omit<Row<Of, Good, ParameterChanges>, 'of'>[],
>(of: Of, rows: Rows): readonly (Rows[number] & { readonly of: Of })[] {
  return rows.map((row) => ({ ...row, of }));
}

type Values = (good: Good) => readonly (string | typeof OMITTED | undefined)[];

function each(parameter: string, values: Values): (good: Good) => readonly ParameterChanges[] {
  return (good) => values(good).flatMap((value) => (value === undefined ? [] : [{ [parameter]: value }]));
}

function absent(parameter: string): (good: Good) => readonly ParameterChanges[] {
  return each(parameter, () => [OMITTED, '']);
}

const clientId: Values = ({ application }) => [
  neverIssued(application.clientId),
  ...wrongIds(application.clientId),
];

const clientSecret: Values = ({ application }) => [
  neverIssued(application.clientSecret),
  ...wrongSecrets(application.clientSecret),
];

function byOther({ other }: Good): readonly ParameterChanges[] {
  return other === undefined ? [] : [{ client_id: other.clientId, client_secret: other.clientSecret }];
}

function mixedWithOther({ other }: Good): readonly ParameterChanges[] {
  return other === undefined ? [] : [{ client_secret: other.clientSecret }, { client_id: other.clientId }];
}

export const WRONG_AUTHORIZATIONS = requests('authorize', [
  {
    name: 'unknown client',
    change: each('client_id', ({ application }) => [
      neverIssued(application.clientId),
      ...alterations(application.clientId),
    ]),
    requirement: 'authorize.client-id-known',
    aspect: 'authorize-failures.unknown-client',
  },
  {
    name: 'no client',
    change: absent('client_id'),
    requirement: 'authorize.client-id-known',
    aspect: 'authorize-failures.no-client-id',
  },
  {
    name: 'response type token',
    change: each('response_type', () => ['token', 'code token']),
    requirement: 'authorize.response-type-code-only',
  },
  {
    name: 'unknown response type',
    change: each('response_type', () => ['codes', 'unknown', 'CODE', 'codex']),
    requirement: 'authorize.response-type-code-only',
    aspect: 'authorize-failures.unsupported-response-type',
  },
  {
    name: 'other host',
    change: each('redirect_uri', ({ application }) => unauthorizedAddresses(application).host),
    requirement: 'authorize.redirect-uri-authorized',
    aspect: 'authorize-failures.unauthorized-redirect-uri',
  },
  {
    name: 'other path',
    change: each('redirect_uri', ({ application }) => unauthorizedAddresses(application).path),
    requirement: 'authorize.redirect-uri-authorized',
  },
  {
    name: 'other scheme or port',
    change: each('redirect_uri', ({ application }) => unauthorizedAddresses(application).origin),
    requirement: 'authorize.redirect-uri-authorized',
  },
  {
    name: 'address of the other application',
    change: each('redirect_uri', ({ application, other }) =>
      (other?.redirectUris ?? []).filter((address) => !application.redirectUris.includes(address)),
    ),
    requirement: 'authorize.redirect-uri-authorized',
  },
  {
    name: 'address written otherwise',
    change: each('redirect_uri', ({ redirectUri }) => variantsOfAddress(redirectUri)),
    requirement: 'authorize.redirect-uri-exact',
    unexplored: true,
  },
  {
    name: 'no address',
    change: absent('redirect_uri'),
    requirement: 'authorize.redirect-uri-required',
    aspect: 'authorize-failures.no-redirect-uri',
    unexplored: true,
  },
  {
    name: 'no response type',
    change: absent('response_type'),
    requirement: 'authorize.response-type-required',
    aspect: 'authorize-failures.no-response-type',
    unexplored: true,
  },
  {
    name: 'no scope',
    change: absent('scope'),
    requirement: 'authorize.scope-required',
    aspect: 'authorize-failures.no-scope',
    unexplored: true,
  },
  {
    name: 'unknown scope',
    change: each('scope', ({ scope }) => [`${scope} unknown`, 'unknown', 'unknown read', 'READ']),
    requirement: 'authorize.scope-unknown-refused',
    aspect: 'authorize-failures.unknown-scope',
  },
]);

export const WRONG_EXCHANGES = requests('exchange', [
  {
    name: 'wrong secret',
    change: each('client_secret', clientSecret),
    requirement: 'exchange.client-secret-checked',
    error: 'invalid_client',
    aspect: 'token-failures.exchange.wrong-secret',
  },
  {
    name: 'secret of the other application',
    change: mixedWithOther,
    requirement: 'exchange.client-secret-of-other-application',
  },
  {
    name: 'no secret',
    change: absent('client_secret'),
    requirement: 'exchange.requires-client-secret',
    // A client without credentials is invalid, or lacks a parameter.
    error: ['invalid_client', 'invalid_request'],
    aspect: 'token-failures.exchange.no-client-secret',
  },
  {
    name: 'unknown client',
    change: each('client_id', clientId),
    requirement: 'exchange.client-id-checked',
    error: 'invalid_client',
    aspect: 'token-failures.exchange.unknown-client',
  },
  {
    name: 'no client',
    change: absent('client_id'),
    requirement: 'exchange.requires-client-id',
    aspect: 'token-failures.exchange.no-client-id',
  },
  {
    name: 'by the other application',
    change: byOther,
    requirement: 'exchange.code-bound-to-client',
    aspect: 'token-failures.exchange.other-client',
  },
  {
    name: 'other address',
    change: each('redirect_uri', ({ redirectUri }) => [
      'https://attacker.invalid/callback',
      `${redirectUri}/deeper`,
      redirectUri.slice(0, -1),
      `${redirectUri}x`,
    ]),
    requirement: 'exchange.redirect-uri-same',
    error: 'invalid_grant',
    aspect: 'token-failures.exchange.other-redirect-uri',
  },
  {
    name: 'other authorized address',
    change: each('redirect_uri', ({ application, redirectUri }) =>
      application.redirectUris.filter((address) => address !== redirectUri),
    ),
    requirement: 'exchange.redirect-uri-same-among-authorized',
  },
  {
    name: 'address written otherwise',
    change: each('redirect_uri', ({ redirectUri }) => variantsOfAddress(redirectUri)),
    requirement: 'exchange.redirect-uri-exact',
    unexplored: true,
  },
  {
    name: 'no address',
    change: absent('redirect_uri'),
    requirement: 'exchange.requires-redirect-uri',
    error: 'invalid_request',
    aspect: 'token-failures.exchange.no-redirect-uri',
  },
  {
    name: 'unknown code',
    change: each('code', ({ credential }) => [neverIssued(credential), ...wrongTokens(credential)]),
    requirement: 'exchange.code-unknown-refused',
    error: 'invalid_grant',
    aspect: 'token-failures.exchange.unknown-code',
  },
  {
    name: 'code with a NUL',
    change: each('code', ({ credential }) => [`${credential}\0`]),
    // A decoder may read it as the code itself; but the service must answer.
    requirement: 'token.no-5xx',
    unexplored: true,
    // A character outside codes (RFC 6749 appendix A.11) makes the request malformed.
    error: ['invalid_grant', 'invalid_request'],
  },
  {
    name: 'access or refresh token as code',
    change: each('code', ({ accessToken, refreshToken }) => [accessToken, refreshToken]),
    requirement: 'exchange.code-unknown-refused',
    alsoIssued: true,
    unexplored: true,
  },
  {
    name: 'no code',
    change: absent('code'),
    requirement: 'exchange.requires-code',
    error: 'invalid_request',
    aspect: 'token-failures.exchange.no-code',
  },
  {
    name: 'no grant type',
    change: absent('grant_type'),
    requirement: 'exchange.requires-grant-type',
    error: 'invalid_request',
    aspect: 'token-failures.exchange.no-grant-type',
  },
  {
    name: 'unknown grant type',
    change: each('grant_type', () => ['unknown', 'AUTHORIZATION_CODE', 'password', 'client_credentials']),
    requirement: 'exchange.grant-type-checked',
    error: 'unsupported_grant_type',
    aspect: 'token-failures.exchange.unsupported-grant-type',
  },
  {
    name: 'grant type of a refresh',
    change: each('grant_type', () => ['refresh_token']),
    requirement: 'exchange.grant-type-checked',
  },
]);

export const WRONG_REFRESHES = requests('refresh', [
  {
    name: 'wrong secret',
    change: each('client_secret', clientSecret),
    requirement: 'refresh.client-secret-checked',
    error: 'invalid_client',
    aspect: 'token-failures.refresh.wrong-secret',
  },
  {
    name: 'secret of the other application',
    change: mixedWithOther,
    requirement: 'refresh.client-secret-checked',
  },
  {
    name: 'no secret',
    change: absent('client_secret'),
    requirement: 'refresh.requires-client-secret',
    aspect: 'token-failures.refresh.no-client-secret',
  },
  {
    name: 'unknown client',
    change: each('client_id', clientId),
    requirement: 'refresh.client-id-checked',
    aspect: 'token-failures.refresh.unknown-client',
  },
  {
    name: 'no client',
    change: absent('client_id'),
    requirement: 'refresh.requires-client-id',
    aspect: 'token-failures.refresh.no-client-id',
  },
  {
    name: 'by the other application',
    change: byOther,
    requirement: 'refresh.bound-to-client',
    aspect: 'token-failures.refresh.other-client',
  },
  {
    name: 'unknown token',
    change: each('refresh_token', ({ credential }) => [neverIssued(credential), ...wrongTokens(credential)]),
    requirement: 'refresh.token-unknown-refused',
    error: 'invalid_grant',
    aspect: 'token-failures.refresh.unknown-token',
  },
  {
    name: 'access token',
    change: each('refresh_token', ({ accessToken }) => [accessToken]),
    requirement: 'refresh.token-unknown-refused',
  },
  {
    name: 'code as refresh token',
    change: each('refresh_token', ({ code, usedCode }) => [usedCode, code]),
    requirement: 'refresh.token-unknown-refused',
    alsoIssued: true,
    unexplored: true,
  },
  {
    name: 'no token',
    change: absent('refresh_token'),
    requirement: 'refresh.requires-refresh-token',
    error: 'invalid_request',
    aspect: 'token-failures.refresh.no-refresh-token',
  },
  {
    name: 'no grant type',
    change: absent('grant_type'),
    requirement: 'refresh.requires-grant-type',
    aspect: 'token-failures.refresh.no-grant-type',
  },
  {
    name: 'grant type of an exchange',
    change: each('grant_type', () => ['authorization_code']),
    requirement: 'refresh.requires-grant-type',
  },
]);

const OPERATIONS = ['assign', 'unassign', 'list'] as const;

export const WRONG_CALLS: readonly WrongCall[] = OPERATIONS.flatMap((of) => [
  {
    name: 'no token',
    of,
    change: () => [{ token: NO_TOKEN }, { token: '' }],
    requirement: `${of}.token-required`,
    ...(of === 'list' ? { aspect: 'resource-failures.no-token' as const } : {}),
  },
  {
    name: 'unknown token',
    of,
    change: ({ accessToken }) =>
      [neverIssued(accessToken), ...alterations(accessToken)].map((token) => ({ token })),
    requirement: `${of}.token-invalid-refused`,
    ...(of === 'list' ? { aspect: 'resource-failures.invalid-token' as const } : {}),
  },
  {
    name: 'refresh token',
    of,
    change: ({ refreshToken }) => (refreshToken === undefined ? [] : [{ token: refreshToken }]),
    requirement: 'list.refresh-token-is-no-access-token',
    alsoIssued: true,
  },
  {
    name: 'code',
    of,
    change: ({ code, usedCode }) =>
      [code, usedCode].flatMap((token) => (token === undefined ? [] : [{ token }])),
    requirement: 'list.refresh-token-is-no-access-token',
    alsoIssued: true,
  },
  {
    name: 'unknown project',
    of,
    change: ({ place }) => [{ project: unknownId(place.project) }],
    requirement: `${of}.unknown-project-refused`,
    ...(of === 'list' ? { aspect: 'resource-failures.unknown-project' as const } : {}),
  },
  ...(of === 'list'
    ? [
        {
          name: 'wrapped project id',
          of,
          // Reading is harmless; PUT and DELETE require `destructive-ids`.
          change: ({ place }: GoodCall) => wrapped(place.project).map((project) => ({ project })),
          requirement: 'list.unknown-project-refused' as const,
          unexplored: true as const,
        },
      ]
    : [
        {
          name: 'unknown user',
          of,
          change: ({ place }: GoodCall) => [{ user: unknownId(place.user) }],
          requirement: `${of}.unknown-user-refused` as const,
          ...(of === 'assign' ? { aspect: 'resource-failures.unknown-user' as const } : {}),
        },
      ]),
]) satisfies readonly WrongCall[];

export const WRONG_REQUESTS: readonly (WrongAuthorization | WrongTokenRequest | WrongCall)[] = [
  ...WRONG_AUTHORIZATIONS,
  ...WRONG_EXCHANGES,
  ...WRONG_REFRESHES,
  ...WRONG_CALLS,
];
