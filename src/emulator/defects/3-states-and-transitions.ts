import type { Defect } from '../defect.ts';
import type { Policy } from '../policy.ts';
import { defect, type PolicyChanges } from './define-defect.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A token response of a refresh that follows expiry, with its fields changed. */
function late(id: string, change: (fields: Fields) => Fields): Defect {
  return defect(id, (policy) => {
    const { isLate, lifetime } = lateness(policy);
    return {
      lifetime,
      answer: {
        tokens(issued) {
          const answer = policy.answer.tokens(issued);
          if (!isLate()) return answer;
          const fields = JSON.parse(answer.body) as Fields;
          return { ...answer, body: JSON.stringify({ ...fields, ...change(fields) }) };
        },
      },
    };
  });
}

/** Whether the pair that is made just now replaces one whose access token has expired. */
function lateness({ lifetime }: Policy): {
  isLate: () => boolean;
  lifetime: NonNullable<PolicyChanges['lifetime']>;
} {
  let expired = false;
  return {
    isLate: () => expired,
    lifetime: {
      refreshToken(previous, now) {
        expired = previous !== undefined && now >= previous.expiresAt;
        return lifetime.refreshToken(previous, now);
      },
    },
  };
}

/** Faults of clause 3: an access token that has expired can be refreshed. */
export const defects: readonly Defect[] = [
  defect('refresh-token-dies-with-access-token', ({ lifetime }) => ({
    lifetime: { refreshToken: (previous, now) => lifetime.accessToken(previous, now) },
  })),

  defect('refresh-token-of-refresh-dies-with-access-token', ({ lifetime }) => ({
    lifetime: {
      refreshToken: (previous, now) =>
        previous === undefined ? lifetime.refreshToken(previous, now) : lifetime.accessToken(previous, now),
    },
  })),

  defect('refresh-after-expiry-born-dead', ({ lifetime }) => ({
    lifetime: {
      accessToken: (previous, now) =>
        previous !== undefined && now >= previous.expiresAt ? 0 : lifetime.accessToken(previous, now),
    },
  })),

  late('refresh-after-expiry-other-type', () => ({ token_type: 'Bearer' })),
  late('refresh-after-expiry-lifetime-in-words', ({ expires_in }) => ({ expires_in: String(expires_in) })),
  late('refresh-after-expiry-without-refresh-token', () => ({ refresh_token: undefined })),
  late('refresh-after-expiry-refresh-token-unknown', ({ refresh_token }) => ({
    refresh_token: `${refresh_token}0`,
  })),

  defect('refresh-after-expiry-not-rotated', (policy) => {
    const { isLate, lifetime } = lateness(policy);
    return {
      lifetime,
      token: {
        value: (kind, randomness, previous) =>
          kind === 'refresh' && previous !== undefined && isLate()
            ? previous.refreshToken
            : policy.token.value(kind, randomness, previous),
      },
      refresh: {
        rotate: (pair, fate, tokens) => (isLate() ? undefined : policy.refresh.rotate(pair, fate, tokens)),
      },
    };
  }),
];
