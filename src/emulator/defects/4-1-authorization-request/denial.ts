import { changing, type Defects } from '../define-defect.ts';

export const denial: Defects = {
  'authorize-denial-ends-on-page': {
    summary: 'A denial ends on a page of the service, and the client hears nothing.',
    severity: 'blunt',
    breaks: ['authorize.denial-redirects', 'authorize.state-echoed-on-denial'],
    changes: changing(
      'answer.authorizeFailure',
      (base) => (refusal, request, redirectUri) =>
        base(refusal, request, refusal.refused === 'access-denied' ? undefined : redirectUri),
    ),
  },

  'authorize-denial-without-error': {
    summary: 'A denial sends the browser back without a word of why.',
    breaks: ['authorize.denial-redirects'],
    changes: ({ answer }) => ({
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
    }),
  },

  'authorize-denial-other-error': {
    summary: 'A denial is told as a client that may not ask.',
    breaks: ['authorize.denial-redirects'],
    changes: ({ answer }) => ({
      answer: {
        authorizeFailure(refusal, request, redirectUri) {
          if (refusal.refused !== 'access-denied' || redirectUri === undefined)
            return answer.authorizeFailure(refusal, request, redirectUri);
          const { state } = request;
          const parameters = [['error', 'unauthorized_client']] as const;
          return answer.authorization({ redirectUri, parameters, state });
        },
      },
    }),
  },
};
