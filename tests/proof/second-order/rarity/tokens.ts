import type { Defect } from '../../../../src/emulator/defect.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import { formatForm, ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import type { AuthorizationCode } from '../../../../src/emulator/records.ts';
import { everyNth } from '../tools/every-nth.ts';
import { noted } from '../tools/noted.ts';
import { dying, EXPIRED, fieldsDefect, isExpired, keepingRefreshToken } from '../tools/tokens.ts';

/** Seconds that a token lives which lost a digit of its lifetime. */
const A_TENTH = 720;

/** Faults of tokens that show in one of many requests. */
export const tokens: readonly Defect[] = [
  keepingRefreshToken('refresh-every-twelfth-keeps-refresh-token', () => everyNth(12)),

  fieldsDefect('token-every-eighth-expires-in-one-short', () => {
    const now = everyNth(8);
    return ({ expires_in }) => (now() ? { expires_in: expires_in - 1 } : {});
  }),

  fieldsDefect('token-type-every-twenty-fifth-capitalised', () => {
    const now = everyNth(25);
    return () => (now() ? { token_type: 'Bearer' } : {});
  }),

  fieldsDefect('token-every-twenty-second-without-refresh-token', () => {
    const now = everyNth(22);
    return () => (now() ? { refresh_token: undefined } : {});
  }),

  defect('token-every-thirty-second-response-form-encoded', ({ answer }) => {
    const now = everyNth(32);
    return {
      answer: {
        tokens(issued) {
          const whole = answer.tokens(issued);
          if (!now()) return whole;
          const fields = Object.entries(JSON.parse(whole.body) as Record<string, unknown>);
          return { ...whole, body: formatForm(fields.map(([name, value]) => [name, String(value)])) };
        },
      },
    };
  }),

  dying('lifetime-unchecked-every-fifth-time', () => {
    const now = everyNth(5);
    return (_pair, _now, dead) => (isExpired(dead) && now() ? undefined : dead);
  }),

  dying('lifetime-over-every-fortieth-time', () => {
    const now = everyNth(40);
    return (_pair, _now, dead) => (dead === undefined && now() ? EXPIRED : dead);
  }),

  noted('lifetime-of-every-twelfth-token-a-tenth', ({ token }) => {
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
          short.has(pair.accessToken) && time >= pair.issuedAt + A_TENTH ? EXPIRED : token.check(pair, time),
      },
    };
  }),

  defect('token-every-sixth-wrong-secret-accepted', ({ client }) => {
    const now = everyNth(6);
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          const found = client.authenticate(credentials, applications, grantType);
          if (!('refused' in found) || found.refused !== 'client-secret-wrong' || !now()) return found;
          return applications.get(credentials.clientId ?? '') ?? found;
        },
      },
    };
  }),

  defect('refresh-token-every-tenth-with-lost-plus', ({ client, token }) => {
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
              .map(([name, value]) => [name, name === 'refresh_token' ? value.replaceAll('+', ' ') : value]),
          );
        },
      },
    };
  }),

  noted('refresh-every-fourteenth-repeats-access-token', ({ token }) => {
    const now = everyNth(14);
    let latest: string | undefined;
    return {
      token: {
        value(kind, randomness, previous) {
          if (kind === 'refresh' || previous === undefined) return token.value(kind, randomness, previous);
          const repeated = now() ? latest : undefined;
          latest = repeated ?? token.value(kind, randomness, previous);
          return latest;
        },
      },
    };
  }),

  defect('exchange-every-tenth-code-twice', ({ code }) => {
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
  }),

  defect('exchange-every-seventeenth-leaves-code', ({ code }) => {
    const now = everyNth(17);
    return {
      code: {
        async redeem(record: AuthorizationCode, exchange, time) {
          const refused = await code.redeem(record, exchange, time);
          if (refused === undefined && now()) record.usedAt = undefined;
          return refused;
        },
      },
    };
  }),

  defect('exchange-every-eleventh-address-uncompared', ({ code }) => {
    const now = everyNth(11);
    return {
      code: {
        check: (record, exchange, time) =>
          code.check(record, now() ? { ...exchange, redirectUri: record.redirectUri } : exchange, time),
      },
    };
  }),
];
