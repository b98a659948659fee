import {
  comparingIds,
  comparingSecrets,
  identifying,
  missingId,
  missingSecret,
} from '../at-token-endpoint.ts';
import type { Defects } from '../define-defect.ts';

export const clients: Defects = {
  'exchange-client-id-optional': {
    summary: 'A missing client_id is made up from the secret.',
    breaks: ['exchange.requires-client-id'],
    changes: identifying('authorization_code', missingId),
  },

  'exchange-client-id-unchecked': {
    summary: 'The secret alone tells the client, and the client_id may be anything.',
    breaks: ['exchange.client-id-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingIds('authorization_code', () => true),
  },

  'exchange-secret-optional': {
    summary: 'A client that sends no secret is taken for a public one and served.',
    breaks: ['exchange.requires-client-secret'],
    changes: identifying('authorization_code', missingSecret),
  },

  'exchange-secret-unchecked': {
    summary: 'There must be a secret, and any will do.',
    reference: 'bshaffer/oauth2-server-php#131',
    breaks: ['exchange.client-secret-checked', 'exchange.client-secret-of-other-application'],
    changes: comparingSecrets('authorization_code', () => true),
  },
  'exchange-secret-prefix': {
    summary: 'A secret is compared up to the length of what came.',
    severity: 'subtle',
    breaks: ['exchange.client-secret-checked'],
    changes: comparingSecrets('authorization_code', (sent, own) => own.startsWith(sent)),
  },
};
