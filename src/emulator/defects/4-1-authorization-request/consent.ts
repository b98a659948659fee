import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';

/** Faults in asking the user (clauses 4.1 and 2.2): whose word is not taken. */
export const consent: readonly Defect[] = [
  defect('authorize-consent-never-asked', () => ({ authorize: { consentNeeded: () => false } })),

  defect('authorize-denial-grants', ({ authorize }) => ({
    authorize: {
      decision: (submitted) => (authorize.decision(submitted) === undefined ? undefined : 'grant'),
    },
  })),

  defect('authorize-consent-skipped-for-new-scopes', ({ authorize }) => ({
    authorize: {
      consentNeeded: (question, granted) =>
        !granted.some((grant) => grant.latest !== undefined) && authorize.consentNeeded(question, granted),
    },
  })),

  defect('authorize-denial-remembered-as-consent', ({ authorize }) => {
    let denied = false;
    return {
      authorize: {
        consentNeeded: (question, granted) => !denied && authorize.consentNeeded(question, granted),
        decision(submitted) {
          const decision = authorize.decision(submitted);
          denied ||= decision === 'deny';
          return decision;
        },
      },
    };
  }),

  defect('authorize-denial-carries-code', ({ answer, code }) => {
    let latest = '';
    return {
      code: {
        value(randomness) {
          latest = code.value(randomness);
          return latest;
        },
      },
      answer: {
        authorizeFailure(refusal, request, redirectUri) {
          if (refusal.refused !== 'access-denied' || redirectUri === undefined)
            return answer.authorizeFailure(refusal, request, redirectUri);
          const { state } = request;
          const parameters = [
            ['error', 'access_denied'],
            ['code', latest],
          ] as const;
          return answer.authorization({ redirectUri, parameters, state });
        },
      },
    };
  }),
];
