import type { AspectOf } from '../../../generated/ids.ts';
import type { AspectAnswer, AspectId } from '../aspects.ts';
import type { ProfileAnswers, ProfileResourceFailure } from '../profile.ts';
import { SCOPE_SETS, suffices } from '../scope-sets.ts';
import { isWording } from '../wording.ts';
import { bodyOfChoice, holdsText } from './bodies.ts';

type Seen = readonly (readonly [AspectId, AspectAnswer])[];
type Case = keyof ProfileAnswers['resource-failures']['cases'];
type Aspect = Exclude<AspectOf<'resource-failures'>, 'realm' | 'wording'>;

/** The case of a profile behind each aspect of open point 5. */
export const RESOURCE_CASES: Readonly<Record<Aspect, Case>> = {
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

/** Open point 5, and the list without a version, as they are seen of a service that answers so. */
export function resourceFailuresExpected(answers: ProfileAnswers): Seen {
  const { cases, realm } = answers['resource-failures'];
  const shown = (Object.entries(RESOURCE_CASES) as [Aspect, Case][]).filter(([aspect]) =>
    isShown(aspect, answers),
  );
  const challenged = shown.some(([, reason]) => cases[reason].challenge !== undefined);
  return [
    ...(Object.keys(RESOURCE_CASES) as Aspect[]).map((aspect): Seen[number] => [
      `resource-failures.${aspect}`,
      isShown(aspect, answers) ? failureExpected(cases[RESOURCE_CASES[aspect]], answers) : null,
    ]),
    ['resource-failures.realm', challenged ? realm : null],
    [
      'resource-failures.wording',
      Object.fromEntries(
        shown.flatMap(([aspect, reason]) => {
          const told = wordingOf(cases[reason], answers);
          return isWording(told) ? [[aspect, told]] : [];
        }),
      ),
    ],
    ['other-methods.without-version', failureExpected(cases['path-unknown'], answers)],
  ];
}

/** Some failures show only where other answers let them. */
function isShown(aspect: Aspect, answers: ProfileAnswers): boolean {
  const { oldAccessToken, oldRefreshToken, reuse, beforeExpiry } = answers['refresh-fate'];
  switch (aspect) {
    case 'user-not-assigned':
      return answers['operation-answers'].unassignNotAssigned === 'refused';
    case 'insufficient-scope':
      return scopesShow(answers);
    case 'revoked-token':
      return (
        answers.neighbours.revoke === 'served' ||
        answers['failed-exchange'].replayRevokes ||
        (beforeExpiry === 'allowed' && oldAccessToken !== 'never') ||
        (reuse === 'revokes-the-grant' && oldRefreshToken !== 'never')
      );
    default:
      return true;
  }
}

/** Whether some scopes forbid something, so that a token shows which it has. */
export function scopesShow(answers: ProfileAnswers): boolean {
  return Object.values(answers['scope-per-operation']).some((smallest) =>
    SCOPE_SETS.some((set) => !suffices(set, smallest)),
  );
}

function bodyFor(failure: ProfileResourceFailure, { 'resource-failures': all }: ProfileAnswers) {
  const own = failure.body !== undefined;
  const contentType = failure.contentType ?? (own ? undefined : all.contentType);
  const shape = failure.shape ?? (own ? undefined : all.shape);
  return bodyOfChoice({
    body: failure.body ?? all.body,
    contentType,
    shape,
  });
}

function failureExpected(failure: ProfileResourceFailure, answers: ProfileAnswers): AspectAnswer {
  const { status, challenge } = failure;
  const words = challenge === undefined ? null : `Bearer ${challenge}`.trim();
  return { status, ...bodyFor(failure, answers), challenge: words };
}

function wordingOf(failure: ProfileResourceFailure, answers: ProfileAnswers): string | undefined {
  if (failure.challenge) return failure.description;
  const { body } = bodyFor(failure, answers);
  return body === 'text' || holdsText(body) ? failure.description : undefined;
}
