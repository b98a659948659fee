import { withHeader } from '../../answer.ts';
import { formatForm } from '../../parameters.ts';
import { afterFirstRefresh } from '../at-resource-api.ts';
import { changingFields, changingResponses, firstOf, type TokenResponseOf } from '../at-token-endpoint.ts';
import { type Changes, type Defects, whenever } from '../define-defect.ts';

const MILLISECONDS = 1_000;

const MOMENT = 1_800_000_000;

function field(name: string, value: unknown, only?: TokenResponseOf): Changes {
  return changingFields(() => ({ [name]: value }), only);
}

/** Sends a member twice, the wrong one first: most parsers take the last, some the first. */
function twice(member: string, value: unknown, only: TokenResponseOf): Changes {
  const wrong = `{${JSON.stringify(member)}:${JSON.stringify(value)},`;
  return changingResponses((answer) => ({ ...answer, body: answer.body.replace('{', wrong) }), only);
}

function header(name: string, value: string | undefined, only?: TokenResponseOf): Changes {
  return changingResponses((answer) => withHeader(answer, name, value), only);
}

export const fields: Defects = {
  'exchange-refresh-token-missing': {
    summary: 'An exchange yields an access token alone.',
    severity: 'blunt',
    breaks: ['exchange.token-response'],
    changes: field('refresh_token', undefined, 'exchange'),
  },
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

  'exchange-response-form-encoded': {
    summary: 'The token response is form-encoded, as it was before OAuth 2.0 was done.',
    severity: 'blunt',
    breaks: ['exchange.token-response', 'refresh.token-response', 'token.json-content-type'],
    changes: changingResponses((answer) => {
      const pairs = Object.entries(JSON.parse(answer.body) as object);
      return {
        ...withHeader(answer, 'Content-Type', 'application/x-www-form-urlencoded'),
        body: formatForm(pairs.map(([name, value]) => [name, String(value)])),
      };
    }),
  },

  'exchange-response-in-envelope': {
    summary: 'The token response is wrapped into an object of the API framework.',
    breaks: ['exchange.token-response', 'refresh.token-response'],
    changes: changingResponses((answer) => ({ ...answer, body: `{"token":${answer.body}}` })),
  },

  'exchange-token-type-mac': {
    summary: 'The token type is another than the one the tokens are used as.',
    severity: 'blunt',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: field('token_type', 'mac'),
  },
  'exchange-token-type-missing': {
    summary: 'The token response has no token_type.',
    severity: 'blunt',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: field('token_type', undefined),
  },
  'exchange-token-type-capitalised': {
    summary: 'The token type begins with a capital, as the scheme of the header does.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: field('token_type', 'Bearer'),
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

  'exchange-expires-in-string': {
    summary: 'The lifetime is a string of digits.',
    severity: 'blunt',
    reference: 'justingreerbbi/wordpress-oauth-server#39',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', '7200'),
  },
  'exchange-expires-in-missing': {
    summary: 'The token response does not say how long the token lives.',
    severity: 'blunt',
    reference: 'itsyouonline/identityserver#193',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', undefined),
  },
  'exchange-expires-in-3600': {
    summary: 'The lifetime in the response is half of the real one.',
    severity: 'blunt',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', 3_600),
  },
  'exchange-expires-in-epoch': {
    summary: 'The lifetime is the moment of expiry, in seconds since the epoch.',
    severity: 'blunt',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', MOMENT),
  },
  'exchange-expires-in-one-short': {
    summary: 'The lifetime of an exchange is what is left after the time it took to answer.',
    breaks: ['exchange.expires-in-7200'],
    changes: field('expires_in', 7_199, 'exchange'),
  },
  'refresh-expires-in-string': {
    summary: 'The lifetime is a number after an exchange and a string after a refresh.',
    breaks: ['refresh.expires-in-7200'],
    changes: field('expires_in', '7200', 'refresh'),
  },
  'exchange-expires-in-milliseconds': {
    summary: 'The lifetime counts milliseconds.',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: changingFields(({ expires_in }) => ({ expires_in: expires_in * MILLISECONDS })),
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

  'token-content-type-html': {
    summary: 'The token response is JSON and says that it is a page.',
    severity: 'blunt',
    breaks: ['token.json-content-type'],
    changes: header('Content-Type', 'text/html; charset=utf-8'),
  },
  'token-content-type-text-on-refresh': {
    summary: 'The response to a refresh, unlike that to an exchange, says that it is plain text.',
    breaks: ['token.json-content-type'],
    changes: header('Content-Type', 'text/plain; charset=utf-8', 'refresh'),
  },
  'token-cacheable': {
    summary: 'The token response says nothing of caches.',
    severity: 'blunt',
    reference: 'pixelfed/pixelfed#6553',
    breaks: ['token.not-cacheable'],
    changes: header('Cache-Control', undefined),
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
};
