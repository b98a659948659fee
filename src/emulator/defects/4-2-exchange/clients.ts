import {
  bySecret,
  comparingIds,
  identifying,
  identifyingEmpty,
  inAnyCase,
  upToNul,
} from '../authenticating.ts';
import type { Defects } from '../define-defect.ts';

export const clients: Defects = {
  'exchange-client-id-optional': {
    summary: 'A missing client_id is made up from the secret.',
    severity: 'blunt',
    breaks: ['exchange.requires-client-id'],
    changes: identifying('authorization_code', (sent, applications) =>
      sent.clientId === undefined ? bySecret(sent, applications) : undefined,
    ),
  },
  'exchange-client-id-empty-accepted': {
    summary: 'An empty client_id is made up from the secret, a missing one is refused.',
    breaks: ['exchange.requires-client-id'],
    changes: identifyingEmpty('authorization_code', 'client_id', bySecret),
  },

  'exchange-client-id-unchecked': {
    summary: 'The secret alone tells the client, and the client_id may be anything.',
    severity: 'blunt',
    breaks: ['exchange.client-id-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingIds('authorization_code', () => true),
  },
  'exchange-client-id-case-ignored': {
    summary: 'A client_id in another letter case is found, as some databases compare text.',
    breaks: ['exchange.client-id-checked'],
    changes: comparingIds('authorization_code', inAnyCase),
  },
  'exchange-client-id-cut': {
    summary: "A client_id that goes on after the right one is cut to the column's length and found.",
    breaks: ['exchange.client-id-checked'],
    changes: comparingIds('authorization_code', (sent, own) => sent.startsWith(own)),
  },
  'exchange-client-id-nul-cut': {
    summary: 'A client_id is read up to the first NUL.',
    breaks: ['exchange.client-id-checked'],
    changes: comparingIds('authorization_code', upToNul),
  },
};
