import { withHeader } from '../answer.ts';
import { formatForm } from '../parameters.ts';
import type { Grant } from '../store/records.ts';
import { notKnowing } from './at-resource-api.ts';
import { changingFields, changingResponses, type TokenResponseOf } from './at-token-endpoint.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

const MOMENT = 1_800_000_000;

export function field(name: string, value: unknown, only?: TokenResponseOf): Changes {
  return changingFields(() => ({ [name]: value }), only);
}

export function header(name: string, value: string | undefined, only?: TokenResponseOf): Changes {
  return changingResponses((answer) => withHeader(answer, name, value), only);
}

export function kept(which: 'access' | 'refresh', everyNth: number): Changes {
  return changing('token.value', (base) => {
    const refreshes = new WeakMap<Grant, number>();
    return (kind, randomness, previous) => {
      const fresh = base(kind, randomness, previous);
      if (previous === undefined || kind !== which) return fresh;
      const nth = (refreshes.get(previous.grant) ?? 0) + 1;
      refreshes.set(previous.grant, nth);
      if (nth % everyNth !== 0) return fresh;
      return kind === 'access' ? previous.accessToken : previous.refreshToken;
    };
  });
}

export const defects: Defects = {
  'exchange-refresh-token-missing': {
    summary: 'An exchange yields an access token alone.',
    breaks: ['exchange.token-response'],
    changes: field('refresh_token', undefined, 'exchange'),
  },

  'exchange-response-form-encoded': {
    summary: 'The token response is form-encoded, as it was before OAuth 2.0 was done.',
    breaks: ['exchange.token-response', 'refresh.token-response', 'token.json-content-type'],
    changes: changingResponses((answer) => {
      const pairs = Object.entries(JSON.parse(answer.body) as object);
      return {
        ...withHeader(answer, 'Content-Type', 'application/x-www-form-urlencoded'),
        body: formatForm(pairs.map(([name, value]) => [name, String(value)])),
      };
    }),
  },

  'exchange-token-type-mac': {
    summary: 'The token type is another than the one the tokens are used as.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: field('token_type', 'mac'),
  },
  'exchange-token-type-missing': {
    summary: 'The token response has no token_type.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: field('token_type', undefined),
  },
  'exchange-token-type-capitalised': {
    summary: 'The token type begins with a capital, as the scheme of the header does.',
    severity: 'subtle',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: field('token_type', 'Bearer'),
  },

  'exchange-expires-in-string': {
    summary: 'The lifetime is a string of digits.',
    reference: 'justingreerbbi/wordpress-oauth-server#39',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', '7200'),
  },
  'exchange-expires-in-missing': {
    summary: 'The token response does not say how long the token lives.',
    reference: 'itsyouonline/identityserver#193',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', undefined),
  },
  'exchange-expires-in-3600': {
    summary: 'The lifetime in the response is half of the real one.',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', 3_600),
  },
  'exchange-expires-in-epoch': {
    summary: 'The lifetime is the moment of expiry, in seconds since the epoch.',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: field('expires_in', MOMENT),
  },
  'token-content-type-html': {
    summary: 'The token response is JSON and says that it is a page.',
    breaks: ['token.json-content-type'],
    changes: header('Content-Type', 'text/html; charset=utf-8'),
  },
  'token-cacheable': {
    summary: 'The token response says nothing of caches.',
    reference: 'pixelfed/pixelfed#6553',
    breaks: ['token.not-cacheable'],
    changes: header('Cache-Control', undefined),
  },

  'exchange-token-never-acts': {
    summary: 'The resource API does not know the access tokens of exchanges, only those of refreshes.',
    breaks: ['exchange.token-acts'],
    changes: notKnowing((pair) => !pair.refreshed),
  },

  'refresh-token-not-rotated': {
    summary: 'A refresh gives the refresh token back that was sent.',
    reference: 'navikt/mock-oauth2-server#638',
    breaks: ['refresh.new-refresh-token'],
    changes: kept('refresh', 1),
  },

  'refresh-access-token-kept': {
    summary: 'A refresh prolongs the access token and hands it out again.',
    breaks: ['refresh.new-access-token'],
    changes: kept('access', 1),
  },

  'refresh-new-token-dead': {
    summary: 'The resource API does not know the access tokens of refreshes.',
    breaks: ['refresh.new-token-acts'],
    changes: notKnowing((pair) => pair.refreshed),
  },
};
