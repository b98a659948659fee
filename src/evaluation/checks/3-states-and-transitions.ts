import { LIFETIME } from '../../document/lifetime.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import { SLACK, timedCheck } from '../language/check.ts';
import { Blocked, ConformanceFailure } from '../language/outcome.ts';
import { placeFor } from '../language/places.ts';
import { expectBothTokens, expectExpiresIn7200, expectTokenTypeBearer } from '../language/token-response.ts';

export const checks = [
  timedCheck('refresh.after-expiry', async ({ given, token, users, target }) => {
    await given.listed();
    const first = await given.refreshed(await given.pair());
    await given.waitUntilRefreshIsAllowed();
    // The pair of a refresh must outlive expiry as well as the pair of an exchange.
    const early = await token.refresh({ refresh_token: first.refreshToken }).requireSuccess('refresh.chain');
    given.forgetToken();
    const { accessToken = '', refreshToken } = early.tokens;
    if (refreshToken === undefined)
      throw new Blocked(
        'refresh twice in a row',
        'refresh.chain',
        'the second answer holds no refresh_token',
      );
    await users.expectUsableAsOwn(placeFor(target, 0), accessToken, 'refresh.new-token-acts');
    if (refreshToken === first.refreshToken)
      throw new Blocked('get a new refresh token', 'refresh.new-refresh-token', 'the old one came');
    const pair = await given.pair();
    const others = target.abilities.has('several-grants') ? [refreshToken] : [];
    return { early, expired: pair.accessToken, before: [pair.refreshToken, ...others] };
  }).after(LIFETIME + SLACK, async ({ given, token, users, target }, state) => {
    // Many clients learn of the expiry by a refusal.
    await users.list({ token: state.expired }).send();
    const seen = new Set(state.before);
    // A service that reissues tokens may give the same one twice.
    for (const refreshToken of new Set(state.before)) {
      const late = await token.refresh({ refresh_token: refreshToken }).expectSuccess();
      given.forgetToken();
      expectLike(late, state.early);
      expectRotated(late, seen);
      const { accessToken = '', refreshToken: next = '' } = late.tokens;
      await users.expectUsableAsOwn(placeFor(target, 0), accessToken);
      seen.add(next);
      if (given.refreshesAtOnce && target.abilities.has('several-grants'))
        await token.refresh({ refresh_token: next }).expectSuccess();
    }
    return state;
  }),
];

const PARTS = [
  expectBothTokens,
  (answer: Answered<TokenAnswer>) => expectTokenTypeBearer(answer, 'refresh'),
  (answer: Answered<TokenAnswer>) => expectExpiresIn7200(answer, 'refresh'),
] as const;

/** Requires clause 2.1 of a refresh after expiry. Faults that also occur before expiry belong to another requirement. */
function expectLike(late: Answered<TokenAnswer>, early: Answered<TokenAnswer>): void {
  for (const expect of PARTS) {
    const failure = failureOf(() => expect(late));
    if (failure === undefined || failureOf(() => expect(early)) !== undefined) continue;
    throw new ConformanceFailure(
      `${failure.expected} after a refresh that follows expiry`,
      failure.got,
      failure.answer,
    );
  }
}

function failureOf(expect: () => void): ConformanceFailure | undefined {
  try {
    expect();
    return undefined;
  } catch (error) {
    if (error instanceof ConformanceFailure) return error;
    throw error;
  }
}

function expectRotated({ tokens }: Answered<TokenAnswer>, seen: ReadonlySet<string>): void {
  if (!seen.has(tokens.refreshToken ?? '')) return;
  throw new ConformanceFailure(
    'a new refresh_token with a refresh that follows expiry',
    'the refresh_token of another response',
  );
}
