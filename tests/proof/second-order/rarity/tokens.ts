import { changing } from '../../../../src/emulator/defects/define-defect.ts';
import { formatForm, ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import type { AuthorizationCode } from '../../../../src/emulator/store/records.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { everyNth } from '../tools/every-nth.ts';
import { noted } from '../tools/noted.ts';
import { dying, EXPIRED, fieldsDefect, isExpired, keepingRefreshToken } from '../tools/tokens.ts';

/** Seconds that a token lives which lost a digit of its lifetime. */
const A_TENTH = 720;

/** Faults of tokens that show in one of many requests. */
export const tokens: SecondOrderDefects = {
  'refresh-every-twelfth-keeps-refresh-token': {
    summary: 'Every 12th refresh answers with the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: keepingRefreshToken(() => everyNth(12)),
  },

  'token-every-eighth-expires-in-one-short': {
    summary: 'Every 8th token response has expires_in 7199.',
    breaks: ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
    changes: fieldsDefect(() => {
      const now = everyNth(8);
      return ({ expires_in }) => (now() ? { expires_in: expires_in - 1 } : {});
    }),
  },

  'token-type-every-twenty-fifth-capitalised': {
    summary: 'Every 25th token response has token_type `Bearer`.',
    breaks: ['exchange.token-type-bearer', 'refresh.token-type-bearer'],
    changes: fieldsDefect(() => {
      const now = everyNth(25);
      return () => (now() ? { token_type: 'Bearer' } : {});
    }),
  },

  'token-every-twenty-second-without-refresh-token': {
    summary: 'Every 22nd token response has no refresh_token.',
    breaks: ['exchange.token-response', 'refresh.token-response'],
    changes: fieldsDefect(() => {
      const now = everyNth(22);
      return () => (now() ? { refresh_token: undefined } : {});
    }),
  },

  'token-every-thirty-second-response-form-encoded': {
    summary: 'Every 32nd token response is form-encoded.',
    breaks: ['exchange.token-response', 'refresh.token-response'],
    changes: changing('answer.tokens', (base) => {
      const now = everyNth(32);
      return (issued) => {
        const whole = base(issued);
        if (!now()) return whole;
        const fields = Object.entries(JSON.parse(whole.body) as Record<string, unknown>);
        return { ...whole, body: formatForm(fields.map(([name, value]) => [name, String(value)])) };
      };
    }),
  },

  'lifetime-unchecked-every-fifth-time': {
    summary: 'Every 5th request with an expired access token is served.',
    breaks: ['lifetime.dead-after-7200', 'lifetime.refreshed-full'],
    changes: dying(() => {
      const now = everyNth(5);
      return (_pair, _now, dead) => (isExpired(dead) && now() ? undefined : dead);
    }),
  },

  'lifetime-over-every-fortieth-time': {
    summary: 'Every 40th request with a live access token is refused as if it had expired.',
    breaks: ['lifetime.alive-until-7200', 'lifetime.refreshed-full'],
    changes: dying(() => {
      const now = everyNth(40);
      return (_pair, _now, dead) => (dead === undefined && now() ? EXPIRED : dead);
    }),
  },

  'lifetime-of-every-twelfth-token-a-tenth': {
    summary: 'Every 12th access token dies after 720 s.',
    breaks: ['lifetime.alive-until-7200', 'lifetime.refreshed-full'],
    changes: noted(({ token }) => {
      const now = everyNth(12);
      const short = new Set<string>();
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            if (kind === 'access' && now()) short.add(value);
            return value;
          },
          check: (pair, time) =>
            short.has(pair.accessToken) && time >= pair.issuedAt + A_TENTH
              ? EXPIRED
              : token.check(pair, time),
        },
      };
    }),
  },

  'token-every-sixth-wrong-secret-accepted': {
    summary: 'Every 6th wrong secret is accepted.',
    breaks: [
      'exchange.client-secret-checked',
      'exchange.client-secret-of-other-application',
      'refresh.client-secret-checked',
    ],
    changes: changing('client.authenticate', (base) => {
      const now = everyNth(6);
      return (credentials, applications, grantType) => {
        const found = base(credentials, applications, grantType);
        if (!('refused' in found) || found.refused !== 'client-secret-wrong' || !now()) return found;
        return applications.get(credentials.clientId ?? '') ?? found;
      };
    }),
  },

  'refresh-token-every-tenth-with-lost-plus': {
    summary:
      'Every 10th refresh token holds a plus sign that the token endpoint reads as a space, so that it is refused.',
    breaks: ['refresh.token-response'],
    changes: ({ client, token }) => {
      const now = everyNth(10);
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            return kind === 'refresh' && now() ? `${value.slice(0, 8)}+${value.slice(8)}` : value;
          },
        },
        client: {
          async parameters(request) {
            const sent = await client.parameters(request);
            if (!(sent instanceof ReceivedParameters)) return sent;
            return new ReceivedParameters(
              sent
                .entries()
                .map(([name, value]) => [
                  name,
                  name === 'refresh_token' ? value.replaceAll('+', ' ') : value,
                ]),
            );
          },
        },
      };
    },
  },

  'refresh-every-fourteenth-repeats-access-token': {
    summary: 'Every 14th refresh answers with the access token of the refresh before it.',
    breaks: ['refresh.new-access-token'],
    changes: noted(
      changing('token.value', (base) => {
        const now = everyNth(14);
        let latest: string | undefined;
        return (kind, randomness, previous) => {
          if (kind === 'refresh' || previous === undefined) return base(kind, randomness, previous);
          const repeated = now() ? latest : undefined;
          latest = repeated ?? base(kind, randomness, previous);
          return latest;
        };
      }),
    ),
  },

  'exchange-every-tenth-code-twice': {
    summary: 'Every 10th code can be exchanged twice.',
    breaks: ['exchange.code-single-use'],
    changes: ({ code }) => {
      const now = everyNth(10);
      const lucky = new Set<string>();
      return {
        code: {
          value(randomness) {
            const value = code.value(randomness);
            if (now()) lucky.add(value);
            return value;
          },
          redeem: (record, exchange, time) =>
            record.usedAt !== undefined && lucky.delete(record.value)
              ? undefined
              : code.redeem(record, exchange, time),
        },
      };
    },
  },

  'exchange-every-seventeenth-leaves-code': {
    summary: 'Every 17th exchange leaves its code as if it had not been used.',
    breaks: ['exchange.code-single-use'],
    changes: changing('code.redeem', (base) => {
      const now = everyNth(17);
      return async (record: AuthorizationCode, exchange, time) => {
        const refused = await base(record, exchange, time);
        if (refused === undefined && now()) record.usedAt = undefined;
        return refused;
      };
    }),
  },

  'exchange-every-eleventh-address-uncompared': {
    summary: 'Every 11th exchange does not compare the redirect_uri.',
    breaks: ['exchange.redirect-uri-same', 'exchange.redirect-uri-same-among-authorized'],
    changes: changing('code.check', (base) => {
      const now = everyNth(11);
      return (record, exchange, time) =>
        base(record, now() ? { ...exchange, redirectUri: record.redirectUri } : exchange, time);
    }),
  },
};
