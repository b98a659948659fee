import { timedCheck } from '../checks/check.ts';
import { LIFETIME, SLACK } from '../checks/lifetime.ts';
import { ConformanceFailure } from '../checks/outcome.ts';
import { isSuccess } from '../exchange/exchange.ts';

/** Seconds after which a code must be dead (RFC 6749 section 4.1.2). */
const CODE_LIFETIME = 600;

/** Seconds between an exchange and the refresh whose token's own lifetime is looked at. */
const REFRESH_LATER = 30;

/** Clause 8: limits. */
export const checks = [
  timedCheck('lifetime.alive-until-7200', async ({ given, users }) => {
    const pair = await given.pair();
    await users.list({ token: pair.accessToken }).asGiven();
    return [pair, await given.pair()];
  }).after(LIFETIME - SLACK, async ({ users }, pairs) => {
    for (const { accessToken } of pairs) {
      const { response } = await users.list({ token: accessToken }).answer();
      if (isSuccess(response)) continue;
      const wanted = `the access token to work ${LIFETIME - SLACK} s after it was issued`;
      throw new ConformanceFailure(wanted, `status ${response.status}`);
    }
    return pairs;
  }),

  timedCheck('lifetime.dead-after-7200', async ({ given, target }) => {
    await given.assigned([target.users[0]]);
    return given.pair();
  })
    .after(LIFETIME - SLACK, async ({ users }, pair) => {
      await users.list({ token: pair.accessToken }).answer();
      return pair;
    })
    .after(LIFETIME + SLACK, async ({ users }, pair) => {
      for (const operation of ['list', 'assign', 'unassign'] as const) {
        await users[operation]({ token: pair.accessToken }).expectRefused();
      }
      await users.list().expectTwinAccepted();
      return pair;
    }),

  timedCheck('lifetime.refreshed-full', ({ given }) => given.pair())
    .after(REFRESH_LATER, async ({ given, users }, pair) => {
      await given.listed();
      const next = await given.refreshed(pair);
      for (let use = 1; use <= 2; use += 1)
        await users.list({ token: next.accessToken }).asGiven('refresh.new-token-acts');
      return next;
    })
    .after(REFRESH_LATER + LIFETIME - SLACK, async ({ users }, pair) => {
      const { response } = await users.list({ token: pair.accessToken }).answer();
      if (isSuccess(response)) return pair;
      throw new ConformanceFailure(
        `a refreshed access token to work ${LIFETIME - SLACK} s after the refresh`,
        `status ${response.status}`,
      );
    })
    .after(REFRESH_LATER + LIFETIME + SLACK, async ({ given, users, target }, pair) => {
      await given.assigned([target.users[0]]);
      await users.list({ token: pair.accessToken }).expectRefused();
      await users.list().expectTwinAccepted();
      return pair;
    }),

  timedCheck('exchange.code-short-lived', ({ given }) => given.code()).after(
    CODE_LIFETIME + SLACK,
    async ({ given, token }, code) => {
      await token.exchange({ code }).expectRefused();
      await token.exchange({ code: await given.code() }).expectTwinAccepted();
      return code;
    },
  ),
];
