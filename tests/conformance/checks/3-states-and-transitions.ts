import { timedCheck } from '../../support/check/check.ts';
import { LIFETIME, SLACK } from '../../support/check/lifetime.ts';

/** Clause 3: an access token expires and can then be refreshed. */
export const checks = [
  timedCheck('refresh.after-expiry', ({ given }) => given.pair()).after(
    LIFETIME + SLACK,
    async ({ token, users }, pair) => {
      const answer = await token.refresh({ refresh_token: pair.refreshToken }).expectHonoured();
      await users.list({ token: answer.tokens.accessToken ?? '' }).expectHonoured();
      return pair;
    },
  ),
];
