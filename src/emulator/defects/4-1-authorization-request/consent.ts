import { changing, type Defects } from '../define-defect.ts';

export const consent: Defects = {
  'authorize-consent-never-asked': {
    summary: 'The user is never asked, and a code goes out as soon as a user is signed in.',
    severity: 'blunt',
    breaks: ['authorize.grant-needed'],
    changes: changing('authorize.consentNeeded', () => () => false),
  },

  'authorize-denial-grants': {
    summary: 'Whichever button the user presses, the client gets a code.',
    severity: 'blunt',
    breaks: ['authorize.grant-needed', 'authorize.denial-redirects'],
    changes: changing(
      'authorize.decision',
      (base) => (submitted) => (base(submitted) === undefined ? undefined : 'grant'),
    ),
  },

  'authorize-consent-skipped-for-new-scopes': {
    summary: 'Who has granted one scope is not asked again when a client wants all three.',
    breaks: ['authorize.grant-needed'],
    changes: changing(
      'authorize.consentNeeded',
      (base) => (question, granted) =>
        !granted.some((grant) => grant.latest !== undefined) && base(question, granted),
    ),
  },

  'authorize-denial-remembered-as-consent': {
    summary: 'A denial is remembered as a decision, and the next request is granted without asking.',
    breaks: ['authorize.grant-needed'],
    changes: ({ authorize }) => {
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
    },
  },

  'authorize-denial-carries-code': {
    summary: 'A denial comes back with its error, and with a code beside it.',
    breaks: ['authorize.grant-needed'],
    changes: ({ answer, code }) => {
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
    },
  },
};
