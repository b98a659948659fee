import {
  byId,
  comparingSecrets,
  identifying,
  missingSecret,
} from '../../../../src/emulator/defects/at-token-endpoint.ts';
import { type Defects, together, whenever } from '../../../../src/emulator/defects/define-defect.ts';
import {
  bySecret,
  comparingIds,
  identifyingEmpty,
  inAnyCase,
  missingId,
  secretOfAny,
  withTokenStatus,
} from '../at-token-endpoint.ts';

const HASHED_CHARACTERS = 24;

export const clients: Defects = {
  'exchange-client-id-empty-accepted': {
    summary: 'An empty client_id is made up from the secret, a missing one is refused.',
    breaks: ['exchange.requires-client-id'],
    changes: identifyingEmpty('authorization_code', 'client_id', bySecret),
  },
  'exchange-client-id-cut': {
    summary: "A client_id that goes on after the right one is cut to the column's length and found.",
    breaks: ['exchange.client-id-checked'],
    changes: comparingIds('authorization_code', (sent, own) => sent.startsWith(own)),
  },
  'exchange-secret-empty-accepted': {
    summary: 'An empty secret counts as the right one, a missing one is refused.',
    breaks: ['exchange.requires-client-secret'],
    changes: identifyingEmpty('authorization_code', 'client_secret', byId),
  },
  'exchange-secret-or-code-verifier': {
    summary:
      'A client that sends a code_verifier of its own needs no secret, although no code_challenge came before.',
    breaks: ['exchange.requires-client-secret'],
    changes: whenever(
      'client.credentials',
      (_, parameters) => Boolean(parameters.get('code_verifier')),
      identifying('authorization_code', missingSecret),
    ),
  },
  'exchange-secret-longer': {
    summary: 'A secret is compared up to the length of what is stored, and may go on.',
    breaks: ['exchange.client-secret-checked'],
    changes: comparingSecrets('authorization_code', (sent, own) => sent.startsWith(own)),
  },
  'exchange-secret-hash-cut': {
    summary: 'A secret is hashed by a function that reads only so many characters.',
    breaks: ['exchange.client-secret-checked'],
    changes: comparingSecrets(
      'authorization_code',
      (sent, own) => sent.slice(0, HASHED_CHARACTERS) === own.slice(0, HASHED_CHARACTERS),
    ),
  },
  'exchange-secret-case-ignored': {
    summary: 'A secret in another letter case counts.',
    breaks: ['exchange.client-secret-checked'],
    changes: comparingSecrets('authorization_code', inAnyCase),
  },
  'exchange-secret-of-any-application': {
    summary: 'The secret is looked for among those of all applications.',
    breaks: ['exchange.client-secret-of-other-application'],
    changes: identifying('authorization_code', secretOfAny),
  },
  'exchange-other-application-id-accepted': {
    summary: 'The id of another application does beside the right secret of this one.',
    breaks: ['exchange.client-secret-of-other-application'],
    changes: identifying(
      'authorization_code',
      (sent, applications) => byId(sent, applications) && bySecret(sent, applications),
    ),
  },
  'refresh-secret-of-any-application': {
    summary: 'In a refresh the secret of any application will do.',
    breaks: ['refresh.client-secret-checked'],
    changes: identifying('refresh_token', secretOfAny),
  },

  'exchange-secret-refused-with-tokens': {
    summary: 'A wrong secret is answered with status 401, and with tokens.',
    breaks: ['exchange.client-secret-checked', 'exchange.client-secret-of-other-application'],
    changes: whenever(
      'client.authenticate',
      ({ clientId = '', clientSecret }, applications) =>
        clientSecret !== undefined && applications.get(clientId)?.clientSecret !== clientSecret,
      together(
        comparingSecrets('authorization_code', () => true),
        withTokenStatus(401),
      ),
    ),
  },

  'exchange-client-id-optional': {
    summary: 'A missing client_id is made up from the secret.',
    severity: 'blunt',
    breaks: ['exchange.requires-client-id'],
    changes: identifying('authorization_code', missingId),
  },

  'exchange-client-id-unchecked': {
    summary: 'The secret alone tells the client, and the client_id may be anything.',
    severity: 'blunt',
    breaks: ['exchange.client-id-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingIds('authorization_code', () => true),
  },

  'exchange-secret-optional': {
    summary: 'A client that sends no secret is taken for a public one and served.',
    severity: 'blunt',
    breaks: ['exchange.requires-client-secret'],
    changes: identifying('authorization_code', missingSecret),
  },

  'exchange-secret-prefix': {
    summary: 'A secret is compared up to the length of what came.',
    breaks: ['exchange.client-secret-checked'],
    changes: comparingSecrets('authorization_code', (sent, own) => own.startsWith(sent)),
  },
};
