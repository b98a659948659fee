import type { AspectOf } from '../../../generated/ids.ts';
import type { AspectAnswer, AspectId } from '../aspects.ts';
import { headersByAspect } from '../header-kinds.ts';
import type { Profile, ProfileAnswers } from '../profile.ts';
import { isWording } from '../wording.ts';
import { scopesShow } from './resource-failures.ts';
import { LONGEST_CODE } from './token-failures.ts';

type Seen = readonly (readonly [AspectId, AspectAnswer])[];
type PageAspect = Exclude<
  AspectOf<'authorize-failures'>,
  'duplicate-parameter' | 'redirect-status' | 'redirect-spaces' | 'wording'
>;
type PageCase = keyof ProfileAnswers['authorize-failures']['cases'];

/** The case of a profile behind each aspect of open point 7. */
export const PAGE_CASES: Readonly<Record<PageAspect, PageCase>> = {
  'no-client-id': 'client-id-missing',
  'unknown-client': 'client-id-unknown',
  'no-redirect-uri': 'redirect-uri-missing',
  'unauthorized-redirect-uri': 'redirect-uri-unauthorized',
  'no-response-type': 'response-type-missing',
  'unsupported-response-type': 'response-type-unsupported',
  'no-scope': 'scope-missing',
  'unknown-scope': 'scope-unknown',
  denial: 'access-denied',
};

/** Failures before the redirect address is known to be authorized: nobody is redirected then. */
const NOWHERE_TO_GO: readonly PageCase[] = [
  'client-id-missing',
  'client-id-unknown',
  'redirect-uri-missing',
  'redirect-uri-unauthorized',
];

/** Open points 7 to 16, 18, 19 and 21, as they are seen of a service that answers so. */
export function flowExpected({ answers, departures }: Profile): Seen {
  return [
    ...authorizeFailures(answers, departures?.missingScope !== undefined),
    ...clientAuthentication(answers),
    ...refreshing(answers),
    ...tokenResponse(answers),
    ...headers(answers),
    ...surroundings(answers),
  ];
}

function authorizeFailures(answers: ProfileAnswers, scopeMayMiss: boolean): Seen {
  const { cases, redirectStatus, redirectSpaces, repeatedParameter } = answers['authorize-failures'];
  const page = (reason: PageCase): AspectAnswer =>
    isRedirected(reason, answers)
      ? { kind: 'redirect', status: redirectStatus, error: cases[reason].error }
      : { kind: 'page', status: cases[reason].status, error: null };
  const failures = Object.entries(PAGE_CASES) as [PageAspect, PageCase][];
  const told = failures.filter(
    ([aspect, reason]) =>
      isRedirected(reason, answers) &&
      !(aspect === 'no-scope' && scopeMayMiss) &&
      isWording(cases[reason].description),
  );
  return [
    ...failures.map(([aspect, reason]): Seen[number] => [
      `authorize-failures.${aspect}`,
      aspect === 'no-scope' && scopeMayMiss ? 'accepted' : page(reason),
    ]),
    [
      'authorize-failures.duplicate-parameter',
      repeatedParameter === 'refused' ? page('parameter-repeated') : repeatedParameter,
    ],
    ['authorize-failures.redirect-status', redirectStatus],
    ['authorize-failures.redirect-spaces', redirectSpaces],
    [
      'authorize-failures.wording',
      Object.fromEntries(told.map(([aspect, reason]) => [aspect, cases[reason].description])),
    ],
  ];
}

function isRedirected(reason: PageCase, { 'authorize-failures': failures }: ProfileAnswers): boolean {
  if (NOWHERE_TO_GO.includes(reason)) return false;
  const own = failures.cases[reason].delivery;
  if (reason === 'parameter-repeated') return own === 'redirect';
  return (own ?? (reason === 'access-denied' ? failures.denial : failures.delivery)) === 'redirect';
}

