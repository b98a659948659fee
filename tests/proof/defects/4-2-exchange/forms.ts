import {
  changing,
  type Defects,
  together,
  whenever,
} from '../../../../src/emulator/defects/define-defect.ts';
import { isRefusal, refuse } from '../../../../src/emulator/refusal.ts';
import {
  acceptingGrantType,
  firstOfEach,
  isRepeated,
  readingQuery,
  settling,
  withTokenStatus,
} from '../at-token-endpoint.ts';

const KNOWN = [
  'client_id',
  'client_secret',
  'code',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'scope',
  'code_verifier',
];

export const forms: Defects = {
  'exchange-code-not-yet-known': {
    summary:
      'A code is not known when it is first asked for, because the server that issued it is ahead of this one.',
    reference: 'DuendeArchive/Support#635',
    breaks: ['exchange.form-encoded'],
    changes: changing('code.find', (base) => {
      const asked = new Set<string>();
      return (value, codes) => {
        if (asked.has(value)) return base(value, codes);
        asked.add(value);
        return refuse('code-unknown', 'the code has not reached this server yet');
      };
    }),
  },

  'exchange-once-per-owner': {
    summary: 'Who has tokens of a client already gets no further ones by a code.',
    breaks: ['exchange.form-encoded'],
    changes: changing('code.redeem', (base) => {
      const served = new Set<string>();
      return async (record, exchange, now) => {
        const key = `${record.grant.ownerId} ${record.grant.clientId}`;
        if (served.has(key)) return refuse('code-unknown', 'the owner has tokens of this client already');
        const refused = await base(record, exchange, now);
        if (refused === undefined) served.add(key);
        return refused;
      };
    }),
  },

  'exchange-newest-code-of-owner-alone': {
    summary: 'Codes are stored by owner alone, so that a new code for any application ends the previous one.',
    breaks: ['exchange.form-encoded'],
    changes: changing('code.find', (base) => (value, codes) => {
      const found = base(value, codes);
      if (isRefusal(found) || found.usedAt !== undefined) return found;
      const replaced = [...codes.values()].some(
        ({ grant, ordinal }) => grant.ownerId === found.grant.ownerId && ordinal > found.ordinal,
      );
      return replaced ? refuse('code-unknown', 'the owner has a newer code') : found;
    }),
  },
  'exchange-grant-type-case-ignored': {
    summary: 'A grant_type in another letter case counts.',
    breaks: ['exchange.grant-type-checked'],
    changes: acceptingGrantType('code', (value = '') => value.toLowerCase() === 'authorization_code'),
  },

  'token-get-refused-with-tokens': {
    summary: 'A GET is answered with status 405, and with tokens.',
    breaks: ['token.post-only'],
    changes: whenever(
      'client.parameters',
      ({ method }) => method === 'GET',
      together(readingQuery, withTokenStatus(405)),
    ),
  },
  'token-first-of-different-counts': {
    summary:
      'Of two different values of a parameter in a token request the first counts; the same value twice is refused.',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => (isRepeated(sent) ? sent : firstOfEach(sent))),
  },
  'token-last-of-different-counts': {
    summary:
      'Of two different values of a parameter in a token request the last counts; the same value twice is refused.',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => (isRepeated(sent) ? sent : firstOfEach(sent.lastFirst()))),
  },
  'token-repeated-code-tolerated': {
    summary: 'A repeated code is tolerated, every other repeated parameter refused.',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => firstOfEach(sent, (name) => name === 'code')),
  },

  'exchange-grant-type-guessed': {
    summary: 'A request with a code and no grant_type is taken for an exchange.',
    severity: 'blunt',
    breaks: ['exchange.requires-grant-type'],
    changes: acceptingGrantType('code', (value = '') => value === ''),
  },

  'exchange-grant-type-unchecked': {
    summary: 'A request with a code is an exchange, whatever its grant_type says.',
    severity: 'blunt',
    breaks: ['exchange.grant-type-checked'],
    changes: acceptingGrantType('code', (value = '') => value !== ''),
  },

  'token-get-honoured': {
    summary: 'The token endpoint answers a GET, with secret and code in the address.',
    severity: 'blunt',
    breaks: ['token.post-only'],
    changes: whenever('client.parameters', ({ method }) => method === 'GET', readingQuery),
  },

  'token-first-of-repeated-counts': {
    summary: 'Of a parameter that comes twice in a token request the first value counts.',
    severity: 'blunt',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => firstOfEach(sent)),
  },

  'token-last-of-repeated-counts': {
    summary: 'Of a parameter that comes twice in a token request the last value counts.',
    severity: 'blunt',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => firstOfEach(sent.lastFirst())),
  },

  'token-unknown-parameter-refused': {
    summary: 'A token request with an unknown parameter is refused.',
    severity: 'blunt',
    breaks: ['token.unknown-parameter-ignored'],
    changes: changing('client.parameters', (base) => async (request) => {
      const parameters = await base(request);
      if (parameters === 'other-method' || isRefusal(parameters)) return parameters;
      const unknown = parameters.entries().find(([name]) => !KNOWN.includes(name));
      if (unknown === undefined || parameters.get('grant_type') === undefined) return parameters;
      return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
    }),
  },
};
