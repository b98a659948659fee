import { changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import { denyingWith } from '../redirecting.ts';

export const consent: Defects = {
  'authorize-consent-skipped-for-new-scopes': {
    summary: 'Who has granted one scope is not asked again when a client wants all three.',
    breaks: ['authorize.grant-needed'],
    changes: changing(
      'authorize.consentNeeded',
      (base) => (scopes, granted) =>
        !granted.some((grant) => grant.latest !== undefined) && base(scopes, granted),
    ),
  },

  'authorize-denial-remembered-as-consent': {
    summary: 'A denial is remembered as a decision, and the next request is granted without asking.',
    breaks: ['authorize.grant-needed'],
    changes: ({ authorize }) => {
      let denied = false;
      return {
        authorize: {
          consentNeeded: (scopes, granted) => !denied && authorize.consentNeeded(scopes, granted),
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
    summary: 'A denial comes back with its error and a code.',
    breaks: ['authorize.grant-needed'],
    changes: (policy) => {
      let latest = '';
      return {
        code: {
          value(randomness) {
            latest = policy.code.value(randomness);
            return latest;
          },
        },
        ...denyingWith(() => [
          ['error', 'access_denied'],
          ['code', latest],
        ])(policy),
      };
    },
  },

  'authorize-denial-without-error': {
    summary: 'A denial sends the browser back without a word of why.',
    breaks: ['authorize.denial-redirects'],
    changes: denyingWith(() => []),
  },

  'authorize-denial-other-error': {
    summary: 'A denial has the error of a client that may not ask.',
    breaks: ['authorize.denial-redirects'],
    changes: denyingWith(() => [['error', 'unauthorized_client']]),
  },

  'authorize-single-scope-never-asked': {
    summary: 'The user is not asked when a client wants the scope write alone.',
    breaks: ['authorize.grant-needed'],
    changes: changing(
      'authorize.consentNeeded',
      (base) => (scopes, granted) => String(scopes) !== 'write' && base(scopes, granted),
    ),
  },
};
