import type { ServiceAnswer } from '../answer.ts';
import type { Policy, TokenPolicy } from '../policy.ts';
import type { PolicyChanges } from './define-defect.ts';

export type TokenResponseOf = 'exchange' | 'refresh';

/** Distinguishes access tokens of a refresh from those of an exchange, once its `value` function is in the policy. */
export function generations(token: TokenPolicy): {
  readonly value: TokenPolicy['value'];
  readonly of: (accessToken: string) => TokenResponseOf;
} {
  const refreshed = new Set<string>();
  return {
    value(kind, randomness, previous) {
      const value = token.value(kind, randomness, previous);
      if (kind === 'access' && previous !== undefined) refreshed.add(value);
      return value;
    },
    of: (accessToken) => (refreshed.has(accessToken) ? 'refresh' : 'exchange'),
  };
}

export function changeResponses(
  { token, answer }: Policy,
  change: (answer: ServiceAnswer, of: TokenResponseOf) => ServiceAnswer,
): PolicyChanges {
  const generation = generations(token);
  return {
    token: { value: generation.value },
    answer: { tokens: (issued) => change(answer.tokens(issued), generation.of(issued.accessToken)) },
  };
}

/** Changes the fields of token responses; a field set to undefined is removed. */
export function changeFields(
  policy: Policy,
  change: (of: TokenResponseOf, fields: Fields) => Readonly<Record<string, unknown>>,
): PolicyChanges {
  return changeResponses(policy, (answer, of) => {
    const fields = JSON.parse(answer.body) as Fields;
    return { ...answer, body: JSON.stringify({ ...fields, ...change(of, fields) }) };
  });
}

export interface Fields {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly [more: string]: unknown;
}

export function issuedValues(
  token: TokenPolicy,
  kept: 'access' | 'refresh',
): { readonly value: TokenPolicy['value']; readonly newestFirst: () => readonly string[] } {
  const values: string[] = [];
  return {
    value(kind, randomness, previous) {
      const value = token.value(kind, randomness, previous);
      if (kind === kept) values.unshift(value);
      values.length = Math.min(values.length, KEPT);
      return value;
    },
    newestFirst: () => values,
  };
}

/** Limit of remembered values, so that memory stays bounded in a long run. */
const KEPT = 1_000;
