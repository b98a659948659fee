import type { Policy, ReceivedAuthorizationRequest } from '../../policy.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Changes, Defects } from '../define-defect.ts';

export function judgedLate(spares: (asked: boolean) => boolean, denies = true): Changes {
  return ({ authorize, answer }) => {
    const unauthorized = new Set<string | undefined>();
    let asked = false;
    return {
      authorize: {
        redirectUri(request, application) {
          const judged = authorize.redirectUri(request, application);
          // An address authorized for one application is not authorized for another.
          if (!isRefusal(judged)) unauthorized.delete(judged);
          if (!isRefusal(judged) || request.redirectUri === undefined) return judged;
          unauthorized.add(request.redirectUri);
          return request.redirectUri;
        },
        consentNeeded(question, granted) {
          asked = authorize.consentNeeded(question, granted);
          return asked;
        },
      },
      answer: {
        authorization(outcome) {
          if (!unauthorized.has(outcome.redirectUri) || spares(asked)) return answer.authorization(outcome);
          const refusal = refuse('redirect-uri-unauthorized', 'noticed when the code was to be sent');
          return answer.authorizeFailure(refusal, {}, undefined);
        },
        authorizeFailure(refusal, request, redirectUri) {
          const follows = !unauthorized.has(redirectUri) || (denies && refusal.refused === 'access-denied');
          return answer.authorizeFailure(refusal, request, follows ? redirectUri : undefined);
        },
      },
    };
  };
}

/** Applies to addresses that are not authorized. */
function tellingAddress(
  error: string,
  tells: (policy: Policy, request: ReceivedAuthorizationRequest) => boolean = () => true,
): Changes {
  return (policy) => ({
    answer: {
      authorizeFailure(refusal, request, authorized) {
        const { redirectUri } = request;
        const { answer } = policy;
        if (refusal.refused !== 'redirect-uri-unauthorized' || !redirectUri || !tells(policy, request))
          return answer.authorizeFailure(refusal, request, authorized);
        return { ...answer.authorization({ redirectUri, parameters: [['error', error]] }), refusal };
      },
    },
  });
}

export const unfollowedAddresses: Defects = {
  'authorize-error-to-unauthorized-address': {
    summary: 'That the address is not authorized is told to that very address.',
    severity: 'blunt',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: tellingAddress('invalid_request'),
  },

  'authorize-error-redirected-before-address-check': {
    summary:
      'Response type and scope are judged before the address is, and their errors go to an address not yet judged.',
    reference: 'doorkeeper-gem/doorkeeper#1816',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: tellingAddress('invalid_scope', ({ authorize }, request) =>
      isRefusal(authorize.responseType(request) ?? authorize.scopes(request)),
    ),
  },

  'authorize-denial-to-unauthorized-address': {
    summary: 'The address is judged when a code is to be sent, so that a denial goes to any address.',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: judgedLate(() => false),
  },
};
