import type { CodeExchange } from '../../policy.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

function lenient(same: (sent: string, asked: string, exchange: CodeExchange) => boolean): Changes {
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

function optional(absent: (sent: string | undefined) => boolean): Changes {
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
    severity: 'blunt',
    breaks: ['exchange.requires-redirect-uri'],
    changes: optional((sent) => !sent),
  },
  'exchange-redirect-uri-empty-accepted': {
    summary: 'An empty redirect_uri is not compared, a missing one is refused.',
    breaks: ['exchange.requires-redirect-uri'],
    changes: optional((sent) => sent === ''),
  },

  'exchange-redirect-uri-not-compared': {
    summary: 'There must be a redirect_uri, and any will do.',
    severity: 'blunt',
    reference: 'modelcontextprotocol/typescript-sdk#209',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.redirect-uri-exact',
    ],
    changes: lenient(() => true),
  },
  'exchange-redirect-uri-prefix': {
    summary: 'A redirect_uri that begins with the right one counts.',
    breaks: ['exchange.redirect-uri-same', 'exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.startsWith(asked)),
  },
  'exchange-redirect-uri-same-host': {
    summary: 'Any redirect_uri on the right host counts.',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.redirect-uri-exact',
    ],
    changes: lenient((sent, asked) => URL.parse(sent)?.host === new URL(asked).host),
  },
  'exchange-redirect-uri-case-ignored': {
    summary: 'A redirect_uri in another letter case counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.toLowerCase() === asked.toLowerCase()),
  },
  'exchange-redirect-uri-query-ignored': {
    summary: 'A redirect_uri with another query counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.split('?')[0] === asked.split('?')[0]),
  },
  'exchange-redirect-uri-slash-ignored': {
    summary: 'A redirect_uri with a slash added counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.replace(/\/$/, '') === asked),
  },
  'exchange-redirect-uri-fragment-ignored': {
    summary: 'A redirect_uri with a fragment added counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenient((sent, asked) => sent.split('#')[0] === asked),
  },
  'exchange-redirect-uri-any-authorized': {
    summary: 'Any redirect_uri that the application has authorized counts, whichever the code went to.',
    breaks: ['exchange.redirect-uri-same-among-authorized'],
    changes: lenient((sent, _, { application }) => application.redirectUris.includes(sent)),
  },
};
