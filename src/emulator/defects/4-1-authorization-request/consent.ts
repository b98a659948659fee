import { changing, type Defects } from '../define-defect.ts';

export const consent: Defects = {
  'authorize-consent-never-asked': {
    summary: 'The user is never asked, and a code goes out as soon as a user is signed in.',
    breaks: ['authorize.grant-needed'],
    changes: changing('authorize.consentNeeded', () => () => false),
  },

  'authorize-denial-grants': {
    summary: 'Whichever button the user presses, the client gets a code.',
    breaks: ['authorize.grant-needed', 'authorize.denial-redirects'],
    changes: changing(
      'authorize.decision',
      (base) => (submitted) => (base(submitted) === undefined ? undefined : 'grant'),
    ),
  },

  'authorize-denial-ends-on-page': {
    summary: 'A denial ends on a page of the service, and the client hears nothing.',
    breaks: ['authorize.denial-redirects', 'authorize.state-echoed-on-denial'],
    changes: changing(
      'answer.authorizeFailure',
      (base) => (refusal, request, redirectUri) =>
        base(refusal, request, refusal.refused === 'access-denied' ? undefined : redirectUri),
    ),
  },
};
