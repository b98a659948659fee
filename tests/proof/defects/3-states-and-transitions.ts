import { changingFields } from '../../../src/emulator/defects/at-token-endpoint.ts';
import {
  type Changes,
  changing,
  type Defects,
  whenever,
} from '../../../src/emulator/defects/define-defect.ts';

function late(changes: Changes): Changes {
  return whenever(
    'lifetime.refreshToken',
    (previous, now) => previous !== undefined && now >= previous.expiresAt,
    changes,
  );
}

export const defects: Defects = {
  'refresh-token-of-refresh-dies-with-access-token': {
    summary:
      'The refresh token of a refresh, unlike that of an exchange, dies together with its access token.',
    breaks: ['refresh.after-expiry'],
    changes: ({ lifetime }) => ({
      lifetime: {
        refreshToken: (previous, now) =>
          previous === undefined ? lifetime.refreshToken(previous, now) : lifetime.accessToken(previous, now),
      },
    }),
  },

  'refresh-token-dies-with-use-after-expiry': {
    summary: 'An access token that is used after its expiry takes its refresh token with it.',
    breaks: ['refresh.after-expiry'],
    changes: changing('token.check', (base) => (pair, now) => {
      if (now >= pair.expiresAt) pair.grant.revoked = true;
      return base(pair, now);
    }),
  },

  'refresh-after-expiry-born-dead': {
    summary: 'A refresh after expiry is honoured with an access token that has expired already.',
    breaks: ['refresh.after-expiry'],
    changes: changing(
      'lifetime.accessToken',
      (base) => (previous, now) =>
        previous !== undefined && now >= previous.expiresAt ? 0 : base(previous, now),
    ),
  },

  'refresh-after-expiry-other-type': {
    summary: 'After expiry a refresh calls the token Bearer.',
    breaks: ['refresh.after-expiry'],
    changes: late(changingFields(() => ({ token_type: 'Bearer' }))),
  },
  'refresh-after-expiry-lifetime-in-words': {
    summary: 'After expiry a refresh tells the lifetime as a string.',
    breaks: ['refresh.after-expiry'],
    changes: late(changingFields(({ expires_in }) => ({ expires_in: String(expires_in) }))),
  },
  'refresh-after-expiry-without-refresh-token': {
    summary: 'After expiry a refresh hands out no refresh token.',
    breaks: ['refresh.after-expiry'],
    changes: late(changingFields(() => ({ refresh_token: undefined }))),
  },
  'refresh-after-expiry-refresh-token-unknown': {
    summary: 'After expiry a refresh hands out a refresh token that the service does not know.',
    breaks: ['refresh.after-expiry'],
    changes: late(changingFields(({ refresh_token }) => ({ refresh_token: `${refresh_token}0` }))),
  },

  'refresh-after-expiry-not-rotated': {
    summary: 'After expiry a refresh hands out the refresh token that it was sent.',
    breaks: ['refresh.after-expiry'],
    changes: late(({ token }) => ({
      token: {
        value: (kind, randomness, previous) =>
          kind === 'refresh' && previous !== undefined
            ? previous.refreshToken
            : token.value(kind, randomness, previous),
      },
      refresh: { rotate: () => undefined },
    })),
  },
};
