import type { ReceivedParameters } from '../../parameters.ts';
import type { ReceivedAuthorizationRequest } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { firstOfEach } from '../at-token-endpoint.ts';
import { type Changes, changing, type Defects, whenever } from '../define-defect.ts';

const KNOWN = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

export function lookup(
  find: (
    request: ReceivedAuthorizationRequest,
    applications: readonly RegisteredApplication[],
  ) => RegisteredApplication | undefined,
): Changes {
  return changing(
    'authorize.application',
    (base) =>
      (request: ReceivedAuthorizationRequest, applications: ReadonlyMap<string, RegisteredApplication>) => {
        const known = base(request, applications);
        if (!('refused' in known)) return known;
        return find(request, [...applications.values()]) ?? known;
      },
  );
}

export function responseType(accepts: (value: string | undefined) => boolean): Changes {
  return changing(
    'authorize.responseType',
    (base) => (request) => (accepts(request.responseType) ? undefined : base(request)),
  );
}

export function repeated(settle: (sent: ReceivedParameters) => ReceivedParameters): Changes {
  return changing('authorize.request', (base) => (sent) => base(settle(sent)));
}

export const parameters: Defects = {
  'authorize-client-unknown-accepted': {
    summary: 'An unknown client_id is taken for that of the first application.',
    breaks: ['authorize.client-id-known'],
    changes: lookup((_, applications) => applications[0]),
  },

  'authorize-response-type-unchecked': {
    summary: 'Any response_type, or none, yields a code.',
    breaks: ['authorize.response-type-code-only', 'authorize.response-type-required'],
    changes: responseType(() => true),
  },

  'authorize-implicit-honoured': {
    summary: 'A response_type of token yields an access token in the fragment of the address.',
    breaks: ['authorize.response-type-code-only'],
    changes: whenever(
      'authorize.responseType',
      ({ responseType }) => responseType === 'token',
      ({ answer }) => ({
        authorize: { responseType: () => undefined },
        answer: {
          authorization(outcome) {
            const [, value = ''] = outcome.parameters[0] ?? [];
            const redirectUri = `${outcome.redirectUri}#access_token=${value}&token_type=bearer`;
            return { ...answer.authorization(outcome), headers: [['Location', redirectUri]] };
          },
        },
      }),
    ),
  },

  'authorize-first-of-repeated-counts': {
    summary: 'Of a parameter that comes twice the first value counts.',
    breaks: ['authorize.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent)),
  },

  'authorize-last-of-repeated-counts': {
    summary: 'Of a parameter that comes twice the last value counts.',
    breaks: ['authorize.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent.lastFirst())),
  },

  'authorize-unknown-parameter-refused': {
    summary: 'A request with an unknown parameter is refused.',
    breaks: ['authorize.unknown-parameter-ignored'],
    changes: changing('authorize.request', (base) => (sent) => {
      const unknown = sent.entries().find(([name]) => !KNOWN.includes(name));
      if (unknown === undefined) return base(sent);
      return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
    }),
  },
};
