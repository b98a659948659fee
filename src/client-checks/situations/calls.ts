import { LIST_REDIRECTED_TO } from '../evaluate/bait.ts';
import { addressOnLocalhost, UNKNOWN_PROJECT } from '../service.ts';
import type { Situations } from './script.ts';
import type { SharedParts } from './shared-parts.ts';
import { CLEAR, fault, KEPT, LASTS, OUTAGE, PAGE, redirectTo, refused, refusedAll } from './shared-parts.ts';
import type { SituationValues } from './situation-context.ts';

/** Calls that the service refuses, or answers oddly. */
export function calls({ throttled, byDate }: SharedParts, { authUrl, emptyProject }: SituationValues) {
  const redirected = redirectTo(addressOnLocalhost(authUrl, LIST_REDIRECTED_TO));
  return {
    'unauthorized-always': refusedAll({ kind: 'refusal', reason: 'token-revoked' }),
    forbidden: {
      ...refusedAll({ kind: 'refusal', reason: 'scope-insufficient' }),
      next: ['List.', 'call as kept'],
    },
    'call-429-seconds': { ...throttled(429), next: KEPT },
    'call-429-date': throttled(429, byDate),
    'call-503-seconds': { ...throttled(503), next: KEPT },
    'call-503-date': throttled(503, byDate),
    'call-stalled': { ...refused({ kind: 'stall' }, 'call as stalled'), next: ['List.', 'call as recover'] },
    'call-odd': {
      ...refused(
        PAGE,
        'call as odd-body',
        CLEAR,
        fault('list', { kind: 'truncate', ...LASTS }),
        'call as odd-body',
        CLEAR,
        fault('list', { kind: 'status', status: 404, ...OUTAGE, ...LASTS }),
        'call as odd',
        CLEAR,
        fault('list', { kind: 'reset', ...LASTS }),
        'call as odd',
        CLEAR,
        fault('assign', { kind: 'reset', ...LASTS }),
        fault('unassign', { kind: 'reset', ...LASTS }),
        'assign as odd',
        'unassign as odd',
      ),
      next: ['List.', 'call as recover'],
    },
    'call-redirected': refused(
      redirected,
      'call as redirected',
      fault('assign', redirected),
      'assign as redirected',
    ),
    'empty-answers': {
      act: [
        'With a profile whose assign answers 204: sign in, assign and unassign.',
        'be signed in',
        'change',
      ],
      service: {
        answers: {
          'operation-answers.assign.status': 204,
          'operation-answers.assign.content-type': null,
          'operation-answers.assign.body': 'none',
        },
      },
    },
    'unknown-project': {
      act: [
        `List the users of project ${UNKNOWN_PROJECT}. The call fails.`,
        // An application that lists at the sign-in shows the error there.
        'sign in as odd',
        'call as refused',
        'assign as refused',
        'call as kept',
      ],
      project: 'unknownProject',
    },
    'awkward-ids': {
      act: [
        'Assign and unassign the user `a+b c%`. List the project `roof?half#7`.',
        'be signed in',
        'name odd ids',
      ],
    },
    'list-empty': {
      act: [
        `List the users of project ${emptyProject}.`,
        'sign in',
        'call as tolerant',
        'call',
        'call',
        'call',
        'let time pass',
        'call as later',
        'renew a pair of a short life',
      ],
      project: 'emptyProject',
    },
    'list-long': {
      act: ['List a project to which your seed assigns 10,000 users.', 'sign in', 'call as tolerant'],
      project: 'longProject',
    },
  } satisfies Situations;
}
