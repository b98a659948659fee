import type { ReceivedParameters } from '../../parameters.ts';
import type { AuthorizationCode } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

export function lookup(resembles: (sent: string, issued: string) => boolean): Changes {
  return changing('code.find', (base) => (value, codes) => {
    const found = base(value, codes);
    if (!isRefusal(found)) return found;
    const fresh = [...codes.values()].reverse().filter((record) => record.usedAt === undefined);
    return fresh.find((record) => resembles(value, record.value)) ?? found;
  });
}

export function optional(absent: (parameters: ReceivedParameters) => boolean): Changes {
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

export function takenOver(record: AuthorizationCode, clientId: string): AuthorizationCode {
  return { ...record, grant: { ...record.grant, clientId } };
}

export const codes: Defects = {
  'exchange-code-optional': {
    summary: 'In place of a missing code the latest one counts.',
    breaks: ['exchange.requires-code'],
    changes: optional((parameters) => !parameters.get('code')),
  },

  'exchange-code-unknown-accepted': {
    summary: 'A code that was never issued counts as the latest one.',
    breaks: ['exchange.code-unknown-refused'],
    changes: lookup(() => true),
  },

  'exchange-code-of-any-client': {
    summary: 'Any client that authenticates can exchange any code.',
    reference: 'zitadel/oidc#902',
    breaks: ['exchange.code-bound-to-client'],
    changes: changing(
      'code.check',
      (base) => (record, exchange, now) =>
        base(takenOver(record, exchange.application.clientId), exchange, now),
    ),
  },
};
