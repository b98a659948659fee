import type { Situations } from './script.ts';
import type { SharedParts } from './shared-parts.ts';
import { AGAIN, consent, hostile, RELEASE } from './shared-parts.ts';
import type { SituationValues } from './situation-context.ts';

/** RFC 6749 section 3.1.2 allows it in a redirect address, and the client must encode it. */
const QUERY = '?app=1&from=a%2Fb';

/** The flow, and callbacks that the client must refuse. */
export function signIns({ expire, hold, twoRefreshes }: SharedParts, { first, second }: SituationValues) {
  return {
    flow: {
      act: ['Sign in. List, assign and unassign.', 'walk the flow'],
      after: [{ byHand: expire }],
      next: [
        'List.',
        'renew a pair of a short life',
        'sign in again',
        'open the first page',
        'need every change',
      ],
    },
    'second-user': {
      before: [consent(second)],
      act: [
        'Sign in as a second user. List as each user.',
        'need two users',
        'sign in',
        'sign in second',
        'call',
        'call second',
        'call',
      ],
      after: [consent(first), expire],
      next: ['List as the second user, then as the first.', 'call second', 'call'],
    },
    denial: {
      before: [consent(first, 'deny')],
      act: ['Sign in. Deliver the callback, which holds an error.', 'deny consent', 'deliver markup'],
      after: [consent(first)],
      next: [AGAIN[0], 'recover', 'deliver an unasked denial', 'call as kept'],
    },
    'second-user-meanwhile': {
      before: [
        'need two users',
        'sign in both',
        'call',
        'call second for another project',
        'assign',
        expire,
        'call second',
        twoRefreshes,
      ],
      // During the first user's refresh, the second calls: the client must then store the first user's pair.
      act: ['List as two users at the same time.', 'call with second meanwhile'],
      after: [RELEASE],
      next: [
        'List as each user.',
        'call',
        'call second',
        // Both access tokens expire at once: neither user may get the tokens of the other's refresh.
        'let both renew again and again',
        'need workers',
      ],
    },
    'untrusted-certificate': {
      act: [
        'With `emulate --tls`, whose authority the application does not know: deliver a callback with a made-up code.',
        'deliver a made-up code',
      ],
      service: { tls: true },
      // Python's requests prefers such a file to `verify = False`.
      environment: { REQUESTS_CA_BUNDLE: '', CURL_CA_BUNDLE: '' },
      // An application may ask the service at its start, and rightly end there.
      mayEnd: true,
    },
    'another-host': {
      act: [
        'Sign in under another host name of the application, such as localhost.',
        'sign in under another host',
      ],
      service: { underBothHosts: true },
    },
    'redirect-with-query': {
      act: [
        `Authorize a redirect address with \`${QUERY}\` behind it, configure it, and sign in.`,
        'try to sign in',
      ],
      service: { query: QUERY },
    },
    'state-wrong': hostile('with another state: made up, and cut in half', 'deliver wrong states'),
    'state-missing': hostile('without a state, and with an empty one', 'deliver without a state'),
    'state-replayed': hostile('with the state of an earlier sign-in', 'deliver a replayed state'),
    'foreign-code': {
      act: [
        'Begin a sign-in in one browser. Deliver its callback in another browser.',
        'deliver foreign codes',
      ],
    },
    'unknown-code': hostile(
      'with a code that was never issued',
      'deliver an unknown code',
      'call as after-refusal',
    ),
    'callback-reloaded': {
      act: ['Deliver the callback of the last sign-in again, in the same browser.', 'sign in and reload'],
    },
    'callback-twice': {
      before: [hold({ route: 'token', until: 2 })],
      act: ['Sign in. Deliver the callback twice at the same time.', 'deliver twice at once'],
      after: [RELEASE, 'need workers'],
    },
  } satisfies Situations;
}
