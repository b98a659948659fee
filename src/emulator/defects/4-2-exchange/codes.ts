import type { Defect } from '../../defect.ts';
import type { ReceivedParameters } from '../../parameters.ts';
import type { AuthorizationCode } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** A code that counts as another one that was issued and is not used yet. */
function lookup(id: string, resembles: (sent: string, issued: string) => boolean): Defect {
  return defect(id, ({ code }) => ({
    code: {
      find(value, codes) {
        const found = code.find(value, codes);
        if (!isRefusal(found)) return found;
        const fresh = [...codes.values()].reverse().filter((record) => record.usedAt === undefined);
        return fresh.find((record) => resembles(value, record.value)) ?? found;
      },
    },
  }));
}

/** A missing code in whose place the latest counts, while it is not used. */
function optional(id: string, absent: (parameters: ReceivedParameters) => boolean): Defect {
  return defect(id, ({ client, code }) => {
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
  });
}

/** The code as if it were the asking client's own. */
function takenOver(record: AuthorizationCode, clientId: string): AuthorizationCode {
  return { ...record, grant: { ...record.grant, clientId } };
}

/** Faults in telling whether a code is good (clause 4.2, RFC 6749 section 4.1.3). */
export const codes: readonly Defect[] = [
  optional('exchange-code-optional', (parameters) => !parameters.get('code')),
  optional('exchange-code-empty-accepted', (parameters) => parameters.get('code') === ''),

  lookup('exchange-code-unknown-accepted', () => true),
  lookup('exchange-code-cut-accepted', (sent, issued) => issued.startsWith(sent)),
  lookup('exchange-code-longer-accepted', (sent, issued) => sent.startsWith(issued)),
  lookup('exchange-code-case-ignored', (sent, issued) => sent.toLowerCase() === issued.toLowerCase()),
  lookup('exchange-code-last-character-ignored', (sent, issued) => sent.slice(0, -1) === issued.slice(0, -1)),

  defect('exchange-code-of-any-client', ({ code }) => ({
    code: {
      check: (record, exchange, now) =>
        code.check(takenOver(record, exchange.application.clientId), exchange, now),
    },
  })),

  defect('exchange-code-of-any-client-at-own-address', ({ code }) => ({
    code: {
      check(record, exchange, now) {
        const { clientId, redirectUris } = exchange.application;
        if (!redirectUris.includes(exchange.redirectUri)) return code.check(record, exchange, now);
        return code.check(
          takenOver(record, clientId),
          record.grant.clientId === clientId ? exchange : { ...exchange, redirectUri: record.redirectUri },
          now,
        );
      },
    },
  })),
];
