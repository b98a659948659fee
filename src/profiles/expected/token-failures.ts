import type { AspectOf } from '../../../generated/ids.ts';
import { type AspectAnswer, type AspectId, canonical } from '../aspects.ts';
import type { ProfileAnswers, ProfileOauthFailure } from '../profile.ts';
import { isWording } from '../wording.ts';
import { bodyOfChoice } from './bodies.ts';
import { otherMethodExpected } from './other-methods.ts';

type Seen = readonly (readonly [AspectId, AspectAnswer])[];
type Cases = ProfileAnswers['token-failures']['cases'];
type Aspect = Exclude<
  AspectOf<'token-failures'>,
  'exchange.get' | 'refresh.unknown-token-and-wrong-secret' | 'cache-control' | 'realm' | 'wording'
>;

/** Where a profile has the answer to a refusal. */
export interface TokenCase {
  /** The case, and behind it those that answer in its place where it is left out. */
  readonly cases: readonly [keyof Cases, ...(keyof Cases)[]];
  /** The parameter that the refusal is about. */
  readonly parameter?: string;
}

const about = (parameter: string | undefined, ...cases: TokenCase['cases']): TokenCase =>
  parameter === undefined ? { cases } : { cases, parameter };

/** The case of a profile behind each aspect of open point 6. */
export const TOKEN_CASES: Readonly<Record<Aspect, TokenCase>> = {
  'exchange.no-client-id': about('client_id', 'client-missing'),
  'exchange.no-client-secret': about('client_secret', 'client-secret-missing', 'client-missing'),
  'exchange.no-code': about('code', 'code-missing'),
  'exchange.no-redirect-uri': about('redirect_uri', 'redirect-uri-missing'),
  'exchange.no-grant-type': about('grant_type', 'grant-type-missing'),
  'exchange.unsupported-grant-type': about('grant_type', 'grant-type-unsupported'),
  'exchange.unknown-client': about(undefined, 'client-unknown'),
  'exchange.wrong-secret': about(undefined, 'client-secret-wrong'),
  'exchange.unknown-code': about(undefined, 'code-unknown'),
  'exchange.used-code': about(undefined, 'code-used'),
  'exchange.expired-code': about(undefined, 'code-expired'),
  'exchange.other-redirect-uri': about(undefined, 'code-redirect-uri-different'),
  'exchange.other-client': about(undefined, 'code-of-other-client'),
  'exchange.wrong-verifier': about(undefined, 'code-verifier-wrong'),
  'exchange.unwanted-scope': about('scope', 'scope-unwanted'),
  'exchange.authenticated-twice': about(undefined, 'client-authenticated-twice'),
  'exchange.duplicate-parameter': about('code', 'parameter-repeated'),
  'exchange.media-type': about(undefined, 'media-type-unsupported'),
  'exchange.unreadable-body': about(undefined, 'body-unreadable'),
  'refresh.no-client-id': about('client_id', 'client-missing-on-refresh'),
  'refresh.no-client-secret': about(
    'client_secret',
    'client-secret-missing-on-refresh',
    'client-secret-missing',
    'client-missing',
  ),
  'refresh.no-refresh-token': about('refresh_token', 'refresh-token-missing'),
  'refresh.no-grant-type': about('grant_type', 'grant-type-missing-on-refresh', 'grant-type-missing'),
  'refresh.unknown-client': about(undefined, 'client-unknown-on-refresh', 'client-unknown'),
  'refresh.wrong-secret': about(undefined, 'client-secret-wrong-on-refresh', 'client-secret-wrong'),
  'refresh.unknown-token': about(undefined, 'refresh-token-unknown'),
  'refresh.revoked-token': about(undefined, 'refresh-token-revoked'),
  'refresh.expired-token': about(undefined, 'refresh-token-expired'),
  'refresh.too-early': about(undefined, 'refresh-too-early'),
  'refresh.other-client': about(undefined, 'refresh-token-of-other-client'),
  'refresh.narrower-scope': about('scope', 'scope-narrower', 'scope-wider'),
  'refresh.wider-scope': about('scope', 'scope-wider'),
};

/** The aspects of open point 6 that a case of a profile stands behind. */
export const TOKEN_ASPECTS = Object.keys(TOKEN_CASES) as readonly Aspect[];

/** Open point 6, as it is seen of a service that answers so. */
export function tokenFailuresExpected(answers: ProfileAnswers): Seen {
  const failures = answers['token-failures'];
  const refused = TOKEN_ASPECTS.filter((aspect) => insteadOf(aspect, answers) === undefined);
  const { error: _, ...get } = { error: null, ...otherMethodExpected('token', 'GET', answers) };
  const getError = typeof get.body === 'object' && !Array.isArray(get.body) && 'error' in get.body;
  return [
    ...TOKEN_ASPECTS.map((aspect): Seen[number] => {
      const instead = insteadOf(aspect, answers);
      return [`token-failures.${aspect}`, instead === undefined ? refusal(aspect, answers) : instead];
    }),
    [
      'token-failures.exchange.get',
      {
        status: get.status,
        error: getError ? 'Not allowed' : null,
        contentType: get.contentType,
        body: get.body,
        challenge: null,
      },
    ],
    ['token-failures.refresh.unknown-token-and-wrong-secret', toldFirst(answers)],
    ['token-failures.cache-control', failures.cacheControl ?? null],
    ['token-failures.realm', refused.some((a) => isChallenged(a, answers)) ? failures.realm : null],
    [
      'token-failures.wording',
      Object.fromEntries(
        refused.flatMap((aspect) => {
          const told = wording(aspect, answers);
          return isWording(told) ? [[aspect, told]] : [];
        }),
      ),
    ],
  ];
}

