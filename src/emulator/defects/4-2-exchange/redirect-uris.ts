import type { Defect } from '../../defect.ts';
import type { CodeExchange } from '../../policy.ts';
import { defect } from '../define-defect.ts';

/** An address that counts as that of the authorization request without being it. */
function lenient(id: string, same: (sent: string, asked: string, exchange: CodeExchange) => boolean): Defect {
  return defect(id, ({ code }) => ({
    code: {
      check: (record, exchange, now) =>
        code.check(
          record,
          same(exchange.redirectUri, record.redirectUri, exchange)
            ? { ...exchange, redirectUri: record.redirectUri }
            : exchange,
          now,
        ),
    },
  }));
}

/** A missing address that does no harm. */
function optional(id: string, absent: (sent: string | undefined) => boolean): Defect {
  return defect(id, ({ client, code }) => ({
    client: {
      required: (parameters, name) =>
        name === 'redirect_uri' && absent(parameters.get(name)) ? '' : client.required(parameters, name),
    },
    code: {
      check: (record, exchange, now) =>
        code.check(record, { ...exchange, redirectUri: exchange.redirectUri || record.redirectUri }, now),
    },
  }));
}

/** Faults in comparing the address with that of the authorization request (clause 4.2). */
export const redirectUris: readonly Defect[] = [
  optional('exchange-redirect-uri-optional', (sent) => !sent),
  optional('exchange-redirect-uri-empty-accepted', (sent) => sent === ''),

  lenient('exchange-redirect-uri-not-compared', () => true),
  lenient('exchange-redirect-uri-prefix', (sent, asked) => sent.startsWith(asked)),
  lenient('exchange-redirect-uri-same-host', (sent, asked) => URL.parse(sent)?.host === new URL(asked).host),
  lenient('exchange-redirect-uri-case-ignored', (sent, asked) => sent.toLowerCase() === asked.toLowerCase()),
  lenient('exchange-redirect-uri-query-ignored', (sent, asked) => sent.split('?')[0] === asked.split('?')[0]),
  lenient('exchange-redirect-uri-slash-ignored', (sent, asked) => sent.replace(/\/$/, '') === asked),
  lenient('exchange-redirect-uri-fragment-ignored', (sent, asked) => sent.split('#')[0] === asked),
  lenient('exchange-redirect-uri-any-authorized', (sent, _, { application }) =>
    application.redirectUris.includes(sent),
  ),
];
