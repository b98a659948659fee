import type { Defect } from '../../defect.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/**
 * An address that is judged when a code is to be sent, so that a denial goes anywhere.
 *
 * @param spares whether it is not judged even then, given whether the user was asked
 */
export function judgedLate(id: string, spares: (asked: boolean) => boolean, denies = true): Defect {
  return defect(id, ({ authorize, answer }) => {
    const unauthorized = new Set<string | undefined>();
    let asked = false;
    return {
      authorize: {
        redirectUri(request, application) {
          const judged = authorize.redirectUri(request, application);
          // What is authorized for one application is not for another.
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
  });
}

/** Faults by which the browser is sent to an address that is not authorized, if not with a code (RFC 6749 section 4.1.2.1). */
export const unfollowedAddresses: readonly Defect[] = [
  defect('authorize-error-to-unauthorized-address', ({ answer }) => ({
    answer: {
      authorizeFailure(refusal, request, redirectUri) {
        if (refusal.refused !== 'redirect-uri-unauthorized' || request.redirectUri === undefined)
          return answer.authorizeFailure(refusal, request, redirectUri);
        const parameters = [['error', 'invalid_request']] as const;
        return { ...answer.authorization({ redirectUri: request.redirectUri, parameters }), refusal };
      },
    },
  })),

  defect('authorize-error-redirected-before-address-check', ({ authorize, answer }) => ({
    answer: {
      authorizeFailure(refusal, request, redirectUri) {
        const wrong = authorize.responseType(request) ?? authorize.scopes(request);
        if (
          refusal.refused !== 'redirect-uri-unauthorized' ||
          request.redirectUri === undefined ||
          !isRefusal(wrong)
        )
          return answer.authorizeFailure(refusal, request, redirectUri);
        const parameters = [['error', 'invalid_scope']] as const;
        return { ...answer.authorization({ redirectUri: request.redirectUri, parameters }), refusal };
      },
    },
  })),

  judgedLate('authorize-denial-to-unauthorized-address', () => false),
];
