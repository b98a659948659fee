import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';

/** Faults in telling the client that the user denied (RFC 6749 section 4.1.2.1). */
export const denial: readonly Defect[] = [
  defect('authorize-denial-ends-on-page', ({ answer }) => ({
    answer: {
      authorizeFailure: (refusal, request, redirectUri) =>
        answer.authorizeFailure(
          refusal,
          request,
          refusal.refused === 'access-denied' ? undefined : redirectUri,
        ),
    },
  })),

  defect('authorize-denial-without-error', ({ answer }) => ({
    answer: {
      authorizeFailure(refusal, request, redirectUri) {
        if (refusal.refused !== 'access-denied' || redirectUri === undefined)
          return answer.authorizeFailure(refusal, request, redirectUri);
        const { state } = request;
        return answer.authorization({
          redirectUri,
          parameters: [],
          state,
        });
      },
    },
  })),

  defect('authorize-denial-other-error', ({ answer }) => ({
    answer: {
      authorizeFailure(refusal, request, redirectUri) {
        if (refusal.refused !== 'access-denied' || redirectUri === undefined)
          return answer.authorizeFailure(refusal, request, redirectUri);
        const { state } = request;
        const parameters = [['error', 'unauthorized_client']] as const;
        return answer.authorization({ redirectUri, parameters, state });
      },
    },
  })),
];
