import { responseType } from '../../../../src/emulator/defects/4-1-authorization-request.ts';
import {
  type Changes,
  changing,
  type Defects,
  whenever,
} from '../../../../src/emulator/defects/define-defect.ts';
import type { ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import type { ReceivedAuthorizationRequest } from '../../../../src/emulator/policy/policy.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import type { RegisteredApplication } from '../../../../src/emulator/store/records.ts';
import { firstOfEach, isRepeated } from '../at-token-endpoint.ts';

function lookup(
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

const KNOWN = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

function repeated(settle: (sent: ReceivedParameters) => ReceivedParameters): Changes {
  return changing('authorize.request', (base) => (sent) => base(settle(sent)));
}

export const parameters: Defects = {
  'authorize-client-missing-guessed': {
    summary: 'A request without client_id is taken for one of the application that has the redirect address.',
    breaks: ['authorize.client-id-known'],
    changes: lookup(({ clientId, redirectUri = '' }, applications) =>
      clientId === undefined
        ? applications.find(({ redirectUris }) => redirectUris.includes(redirectUri))
        : undefined,
    ),
  },

  'authorize-client-id-cut': {
    summary: "A client_id that goes on after the right one is cut to the column's length and found.",
    breaks: ['authorize.client-id-known'],
    changes: lookup(({ clientId = '' }, applications) =>
      applications.find((known) => clientId.startsWith(known.clientId)),
    ),
  },

  'authorize-response-type-defaulted': {
    summary: 'A request without response_type is taken for one that asks for a code.',
    breaks: ['authorize.response-type-required'],
    changes: responseType((value) => value === undefined),
  },

  'authorize-response-type-case-ignored': {
    summary: 'A response_type of CODE counts as code.',
    breaks: ['authorize.response-type-code-only'],
    changes: responseType((value) => value?.toLowerCase() === 'code'),
  },

  'authorize-hybrid-honoured': {
    summary: 'A response_type that names code beside something else yields a code.',
    breaks: ['authorize.response-type-code-only'],
    changes: responseType((value) => value?.split(' ').includes('code') === true),
  },

  'authorize-last-of-different-counts': {
    summary: 'Of two different values of a parameter the last counts; the same value twice is refused.',
    breaks: ['authorize.duplicate-parameter'],
    changes: repeated((sent) => (isRepeated(sent) ? sent : firstOfEach(sent.lastFirst()))),
  },

  'authorize-repeated-scope-tolerated': {
    summary: 'A repeated scope is tolerated, every other repeated parameter refused.',
    breaks: ['authorize.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent, (name) => name === 'scope')),
  },

  'authorize-needless-encoding-refused': {
    summary: 'Percent-encoded characters that need no encoding are lost.',
    breaks: ['authorize.redirects-with-code'],
    changes: changing('authorize.parameters', (base) => (query) => base(query.replace(/%(2D|2E|5F)/gi, ''))),
  },

  'authorize-first-of-repeated-counts': {
    summary: 'Of a parameter that comes twice the first value counts.',
    severity: 'blunt',
    breaks: ['authorize.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent)),
  },

  'authorize-last-of-repeated-counts': {
    summary: 'Of a parameter that comes twice the last value counts.',
    severity: 'blunt',
    breaks: ['authorize.duplicate-parameter'],
    changes: repeated((sent) => firstOfEach(sent.lastFirst())),
  },

  'authorize-response-type-unchecked': {
    summary: 'Any response_type, or none, yields a code.',
    severity: 'blunt',
    breaks: ['authorize.response-type-code-only', 'authorize.response-type-required'],
    changes: responseType(() => true),
  },

  'authorize-implicit-honoured': {
    summary: 'A response_type of token yields an access token in the fragment of the address.',
    severity: 'blunt',
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

  'authorize-client-unknown-accepted': {
    summary: 'An unknown client_id is taken for that of the first application.',
    severity: 'blunt',
    breaks: ['authorize.client-id-known'],
    changes: lookup((_, applications) => applications[0]),
  },

  'authorize-unknown-parameter-refused': {
    summary: 'A request with an unknown parameter is refused.',
    severity: 'blunt',
    breaks: ['authorize.unknown-parameter-ignored'],
    changes: changing('authorize.request', (base) => (sent) => {
      const unknown = sent.entries().find(([name]) => !KNOWN.includes(name));
      if (unknown === undefined) return base(sent);
      return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
    }),
  },
};
