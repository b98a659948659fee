import type { Defect } from '../../defect.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

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

  defect('authorize-denial-to-unauthorized-address', ({ authorize, answer }) => {
    const unauthorized = new Set<string>();
    return {
      authorize: {
        redirectUri(request, application) {
          const judged = authorize.redirectUri(request, application);
          if (!isRefusal(judged) || request.redirectUri === undefined) return judged;
          unauthorized.add(request.redirectUri);
          return request.redirectUri;
        },
      },
      answer: {
        authorization(outcome) {
          if (!unauthorized.has(outcome.redirectUri)) return answer.authorization(outcome);
          const refusal = refuse('redirect-uri-unauthorized', 'noticed when the code was to be sent');
          return answer.authorizeFailure(refusal, {}, undefined);
        },
        authorizeFailure: (refusal, request, redirectUri) =>
          answer.authorizeFailure(
            refusal,
            request,
            redirectUri !== undefined && unauthorized.has(redirectUri) && refusal.refused !== 'access-denied'
              ? undefined
              : redirectUri,
          ),
      },
    };
  }),
];
