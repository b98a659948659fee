import {
  byId,
  comparingSecrets,
  identifying,
  missingSecret,
} from '../../../../src/emulator/defects/at-token-endpoint.ts';
import {
  changing,
  type Defects,
  together,
  whenever,
} from '../../../../src/emulator/defects/define-defect.ts';
import { bySecret, comparingIds, identifyingEmpty, inAnyCase, missingId } from '../at-token-endpoint.ts';

const EIGHT = 8;

export const clients: Defects = {
  'refresh-client-id-empty-accepted': {
    summary: 'An empty client_id counts as the one to which the secret belongs.',
    breaks: ['refresh.requires-client-id'],
    changes: identifyingEmpty('refresh_token', 'client_id', bySecret),
  },
  'refresh-secret-empty-accepted': {
    summary: 'An empty secret passes where none at all does not.',
    breaks: ['refresh.requires-client-secret'],
    changes: identifyingEmpty('refresh_token', 'client_secret', byId),
  },
  'refresh-client-id-cut-short': {
    summary: 'The id of a refreshing client is compared as far as it was sent.',
    breaks: ['refresh.client-id-checked'],
    changes: comparingIds('refresh_token', (sent, own) => own.startsWith(sent)),
  },

  'refresh-secret-compared-as-far-as-sent': {
    summary: 'The secret of a refreshing client is compared as far as it was sent.',
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets('refresh_token', (sent, own) => own.startsWith(sent)),
  },
  'refresh-secret-unchecked-for-refreshed-tokens': {
    summary: 'Any secret is accepted with the refresh token of a refresh.',
    breaks: ['refresh.client-secret-checked'],
    changes: (base) => {
      const refreshed = new Set<string>();
      const noting = changing('token.value', (value) => (kind, randomness, previous) => {
        const token = value(kind, randomness, previous);
        if (kind === 'refresh' && previous !== undefined) refreshed.add(token);
        return token;
      });
      const lenient = whenever(
        'client.credentials',
        (_, parameters) => refreshed.has(parameters.get('refresh_token') ?? ''),
        comparingSecrets('refresh_token', () => true),
      );
      return together(noting, lenient)(base);
    },
  },
  'refresh-secret-eight-characters': {
    summary: 'Eight characters of the secret of a refreshing client are compared, as old password hashes do.',
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets('refresh_token', (sent, own) => sent.slice(0, EIGHT) === own.slice(0, EIGHT)),
  },
  'refresh-secret-in-any-case': {
    summary: 'The secret of a refreshing client is compared without regard to letter case.',
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets('refresh_token', inAnyCase),
  },

  'refresh-client-id-optional': {
    summary: 'A refreshing client is known by its secret where it sends no id.',
    severity: 'blunt',
    breaks: ['refresh.requires-client-id'],
    changes: identifying('refresh_token', missingId),
  },

  'refresh-client-id-unchecked': {
    summary: 'The secret of a refreshing client is looked up and its id is not compared.',
    severity: 'blunt',
    breaks: ['refresh.client-id-checked', 'refresh.client-secret-checked'],
    changes: comparingIds('refresh_token', () => true),
  },

  'refresh-secret-optional': {
    summary: 'A refreshing client that sends no secret is taken for a public one.',
    severity: 'blunt',
    breaks: ['refresh.requires-client-secret'],
    changes: identifying('refresh_token', missingSecret),
  },
};
