import type { AspectOf, OpenPointId, RequirementId } from '../../../generated/ids.ts';
import { isLoopback } from '../../document/input/loopback.ts';
import { neverIssued, unknownId } from '../../service/flow/never-issued.ts';
import { OMITTED, type ParameterChanges } from '../../service/flow/requests.ts';
import { redirectMismatch } from '../../service/redirect-address.ts';
import { ALL_SCOPES, type Application, type Target } from '../../service/target.ts';
import { alterations, wrappedNumbers, wrongIds, wrongSecrets } from './altered.ts';

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

export interface RightValues {
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

export function rightValuesOf(
  { application, secondApplication: other }: Pick<Target, 'application' | 'secondApplication'>,
  credential: string,
): RightValues {
  const redirectUri = application.redirectUris[0];
  return { application, redirectUri, scope: ALL_SCOPES, credential, ...(other && { other }) };
}

export interface RightCall {
  readonly place: { readonly project: string; readonly user: string };
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly code?: string;
  readonly usedCode?: string;
}

const NO_TOKEN = { none: true } as const;

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

export type WrongAuthorization = Row<'authorize', RightValues, ParameterChanges>;
export type WrongTokenRequest = Row<'exchange' | 'refresh', RightValues, ParameterChanges>;
export type WrongCall = Row<'assign' | 'unassign' | 'list', RightCall, CallChange>;

const POINTS = {
  authorize: 'authorize-failures',
  exchange: 'token-failures.exchange',
  refresh: 'token-failures.refresh',
  assign: 'resource-failures',
  unassign: 'resource-failures',
  list: 'resource-failures',
} as const;

type Kind = keyof typeof POINTS;
type RowOf<Of extends Kind> = Of extends 'authorize' | 'exchange' | 'refresh'
  ? Row<Of, RightValues, ParameterChanges>
  : Row<Of, RightCall, CallChange>;

type Below<Prefix extends string, Id extends string> = Id extends `${Prefix}.${infer Rest}` ? Rest : never;

/** A row as it is written: requirement and aspect without the part that all rows of a table share. */
type Columns<Of extends Kind> = readonly [
  name: string,
  change: RowOf<Of>['change'],
  requirement: Below<Of, RequirementId> | 'token.no-5xx' | 'list.refresh-token-is-no-access-token',
  aspect?: Below<(typeof POINTS)[Of], AspectId> | undefined,
  error?: WrongTokenRequest['error'],
];

interface Table<Of extends Kind, Explored> {
  readonly explored: Explored;
  readonly unexplored: readonly Columns<Of>[];
  /** Unexplored too. */
  readonly alsoIssued?: readonly Columns<Of>[];
}

/** Returns rows of one kind. Their types keep the explored names, which the steps of exploration are made of. */
function requests<const Of extends Kind, const Explored extends readonly Columns<Of>[]>(
  of: Of,
  { explored, unexplored, alsoIssued = [] }: Table<Of, Explored>,
) {
  const row = ([name, change, requirement, aspect, error]: Columns<Of>) =>
    ({
      of,
      name,
      change,
      requirement: requirement.includes('.') ? requirement : `${of}.${requirement}`,
      ...(aspect !== undefined && { aspect: `${POINTS[of]}.${aspect}` }),
      ...(error !== undefined && { error }),
    }) as unknown as RowOf<Of>;
  return [
    ...explored.map((columns) => ({ ...row(columns), name: columns[0] as Explored[number][0] })),
    ...unexplored.map((columns) => ({ ...row(columns), unexplored: true as const })),
    ...alsoIssued.map((columns) => ({
      ...row(columns),
      unexplored: true as const,
      alsoIssued: true as const,
    })),
  ];
}

type Values = (good: RightValues) => readonly (string | typeof OMITTED | undefined)[];

function each(parameter: string, values: Values): (good: RightValues) => readonly ParameterChanges[] {
  return (good) => values(good).flatMap((value) => (value === undefined ? [] : [{ [parameter]: value }]));
}

function absent(parameter: string): (good: RightValues) => readonly ParameterChanges[] {
  return each(parameter, () => [OMITTED, '']);
}

/** A public client has PKCE in place of a secret; this client is confidential (clause 1). */
function noSecret(good: RightValues): readonly ParameterChanges[] {
  const code_verifier = 'v'.repeat(43);
  return [...absent('client_secret')(good), { client_secret: OMITTED, code_verifier }];
}

function noClient(good: RightValues): readonly ParameterChanges[] {
  return [...absent('client_id')(good), { client_id: OMITTED, client_secret: OMITTED }];
}

const unknownClient = each('client_id', ({ application }) => [
  neverIssued(application.clientId),
  ...wrongIds(application.clientId),
]);

const wrongSecret = each('client_secret', ({ application }) => [
  neverIssued(application.clientSecret),
  ...wrongSecrets(application.clientSecret),
]);

const strange: Values = ({ credential }) => [neverIssued(credential), ...alterations(credential)];
const unknownCode = each('code', strange);
const unknownToken = each('refresh_token', strange);

/** Sends a request in the name of this application. */
export function asClient({ clientId, clientSecret }: Application): ParameterChanges {
  return { client_id: clientId, client_secret: clientSecret };
}

function byOther({ other }: RightValues): readonly ParameterChanges[] {
  return other === undefined ? [] : [asClient(other)];
}

function mixedWithOther({ other }: RightValues): readonly ParameterChanges[] {
  return other === undefined ? [] : [{ client_secret: other.clientSecret }, { client_id: other.clientId }];
}

function unauthorized(kind: 'host' | 'path' | 'origin') {
  return each('redirect_uri', ({ application }) => unauthorizedAddresses(application)[kind]);
}

const addressOfOther = each('redirect_uri', ({ application, other }) =>
  (other?.redirectUris ?? []).filter((address) => isUnauthorized(address, application)),
);

const otherAuthorized = each('redirect_uri', ({ application, redirectUri }) =>
  application.redirectUris.filter((address) => address !== redirectUri),
);

const otherAddress = each('redirect_uri', ({ redirectUri }) => [
  'https://attacker.invalid/callback',
  `${redirectUri}/deeper`,
  redirectUri.slice(0, -1),
  `${redirectUri}x`,
]);

const writtenOtherwise = each('redirect_uri', ({ redirectUri }) => variantsOfAddress(redirectUri));

/** The first authorized address that has a query, with another value in it. */
const withOtherQuery = each('redirect_uri', ({ application }) =>
  application.redirectUris
    .map((address) => address.replace(/(\?[^=&#]*=)[^&#]*/, '$1other'))
    .filter((address) => !application.redirectUris.includes(address))
    .slice(0, 1),
);

const otherType = each('response_type', () => ['codes', 'unknown', 'CODE', 'codex']);

/** Not `client_credentials`: it gives a token by the credentials alone (RFC 6749 section 4.4). */
const OTHER_GRANT_TYPES = ['unknown', 'AUTHORIZATION_CODE', 'password', 'authorization_codes'];
const otherGrantType = each('grant_type', () => OTHER_GRANT_TYPES);

const unknownScope = each('scope', ({ scope }) => [`${scope} unknown`, 'unknown', 'unknown read', 'READ']);

const issuedTokens = each('code', ({ accessToken, refreshToken }) => [accessToken, refreshToken]);

const issuedCodes = each('refresh_token', ({ code, usedCode }) => [usedCode, code]);

const withNul = each('code', ({ credential }) => [`${credential}\0`]);

/** A client without credentials is invalid, or lacks a parameter. */
const NO_CREDENTIALS = ['invalid_client', 'invalid_request'] as const;
/** A character outside codes (RFC 6749 appendix A.11) makes the request malformed. */
const MALFORMED_CODE = ['invalid_grant', 'invalid_request'] as const;
const UNSUPPORTED = 'unsupported_grant_type';

export const WRONG_AUTHORIZATIONS = requests('authorize', {
  explored: [
    ['unknown client', unknownClient, 'client-id-known', 'unknown-client'],
    ['no client', absent('client_id'), 'client-id-known', 'no-client-id'],
    ['response type token', each('response_type', () => ['token', 'code token']), 'response-type-code-only'],
    ['unknown response type', otherType, 'response-type-code-only', 'unsupported-response-type'],
    ['other host', unauthorized('host'), 'redirect-uri-authorized', 'unauthorized-redirect-uri'],
    ['other path', unauthorized('path'), 'redirect-uri-authorized'],
    ['other scheme or port', unauthorized('origin'), 'redirect-uri-authorized'],
    ['address of the other application', addressOfOther, 'redirect-uri-authorized'],
    ['unknown scope', unknownScope, 'scope-unknown-refused', 'unknown-scope'],
  ],
  // No documented requirement demands these refusals.
  unexplored: [
    ['address written otherwise', writtenOtherwise, 'redirect-uri-exact'],
    ['address with another query', withOtherQuery, 'redirect-uri-exact'],
    ['no address', absent('redirect_uri'), 'redirect-uri-required', 'no-redirect-uri'],
    ['no response type', absent('response_type'), 'response-type-required', 'no-response-type'],
    ['no scope', absent('scope'), 'scope-required', 'no-scope'],
  ],
});

export const WRONG_EXCHANGES = requests('exchange', {
  explored: [
    ['wrong secret', wrongSecret, 'client-secret-checked', 'wrong-secret', 'invalid_client'],
    ['secret of the other application', mixedWithOther, 'client-secret-of-other-application'],
    ['no secret', noSecret, 'requires-client-secret', 'no-client-secret', NO_CREDENTIALS],
    ['unknown client', unknownClient, 'client-id-checked', 'unknown-client', 'invalid_client'],
    ['no client', noClient, 'requires-client-id', 'no-client-id'],
    ['by the other application', byOther, 'code-bound-to-client', 'other-client'],
    ['other address', otherAddress, 'redirect-uri-same', 'other-redirect-uri', 'invalid_grant'],
    ['other authorized address', otherAuthorized, 'redirect-uri-same-among-authorized'],
    ['no address', absent('redirect_uri'), 'requires-redirect-uri', 'no-redirect-uri', 'invalid_request'],
    ['unknown code', unknownCode, 'code-unknown-refused', 'unknown-code', 'invalid_grant'],
    ['no code', absent('code'), 'requires-code', 'no-code', 'invalid_request'],
    ['no grant type', absent('grant_type'), 'requires-grant-type', 'no-grant-type', 'invalid_request'],
    ['unknown grant type', otherGrantType, 'grant-type-checked', 'unsupported-grant-type', UNSUPPORTED],
    ['grant type of a refresh', each('grant_type', () => ['refresh_token']), 'grant-type-checked'],
  ],
  unexplored: [
    ['address written otherwise', writtenOtherwise, 'redirect-uri-exact'],
    // A decoder may read it as the code itself; but the service must answer.
    ['code with a NUL', withNul, 'token.no-5xx', undefined, MALFORMED_CODE],
  ],
  alsoIssued: [['access or refresh token as code', issuedTokens, 'code-unknown-refused']],
});

export const WRONG_REFRESHES = requests('refresh', {
  explored: [
    ['wrong secret', wrongSecret, 'client-secret-checked', 'wrong-secret', 'invalid_client'],
    ['secret of the other application', mixedWithOther, 'client-secret-checked'],
    ['no secret', absent('client_secret'), 'requires-client-secret', 'no-client-secret'],
    ['unknown client', unknownClient, 'client-id-checked', 'unknown-client'],
    ['no client', noClient, 'requires-client-id', 'no-client-id'],
    ['by the other application', byOther, 'bound-to-client', 'other-client'],
    ['unknown token', unknownToken, 'token-unknown-refused', 'unknown-token', 'invalid_grant'],
    ['access token', each('refresh_token', ({ accessToken }) => [accessToken]), 'token-unknown-refused'],
    ['no token', absent('refresh_token'), 'requires-refresh-token', 'no-refresh-token', 'invalid_request'],
    ['no grant type', absent('grant_type'), 'requires-grant-type', 'no-grant-type'],
    ['grant type of an exchange', each('grant_type', () => ['authorization_code']), 'requires-grant-type'],
  ],
  unexplored: [],
  alsoIssued: [['code as refresh token', issuedCodes, 'token-unknown-refused']],
});

function tokens(values: (good: RightCall) => readonly (string | undefined)[]): WrongCall['change'] {
  return (good) => values(good).flatMap((token) => (token === undefined ? [] : [{ token }]));
}

const noToken = () => [{ token: NO_TOKEN }, { token: '' }];
const strangeToken = tokens(({ accessToken }) => [neverIssued(accessToken), ...alterations(accessToken)]);
const unknownProject = ({ place }: RightCall) => [{ project: unknownId(place.project) }];
const unknownUser = ({ place }: RightCall) => [{ user: unknownId(place.user) }];
// Reading is harmless; PUT and DELETE require `destructive-ids`.
const wrappedProject = ({ place }: RightCall) =>
  wrappedNumbers(place.project).map((project) => ({ project }));

const OTHERWISE = 'list.refresh-token-is-no-access-token';
const ISSUED_OTHERWISE = [
  ['refresh token', tokens(({ refreshToken }) => [refreshToken]), OTHERWISE],
  ['code', tokens(({ code, usedCode }) => [code, usedCode]), OTHERWISE],
] as const;

/** One operation stands for all three where an aspect asks: the same code refuses. */
export const WRONG_CALLS: readonly WrongCall[] = [
  ...(['assign', 'unassign'] as const).flatMap((of) =>
    requests(of, {
      explored: [],
      unexplored: [
        ['no token', noToken, 'token-required'],
        ['unknown token', strangeToken, 'token-invalid-refused'],
        ['unknown project', unknownProject, 'unknown-project-refused'],
        ['unknown user', unknownUser, 'unknown-user-refused', of === 'assign' ? 'unknown-user' : undefined],
      ],
      alsoIssued: ISSUED_OTHERWISE,
    }),
  ),
  ...requests('list', {
    explored: [],
    unexplored: [
      ['no token', noToken, 'token-required', 'no-token'],
      ['unknown token', strangeToken, 'token-invalid-refused', 'invalid-token'],
      ['unknown project', unknownProject, 'unknown-project-refused', 'unknown-project'],
      ['wrapped project id', wrappedProject, 'unknown-project-refused'],
    ],
    alsoIssued: ISSUED_OTHERWISE,
  }),
];

export const WRONG_REQUESTS: readonly (WrongAuthorization | WrongTokenRequest | WrongCall)[] = [
  ...WRONG_AUTHORIZATIONS,
  ...WRONG_EXCHANGES,
  ...WRONG_REFRESHES,
  ...WRONG_CALLS,
];

/** A reserved host (RFC 2606), for addresses that must never receive a code. */
const STRANGER = 'attacker.invalid';

/** Returns true for an address that no comparison allows. The port of a loopback address is open (RFC 8252 section 7.3). */
export function isUnauthorized(
  address: string,
  { redirectUris }: Pick<Application, 'redirectUris'>,
): boolean {
  return redirectUris.every((known) => redirectMismatch(address, known) === 'other');
}

/**
 * Returns unauthorized addresses, one per common comparison mistake: another host, a sub-domain, the authorized host as
 * prefix, suffix, part, pattern or userinfo; another, deeper or longer path, or one that leads out by dots; another scheme or port.
 */
function unauthorizedAddresses({ redirectUris }: Pick<Application, 'redirectUris'>) {
  const uri = redirectUris[0];
  const parsed = new URL(uri);
  const rest = uri.slice(uri.indexOf(parsed.host) + parsed.host.length);
  const { protocol, host, hostname } = parsed;
  const at = (newProtocol: string, authority: string, tail: string) => `${newProtocol}//${authority}${tail}`;
  const others = (addresses: readonly string[]) =>
    addresses.filter((address) => isUnauthorized(address, { redirectUris }));
  return {
    host: others([
      at(protocol, STRANGER, rest),
      at(protocol, `evil.${host}`, rest),
      at(protocol, `${host}.${STRANGER}`, rest),
      at(protocol, `${hostname.replaceAll('.', '-')}.${STRANGER}`, rest),
      at(protocol, `evil${host}`, rest),
      at(protocol, `${host}@${STRANGER}`, rest),
      at(protocol, `someone@${host}`, rest),
      at(protocol, STRANGER, `/?to=${uri}`),
      ...(/[a-z]/i.test(hostname) ? [at(protocol, host.replace('.', '-'), rest)] : []),
    ]),
    path: others([
      at(protocol, host, '/elsewhere'),
      at(protocol, host, `/elsewhere${rest}`),
      `${uri.split('?')[0]}/deeper`,
      `${uri.split('?')[0]}/../elsewhere`,
      `${uri.split('?')[0]}/%2e%2e/elsewhere`,
      `${uri.split('?')[0]}x`,
    ]),
    origin: others([
      at(protocol === 'https:' ? 'http:' : 'https:', host, rest),
      ...(isLoopback(hostname) ? [] : [at(protocol, `${hostname}:8443`, rest)]),
    ]),
  };
}

/** Returns variants that an exact comparison rejects (RFC 9700 section 2.1): query, trailing slash, letter case, fragment. */
function variantsOfAddress(uri: string): readonly string[] {
  const { pathname } = new URL(uri);
  const upper = pathname.toUpperCase() === pathname ? pathname.toLowerCase() : pathname.toUpperCase();
  return [
    `${uri}${uri.includes('?') ? '&' : '?'}added=1`,
    `${uri}/`,
    ...(upper === pathname ? [] : [uri.replace(pathname, upper)]),
    `${uri}#fragment`,
  ];
}
