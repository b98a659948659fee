import {
  asForm,
  comparingSecrets,
  type GrantType,
  refreshingForAnybody,
} from '../../../../src/emulator/defects/at-token-endpoint.ts';
import {
  type Changes,
  changing,
  type Defects,
  whenever,
} from '../../../../src/emulator/defects/define-defect.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import type { HttpRequest } from '../../../../src/emulator/request.ts';
import {
  byFirstApplication,
  firstOfEach,
  isExchange,
  isRefresh,
  isRepeated,
  readingQuery,
  settling,
} from '../at-token-endpoint.ts';

const MEMORY = 20;

const reversed = ({ body }: HttpRequest) =>
  body.startsWith('redirect_uri=') || body.startsWith('grant_type=');
const withCharset = ({ contentType }: HttpRequest) => contentType.includes(';');

function refusing(refused: (request: HttpRequest) => boolean): Changes {
  return changing(
    'client.parameters',
    (base) => (request) =>
      request.method === 'POST' && refused(request)
        ? refuse('media-type-unsupported', 'a request in another spelling')
        : base(request),
  );
}

function unchecked(grantType: GrantType, spelled: (request: HttpRequest) => boolean): Changes {
  return whenever(
    'client.parameters',
    spelled,
    comparingSecrets(grantType, () => true),
  );
}

export const variants: Defects = {
  'exchange-order-demanded': {
    summary: 'The parameters of an exchange are read by position, in the order of a table.',
    breaks: ['exchange.form-encoded'],
    changes: refusing((request) => isExchange(request) && reversed(request)),
  },
  'exchange-charset-refused': {
    summary: 'An exchange whose content type names a charset is refused.',
    breaks: ['exchange.form-encoded'],
    changes: refusing((request) => isExchange(request) && withCharset(request)),
  },
  'exchange-small-hexadecimal-refused': {
    summary: 'An exchange percent-encoded in small letters is refused.',
    breaks: ['exchange.form-encoded'],
    changes: refusing((request) => isExchange(request) && /%[0-9][a-f]/.test(request.body)),
  },
  'refresh-charset-refused': {
    summary: 'A refresh whose content type names a charset is refused.',
    breaks: ['refresh.token-response'],
    changes: refusing((request) => isRefresh(request) && withCharset(request)),
  },
  'refresh-order-demanded': {
    summary: 'The parameters of a refresh are read by position, in the order of a table.',
    breaks: ['refresh.token-response'],
    changes: refusing((request) => isRefresh(request) && reversed(request)),
  },

  'token-without-accept-refused': {
    summary: 'A token request without the header Accept is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: refusing(({ accept }) => accept === ''),
  },
  'token-accept-list-refused': {
    summary: 'A token request whose header Accept names several types is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: refusing(({ accept = '' }) => accept.includes(',')),
  },
  'token-needless-encoding-refused': {
    summary: 'A token request that encodes characters which need no encoding is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: refusing(({ body }) => /%(?:2D|2E|5F|7E|2A)/i.test(body)),
  },

  'exchange-secret-unchecked-in-another-order': {
    summary: 'In an exchange whose parameters come in another order any secret will do.',
    breaks: ['exchange.client-secret-checked'],
    changes: unchecked('authorization_code', reversed),
  },
  'exchange-secret-unchecked-with-a-charset': {
    summary: 'In an exchange whose content type names a charset any secret will do.',
    breaks: ['exchange.client-secret-checked'],
    changes: unchecked('authorization_code', withCharset),
  },
  'refresh-secret-unchecked-with-a-charset': {
    summary: 'In a refresh whose content type names a charset any secret will do.',
    breaks: ['refresh.client-secret-checked'],
    changes: unchecked('refresh_token', withCharset),
  },

  'refresh-token-of-other-application-by-the-first': {
    summary: 'The first application may use the refresh tokens of all others.',
    breaks: ['refresh.bound-to-client'],
    changes: byFirstApplication(refreshingForAnybody),
  },

  'exchange-code-forgotten-after-seconds': {
    summary: 'That a code was used is remembered for some seconds, and the code is good for longer.',
    breaks: ['exchange.code-single-use'],
    changes: changing('code.redeem', (base) => (record, exchange, now) => {
      if (record.usedAt !== undefined && now - record.usedAt > MEMORY) record.usedAt = undefined;
      return base(record, exchange, now);
    }),
  },

  'exchange-same-request-alone-refused': {
    summary: 'A used code is refused to the same request, and honoured with the parameters in another order.',
    breaks: ['exchange.code-single-use'],
    changes: ({ client, code }) => {
      const used = new Map<string, string>();
      let body = '';
      return {
        client: {
          parameters(request) {
            body = request.body;
            return client.parameters(request);
          },
        },
        code: {
          redeem(record, exchange, now) {
            const before = used.get(record.value);
            used.set(record.value, body);
            // Imitates a proxy that recognizes requests by their bytes and ignores the order of parameters.
            const again = before !== undefined && before !== body && before.length === body.length;
            if (again && exchange.redirectUri === record.redirectUri) record.usedAt = undefined;
            return code.redeem(record, exchange, now);
          },
        },
      };
    },
  },

  'exchange-refresh-token-accepted-as-code': {
    summary: 'A refresh token counts as the latest code.',
    breaks: ['exchange.code-unknown-refused'],
    changes: ({ code, refresh, token }) => {
      const refreshTokens = new Set<string>();
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            if (kind === 'refresh') refreshTokens.add(value);
            return value;
          },
        },
        refresh,
        code: {
          find(value, codes) {
            const latest = [...codes.values()].reverse().find(({ usedAt }) => usedAt === undefined);
            return (refreshTokens.has(value) ? latest : undefined) ?? code.find(value, codes);
          },
        },
      };
    },
  },

  'token-get-refresh-honoured': {
    summary: 'The token endpoint answers a refresh by GET.',
    breaks: ['token.post-only'],
    changes: whenever(
      'client.parameters',
      (request) => request.method === 'GET' && isRefresh(asForm(request, request.query)),
      readingQuery,
    ),
  },

  'token-repeated-refresh-token-tolerated': {
    summary: 'A repeated refresh_token is tolerated, every other repeated parameter refused.',
    breaks: ['token.duplicate-parameter'],
    changes: settling((sent) => firstOfEach(sent, (name) => name === 'refresh_token'), isRefresh),
  },
  'token-last-of-different-refresh-tokens-counts': {
    summary: 'Of two different values of refresh_token the last counts; the same value twice is refused.',
    breaks: ['token.duplicate-parameter'],
    changes: settling(
      (sent) => (isRepeated(sent) ? sent : firstOfEach(sent.lastFirst(), (name) => name === 'refresh_token')),
      isRefresh,
    ),
  },
  'token-repeated-grant-type-of-a-refresh-tolerated': {
    summary: 'A refresh may say twice that it is one, with the same value.',
    breaks: ['token.duplicate-parameter'],
    changes: settling(
      (sent) => (isRepeated(sent) ? firstOfEach(sent, (name) => name === 'grant_type') : sent),
      isRefresh,
    ),
  },

  'refresh-unknown-parameter-refused': {
    summary: 'A refresh with an unknown parameter is refused.',
    breaks: ['token.unknown-parameter-ignored'],
    changes: refusing(
      (request) => isRefresh(request) && new URLSearchParams(request.body).has('unknown_parameter'),
    ),
  },
};