function clientAuthentication({ 'client-authentication': answers }: ProfileAnswers): Seen {
  const { basic, basicEncoding, basicAndForm, queryString, jsonBody, multipartBody } = answers;
  // Profiles that were recorded before it was asked say nothing of it.
  const encoding = basic === 'ignored' ? null : basicEncoding;
  return [
    ['client-authentication.basic', basic === 'accepted'],
    ...(encoding === undefined ? [] : [['client-authentication.basic-encoding', encoding] as const]),
    ['client-authentication.basic-and-form', basic === 'ignored' || basicAndForm === 'accepted'],
    ['client-authentication.query-string', queryString === 'accepted'],
    ['client-authentication.json-body', jsonBody === 'accepted'],
    ['client-authentication.multipart', multipartBody === 'accepted'],
  ];
}

function refreshing(answers: ProfileAnswers): Seen {
  const { oldAccessToken, oldRefreshToken, reuse, beforeExpiry } = answers['refresh-fate'];
  const { narrowerOnRefresh, widerOnRefresh, onExchange } = answers['scope-requests'];
  const { code, refreshToken } = answers.lifetimes;
  const shows = scopesShow(answers) || answers['token-response-fields'].extra.includes('scope');
  const ifShown = (answer: 'granted' | 'ignored' | 'refused') =>
    shows || answer === 'refused' ? answer : null;
  const early = beforeExpiry === 'allowed';
  return [
    ['refresh-fate.old-access-token', early ? oldAccessToken : null],
    ['refresh-fate.old-refresh-token', oldRefreshToken],
    ['refresh-fate.reuse', oldRefreshToken === 'never' ? null : reuse],
    ['refresh-fate.parallel', oldRefreshToken === 'at-once' ? 'one' : 'all'],
    ['refresh-fate.before-expiry', early],
    ['lifetimes.code', code <= LONGEST_CODE ? code : 'unlimited'],
    ['lifetimes.refresh-token', refreshToken],
    ['failed-exchange.burns-code', answers['failed-exchange'].burnsCode],
    ['failed-exchange.replay-revokes', answers['failed-exchange'].replayRevokes],
    ['scope-requests.narrower-on-refresh', ifShown(narrowerOnRefresh)],
    ['scope-requests.wider-on-refresh', ifShown(widerOnRefresh)],
    ['scope-requests.on-exchange', onExchange],
    ['pkce.support', answers.pkce.challenge === 'refused-at-exchange' ? 'refused' : answers.pkce.challenge],
  ];
}

function tokenResponse({
  'token-response-fields': answers,
  'consent-memory': consent,
}: ProfileAnswers): Seen {
  const { extra, order, contentType, cacheControl, pragma, distinctTokens } = answers;
  return [
    ['token-response-fields.extra-fields', order === 'alphabetical' ? extra.toSorted() : extra],
    ['token-response-fields.order', order],
    ['token-response-fields.content-type', contentType],
    ['token-response-fields.cache-control', cacheControl ?? null],
    ['token-response-fields.pragma', pragma ?? null],
    ['token-response-fields.distinct-tokens', distinctTokens],
    ['consent-memory.remembered', consent.remembered !== 'never'],
    ['consent-memory.remembered-for-fewer', consent.remembered === 'for-the-same-or-fewer-scopes'],
    ['consent-memory.asked-for-wider', true],
  ];
}

function headers({ 'response-headers': answers }: ProfileAnswers): Seen {
  const lowered = (given: Readonly<Record<string, string>>) =>
    new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const families = {
    pages: lowered(answers.pages),
    token: lowered(answers.token),
    resource: lowered(answers.resource),
  };
  return [...headersByAspect(families), ['response-headers.letter-case', answers.names]];
}

function surroundings(answers: ProfileAnswers): Seen {
  const { revoke, introspect, tokenInfo, metadata, openidConfiguration } = answers.neighbours;
  const status = (served: 'served' | 'absent' | undefined) => (served === 'served' ? 200 : 404);
  return [
    ['neighbours.revoke', status(revoke)],
    ['neighbours.introspect', status(introspect)],
    ['neighbours.token-info', status(tokenInfo)],
    ['neighbours.authorization-server-metadata', status(metadata)],
    ['neighbours.openid-configuration', status(openidConfiguration)],
    ['loopback-ports.other-port', answers['loopback-ports'].ports === 'any'],
    ['events.channels', []],
  ];
}
