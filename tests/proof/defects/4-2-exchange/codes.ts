import { takenOver } from '../../../../src/emulator/defects/4-2-exchange.ts';
import { type Changes, changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import type { ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import { isRefusal } from '../../../../src/emulator/refusal.ts';
import { byFirstApplication, sharedAtOnce } from '../at-token-endpoint.ts';

function lookup(resembles: (sent: string, issued: string) => boolean): Changes {
  return changing('code.find', (base) => (value, codes) => {
    const found = base(value, codes);
    if (!isRefusal(found)) return found;
    const fresh = [...codes.values()].reverse().filter((record) => record.usedAt === undefined);
    return fresh.find((record) => resembles(value, record.value)) ?? found;
  });
}

function codeOptional(absent: (parameters: ReceivedParameters) => boolean): Changes {
  return ({ client, code }) => {
    let latest: string | undefined;
    return {
      code: {
        value(randomness) {
          latest = code.value(randomness);
          return latest;
        },
        redeem(record, exchange, now) {
          if (record.value === latest) latest = undefined;
          return code.redeem(record, exchange, now);
        },
      },
      client: {
        required: (parameters, name) =>
          name === 'code' && latest !== undefined && absent(parameters)
            ? latest
            : client.required(parameters, name),
      },
    };
  };
}

export const codes: Defects = {
  'exchange-at-once-shared': {
    summary: 'Exchanges that are under way at once get the answer to the first.',
    breaks: ['scope.granted-scopes-act'],
    changes: sharedAtOnce('exchange'),
  },

  'exchange-code-empty-accepted': {
    summary: 'In place of an empty code the latest one counts, a missing one is refused.',
    breaks: ['exchange.requires-code'],
    changes: codeOptional((parameters) => parameters.get('code') === ''),
  },
  'exchange-code-cut-accepted': {
    summary: 'The beginning of a code is enough.',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup((sent, issued) => issued.startsWith(sent)),
  },
  'exchange-code-longer-accepted': {
    summary: 'A code may go on after its end.',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup((sent, issued) => sent.startsWith(issued)),
  },
  'exchange-code-case-ignored': {
    summary: 'A code in another letter case is found, as some databases compare text.',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup((sent, issued) => sent.toLowerCase() === issued.toLowerCase()),
  },
  'exchange-code-last-character-ignored': {
    summary: 'The last character of a code does not count.',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup((sent, issued) => sent.slice(0, -1) === issued.slice(0, -1)),
  },

  'exchange-code-of-any-client-at-own-address': {
    summary: 'Another client can exchange a code when it names a redirect address of its own.',
    reference: 'thephpleague/oauth2-server#363',
    breaks: ['exchange.code-bound-to-client'],
    changes: changing('code.check', (base) => (record, exchange, now) => {
      const { clientId, redirectUris } = exchange.application;
      if (!redirectUris.includes(exchange.redirectUri)) return base(record, exchange, now);
      return base(
        takenOver(record, clientId),
        record.grant.clientId === clientId ? exchange : { ...exchange, redirectUri: record.redirectUri },
        now,
      );
    }),
  },

  'exchange-code-of-other-application-by-the-first': {
    summary: 'The first application may exchange the codes of all others.',
    breaks: ['exchange.code-bound-to-client'],
    changes: byFirstApplication(
      changing('code.check', (base) => (record, exchange, now) => {
        const { clientId } = exchange.application;
        if (record.grant.clientId === clientId) return base(record, exchange, now);
        return base(takenOver(record, clientId), { ...exchange, redirectUri: record.redirectUri }, now);
      }),
    ),
  },

  'exchange-code-optional': {
    summary: 'In place of a missing code the latest one counts.',
    severity: 'blunt',
    breaks: ['exchange.requires-code'],
    changes: codeOptional((parameters) => !parameters.get('code')),
  },

  'exchange-code-unknown-accepted': {
    summary: 'A code that was never issued counts as the latest one.',
    severity: 'blunt',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup(() => true),
  },
};
