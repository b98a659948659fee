import { timedCheck } from '../checks/check.ts';
import { LIFETIME, SLACK } from '../checks/lifetime.ts';

/** Clause 3: an access token expires and can then be refreshed. */
export const checks = [
  timedCheck('refresh.after-expiry', async ({ given, users }) => {
    await given.listed();
    const first = await given.refreshed(await given.pair());
    // The pair of a refresh must outlive expiry as well as the pair of an exchange.
    const second = await given.refreshed(first);
    await users.list({ token: second.accessToken }).asGiven('refresh.new-token-acts');
    return [await given.pair(), second];
  }).after(LIFETIME + SLACK, async ({ token, users }, pairs) => {
    // Where tokens are handed out again the two may be one.
    for (const refreshToken of new Set(pairs.map((pair) => pair.refreshToken))) {
      const answer = await token.refresh({ refresh_token: refreshToken }).expectHonoured();
      await users.list({ token: answer.tokens.accessToken ?? '' }).expectHonoured();
    }
    return pairs;
  }),
];