/** What is seen in place of a refusal, where other answers leave none; undefined where there is one. */
function insteadOf(aspect: Aspect, answers: ProfileAnswers): AspectAnswer | undefined {
  const { basic, basicAndForm, jsonBody, multipartBody } = answers['client-authentication'];
  const { narrowerOnRefresh, widerOnRefresh, onExchange } = answers['scope-requests'];
  const { oldRefreshToken, beforeExpiry } = answers['refresh-fate'];
  const { repeatedParameter } = answers['token-failures'];
  const unless = (refused: boolean, instead: AspectAnswer) => (refused ? undefined : instead);
  switch (aspect) {
    case 'exchange.wrong-verifier': {
      const { challenge } = answers.pkce;
      if (challenge === 'refused') return null;
      return unless(challenge !== 'ignored', 'accepted');
    }
    case 'exchange.unwanted-scope':
      return unless(onExchange === 'refused', 'accepted');
    case 'exchange.authenticated-twice':
      return unless(basic === 'accepted' && basicAndForm === 'refused', 'accepted');
    case 'exchange.duplicate-parameter':
      return unless(repeatedParameter === 'refused', repeatedParameter);
    case 'exchange.unreadable-body':
      return unless(jsonBody === 'accepted' || multipartBody === 'accepted', null);
    case 'exchange.expired-code':
      return unless(answers.lifetimes.code <= LONGEST_CODE, null);
    case 'refresh.expired-token':
      return unless(answers.lifetimes.refreshToken !== 'unlimited', null);
    case 'refresh.revoked-token':
      return unless(oldRefreshToken !== 'never', null);
    case 'refresh.too-early':
      return unless(beforeExpiry === 'refused', null);
    case 'refresh.narrower-scope':
      return unless(narrowerOnRefresh === 'refused', 'accepted');
    case 'refresh.wider-scope':
      return unless(widerOnRefresh === 'refused', 'accepted');
    default:
      return undefined;
  }
}

/** Seconds beyond which a code counts as living without end. */
export const LONGEST_CODE = 86_400;

function caseOf(aspect: Aspect, { 'token-failures': { cases } }: ProfileAnswers): ProfileOauthFailure {
  const found = TOKEN_CASES[aspect].cases.map((name) => cases[name]).find((one) => one !== undefined);
  if (found === undefined) throw new Error(`the profile has no case for ${aspect}`);
  return found;
}

function bodyFor(told: ProfileOauthFailure, { 'token-failures': all }: ProfileAnswers) {
  const shape = told.shape ?? all.shape;
  if (told.body === 'none') return bodyOfChoice({ body: 'none', contentType: told.contentType });
  return bodyOfChoice(
    {
      body: told.body ?? all.body,
      contentType: told.contentType ?? all.contentType,
      shape,
    },
    { error: 'string', error_description: 'string' },
  );
}

function isChallenged(aspect: Aspect, answers: ProfileAnswers): boolean {
  const told = caseOf(aspect, answers);
  const { challenge } = answers['token-failures'];
  return (
    told.challenged ?? (challenge === 'every-failure' || (challenge === 'status-401' && told.status === 401))
  );
}

function refusal(aspect: Aspect, answers: ProfileAnswers): AspectAnswer {
  const told = caseOf(aspect, answers);
  const { body, contentType } = bodyFor(told, answers);
  return {
    status: told.status,
    error: typeof body === 'object' && 'error' in body ? told.error : null,
    contentType,
    body,
    challenge: isChallenged(aspect, answers) ? answers['token-failures'].challengeScheme : null,
  };
}

function wording(aspect: Aspect, answers: ProfileAnswers): string | undefined {
  const told = caseOf(aspect, answers);
  const { body } = bodyFor(told, answers);
  const description = told.description.replace('{parameter}', TOKEN_CASES[aspect].parameter ?? 'parameter');
  if (body === 'text') return `${told.error}: ${description}`;
  return typeof body === 'object' && 'error_description' in body ? description : undefined;
}

function toldFirst(answers: ProfileAnswers): AspectAnswer {
  const said = (aspect: Aspect) => canonical([refusal(aspect, answers), wording(aspect, answers) ?? null]);
  if (said('refresh.unknown-token') === said('refresh.wrong-secret')) return null;
  return answers['token-failures'].refreshTokenBeforeClient ? 'token' : 'client';
}
