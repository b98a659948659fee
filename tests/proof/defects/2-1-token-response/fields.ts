import { field, header } from '../../../../src/emulator/defects/2-1-token-response.ts';
import {
  changingFields,
  changingResponses,
  type TokenResponseOf,
} from '../../../../src/emulator/defects/at-token-endpoint.ts';
import { type Changes, type Defects, whenever } from '../../../../src/emulator/defects/define-defect.ts';
import { afterFirstRefresh } from '../at-resource-api.ts';
import { firstOf } from '../at-token-endpoint.ts';

const MILLISECONDS = 1_000;

/** Sends a member twice, the wrong one first: most parsers take the last, some the first. */
function twice(member: string, value: unknown, only: TokenResponseOf): Changes {
  const wrong = `{${JSON.stringify(member)}:${JSON.stringify(value)},`;
  return changingResponses((answer) => ({ ...answer, body: answer.body.replace('{', wrong) }), only);
}

export const fields: Defects = {
  'exchange-refresh-token-empty': {
    summary: 'The refresh_token of an exchange is an empty string.',
    breaks: ['exchange.token-response'],
    changes: field('refresh_token', '', 'exchange'),
  },

  'exchange-refresh-token-first-grant-only': {
    summary:
      'Only the first exchange for a user and a client yields a refresh token; later ones count on its being kept.',
    breaks: ['exchange.token-response'],
    changes: (policy) => {
      const granted = new Set<string>();
      let again = false;
      return {
        token: {
          scopes(code, exchange) {
            const who = `${code.grant.ownerId} ${code.grant.clientId}`;
            again = granted.has(who);
            granted.add(who);
            return policy.token.scopes(code, exchange);
          },
        },
        ...changingFields(() => (again ? { refresh_token: undefined } : {}), 'exchange')(policy),
      };
    },
  },

  'exchange-refresh-token-for-writers-only': {
    summary: 'A client that was granted reading alone gets no refresh token.',
    breaks: ['exchange.token-response'],
    changes: changingFields(
      (_, { scopes }) => (scopes.includes('write') ? {} : { refresh_token: undefined }),
      'exchange',
    ),
  },

  'exchange-response-in-envelope': {
    summary: 'The token response is wrapped into an object of the API framework.',
    breaks: ['exchange.token-response', 'refresh.token-response'],
    changes: changingResponses((answer) => ({ ...answer, body: `{"token":${answer.body}}` })),
  },
  'exchange-token-type-upper-case': {
    summary: 'The token type of an exchange is the name of a constant, in capitals.',
    breaks: ['exchange.token-type-bearer'],
    changes: field('token_type', 'BEARER', 'exchange'),
  },
  'refresh-token-type-capitalised': {
    summary: 'The code that refreshes writes the token type otherwise than the code that exchanges.',
    breaks: ['refresh.token-type-bearer'],
    changes: field('token_type', 'Bearer', 'refresh'),
  },
  'exchange-expires-in-one-short': {
    summary: 'The lifetime of an exchange is what is left after the time it took to answer.',
    breaks: ['exchange.expires-in-7200'],
    changes: field('expires_in', 7_199, 'exchange'),
  },
  'exchange-expires-in-counts-from-code': {
    summary: 'The lifetime of an exchange is what is left of 7200 seconds since the code was issued.',
    breaks: ['exchange.expires-in-7200'],
    changes: (policy) => {
      let since = 0;
      return {
        code: {
          redeem(code, exchange, now) {
            since = code.issuedAt;
            return policy.code.redeem(code, exchange, now);
          },
        },
        ...changingFields(
          ({ expires_in }, { issuedAt }) => ({ expires_in: expires_in - Math.floor(issuedAt - since) }),
          'exchange',
        )(policy),
      };
    },
  },
  'exchange-expires-in-milliseconds': {
    summary: 'The lifetime counts milliseconds.',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: changingFields(({ expires_in }) => ({ expires_in: expires_in * MILLISECONDS })),
  },

  'refresh-expires-in-decimal': {
    summary:
      'The lifetime of a refresh is a floating-point number, which typed clients refuse to read as an integer.',
    reference: 'spring-attic/spring-authorization-server#186',
    breaks: ['refresh.expires-in-7200'],
    changes: changingResponses(
      (answer) => ({ ...answer, body: answer.body.replace(/("expires_in":\s*\d+)/, '$1.0') }),
      'refresh',
    ),
  },

  'exchange-access-token-twice': {
    summary: 'The response to an exchange has two members access_token.',
    breaks: ['exchange.token-response'],
    changes: twice('access_token', 'of-another-grant', 'exchange'),
  },
  'refresh-refresh-token-twice': {
    summary: 'The response to a refresh has two members refresh_token.',
    breaks: ['refresh.token-response'],
    changes: twice('refresh_token', 'of-another-grant', 'refresh'),
  },
  'exchange-expires-in-twice': {
    summary: 'The response to an exchange tells two lifetimes.',
    breaks: ['exchange.expires-in-7200'],
    changes: twice('expires_in', 3_600, 'exchange'),
  },
  'refresh-token-type-twice': {
    summary: 'The response to a refresh tells two token types.',
    breaks: ['refresh.token-type-bearer'],
    changes: twice('token_type', 'mac', 'refresh'),
  },
  'token-content-type-text-on-refresh': {
    summary: 'The response to a refresh, unlike that to an exchange, says that it is plain text.',
    breaks: ['token.json-content-type'],
    changes: header('Content-Type', 'text/plain; charset=utf-8', 'refresh'),
  },
  'token-cacheable-on-refresh': {
    summary: 'The response to a refresh may be kept for as long as the token lives.',
    breaks: ['token.not-cacheable'],
    changes: header('Cache-Control', 'private, max-age=7200', 'refresh'),
  },

  'expires-in-other-for-one-scope': {
    summary: 'The response gives a lifetime of 3600 seconds if a single scope was granted.',
    breaks: ['exchange.expires-in-7200'],
    changes: changingFields((_, { scopes }) => (scopes.length === 1 ? { expires_in: 3_600 } : {})),
  },

  'token-type-other-for-second-application': {
    summary: 'The token type is Bearer for all applications but the first.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: whenever(
      'client.authenticate',
      ({ clientId }, applications) => clientId !== firstOf(applications)?.clientId,
      field('token_type', 'Bearer'),
    ),
  },

  'refresh-second-lifetime-halved': {
    summary: 'The second refresh of a grant tells half of the lifetime.',
    breaks: ['refresh.expires-in-7200'],
    changes: afterFirstRefresh((policy, isLater) =>
      changingFields(({ expires_in }, { accessToken }) =>
        isLater(accessToken) ? { expires_in: expires_in / 2 } : {},
      )(policy),
    ),
  },

  'refresh-expires-in-string': {
    summary: 'The lifetime is a number after an exchange and a string after a refresh.',
    breaks: ['refresh.expires-in-7200'],
    changes: field('expires_in', '7200', 'refresh'),
  },
};
