import type { Policy, ReceivedAuthorizationRequest } from '../../policy.ts';
import { type Changes, changing, type Defects, type StatedDefect } from '../define-defect.ts';

export function lenient(matches: (asked: string, known: string) => boolean): Changes {
  return changing('authorize.redirectUri', (base) => (request, application) => {
    const asked = request.redirectUri;
    if (asked !== undefined && application.redirectUris.some((known) => matches(asked, known))) return asked;
    return base(request, application);
  });
}

export const UNAUTHORIZED: StatedDefect['breaks'] = [
  'authorize.redirect-uri-authorized',
  'authorize.bad-redirect-uri-not-followed',
];

/** Applies to addresses that are not authorized. */
export function tellingAddress(
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

export const redirectAddresses: Defects = {
  'authorize-redirect-unchecked': {
    summary: 'The code goes to any address that the request names.',
    reference: 'anomalyco/openauth#299',
    breaks: [...UNAUTHORIZED, 'authorize.redirect-uri-exact'],
    changes: lenient(() => true),
  },

  'authorize-redirect-query-ignored': {
    summary: 'An authorized address is accepted with any query.',
    breaks: ['authorize.redirect-uri-exact'],
    changes: lenient((asked, known) => asked.split('?')[0] === known.split('?')[0]),
  },

  'authorize-redirect-defaulted': {
    summary: 'A request without redirect_uri is sent to the address that was registered first.',
    breaks: ['authorize.redirect-uri-required'],
    changes: changing('authorize.redirectUri', (base) => (request, application) => {
      const [first] = application.redirectUris;
      return base(
        request.redirectUri === undefined && first !== undefined
          ? { ...request, redirectUri: first }
          : request,
        application,
      );
    }),
  },

  'authorize-error-to-unauthorized-address': {
    summary: 'The error about an unauthorized address goes to that address.',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: tellingAddress('invalid_request'),
  },
};
