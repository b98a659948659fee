import { byId, comparingIds, identifying, missingId, missingSecret } from '../at-token-endpoint.ts';
import type { Defects } from '../define-defect.ts';

export const clients: Defects = {
  'refresh-client-id-optional': {
    summary: 'A refreshing client is known by its secret where it sends no id.',
    breaks: ['refresh.requires-client-id'],
    changes: identifying('refresh_token', missingId),
  },

  'refresh-secret-unchecked': {
    summary: 'A refreshing client needs no secret, and a wrong one does no harm.',
    reference: 'rancher/rancher#54401',
    breaks: ['refresh.requires-client-secret', 'refresh.client-secret-checked'],
    changes: identifying('refresh_token', byId),
  },
  'refresh-secret-optional': {
    summary: 'A refreshing client that sends no secret is taken for a public one.',
    breaks: ['refresh.requires-client-secret'],
    changes: identifying('refresh_token', missingSecret),
  },

  'refresh-client-id-unchecked': {
    summary: 'The secret of a refreshing client is looked up and its id is not compared.',
    breaks: ['refresh.client-id-checked', 'refresh.client-secret-checked'],
    changes: comparingIds('refresh_token', () => true),
  },
};
