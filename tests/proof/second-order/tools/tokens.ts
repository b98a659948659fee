import type { Fields } from '../../../../src/emulator/defects/at-token-endpoint.ts';
import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AnswerPolicy, IssuedTokens, Policy } from '../../../../src/emulator/policy/policy.ts';
import { type ResourceRefusal, refuse } from '../../../../src/emulator/refusal.ts';
import type { IssuedPair } from '../../../../src/emulator/store/records.ts';
import { noted, notedChanging, type RequestNotes } from './noted.ts';

type TokenValue = Policy['token']['value'];

export const EXPIRED = refuse('token-expired', 'the access token expired');

/** True if a verdict on an access token is its expiry. */
export function isExpired(dead: ResourceRefusal | undefined): boolean {
  return dead?.refused === 'token-expired';
}

/** A refresh that gives the refresh token back that was sent, where `keeps` says so of the pair that it replaces. */
export function keepingRefreshToken(
  make: (request: RequestNotes) => (previous: IssuedPair) => boolean,
): Changes {
  return notedChanging('token.value', (base, request) => kept(base, make(request)));
}

/** Values of tokens, with the refresh token given back that was sent where `keeps` says so of its pair. */
export function kept(value: TokenValue, keeps: (previous: IssuedPair) => boolean): TokenValue {
  return (kind, randomness, previous) =>
    kind === 'refresh' && previous !== undefined && keeps(previous)
      ? previous.refreshToken
      : value(kind, randomness, previous);
}

/** Values of tokens. Those that a refresh gives are added to `marked` where `marks` says so of the pair that it replaces. */
export function marking(
  value: TokenValue,
  marked: Set<string>,
  marks: (previous: IssuedPair) => boolean,
  kind: 'access' | 'refresh' = 'access',
): TokenValue {
  return (of, randomness, previous) => {
    const token = value(of, randomness, previous);
    if (of === kind && previous !== undefined && marks(previous)) marked.add(token);
    return token;
  };
}

/** The answer with tokens, some of its fields changed; a field that becomes undefined is left out. */
export function withFields(
  answer: AnswerPolicy,
  change: (fields: Fields, issued: IssuedTokens) => Readonly<Record<string, unknown>>,
): AnswerPolicy['tokens'] {
  return (issued) => {
    const whole = answer.tokens(issued);
    const fields = JSON.parse(whole.body) as Fields;
    return { ...whole, body: JSON.stringify({ ...fields, ...change(fields, issued) }) };
  };
}

/** A defect of the token response's fields alone. */
export function fieldsDefect(
  make: (request: RequestNotes, policy: Policy) => Parameters<typeof withFields>[1],
): Changes {
  return noted((policy, request) => ({
    answer: { tokens: withFields(policy.answer, make(request, policy)) },
  }));
}

/** A defect that decides in its own way whether an access token is dead; `dead` is what the policy says. */
export function dying(
  make: (
    request: RequestNotes,
  ) => (pair: IssuedPair, now: number, dead: ResourceRefusal | undefined) => ResourceRefusal | undefined,
): Changes {
  return notedChanging('token.check', (base, request) => {
    const decide = make(request);
    return (pair, now) => decide(pair, now, base(pair, now));
  });
}
