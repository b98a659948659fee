import type { CodeExchange } from '../../policy.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

export function lenient(same: (sent: string, asked: string, exchange: CodeExchange) => boolean): Changes {
  return changing(
    'code.check',
    (base) => (record, exchange, now) =>
      base(
        record,
        same(exchange.redirectUri, record.redirectUri, exchange)
          ? { ...exchange, redirectUri: record.redirectUri }
          : exchange,
        now,
      ),
  );
}

export function optional(absent: (sent: string | undefined) => boolean): Changes {
  return ({ client, code }) => ({
    client: {
      required: (parameters, name) =>
        name === 'redirect_uri' && absent(parameters.get(name)) ? '' : client.required(parameters, name),
    },
    code: {
      check: (record, exchange, now) =>
        code.check(record, { ...exchange, redirectUri: exchange.redirectUri || record.redirectUri }, now),
    },
  });
}

export const redirectUris: Defects = {
  'exchange-redirect-uri-optional': {
    summary: 'A missing redirect_uri is not missed.',
    breaks: ['exchange.requires-redirect-uri'],
    changes: optional((sent) => !sent),
  },

  'exchange-redirect-uri-not-compared': {
    summary: 'There must be a redirect_uri, and any will do.',
    reference: 'modelcontextprotocol/typescript-sdk#209',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.redirect-uri-exact',
    ],
    changes: lenient(() => true),
  },
  'exchange-redirect-uri-case-ignored': {
    summary: 'A redirect_uri in another letter case counts.',
    severity: 'subtle',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.toLowerCase() === asked.toLowerCase()),
  },
};
