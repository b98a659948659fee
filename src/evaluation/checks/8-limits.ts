import { LIFETIME } from '../../document/lifetime.ts';
import { isSuccess } from '../../http/exchange.ts';
import type { Answered } from '../../service/flow/answers.ts';
import { LAST_SECOND, NEXT_SECONDS, secondsOf, tellsSeconds, timedCheck } from '../language/check.ts';
import { ConformanceFailure } from '../language/outcome.ts';
import { placeFor } from '../language/places.ts';

/** Seconds after which a code must be dead (RFC 6749 section 4.1.2). */
const CODE_LIFETIME = 600;

const NEARLY_OVER = { before: LIFETIME };

const REFRESH_LATER = 30;

/** Sends a request in a token's last seconds, and again after a server error, which does not concern the token. */
async function steadily(answer: () => Promise<Answered>): Promise<Answered> {
  const first = await answer();
  return first.response.status >= 500 ? answer() : first;
}

export const checks = [
  timedCheck('lifetime.alive-until-7200', async ({ given, users }) => {
    const pair = await given.pair();
    await given.act('list', { token: pair.accessToken });
    const later = await given.pair();
    const { response } = await users.list({ token: pair.accessToken }).send();
    if (response.status === 401)
      throw new ConformanceFailure('the access token to outlive a later grant', 'status 401', response);
    return [pair, later];
  })
    .after(NEARLY_OVER, async ({ given, users, target }, pairs) => {
      for (const [index, { accessToken }] of pairs.entries()) {
        const place = placeFor(target, index);
        for (const operation of ['list', 'assign', 'unassign'] as const) {
          const { response } = await steadily(() =>
            users[operation]({ ...place, token: accessToken }).send(),
          );
          // Its scopes, not its age, decide here.
          if (isSuccess(response) || response.status === 403) continue;
          // A fresh token must be allowed the same.
          await given.act(operation, place);
          const wanted = `the access token to work ${secondsOf(NEARLY_OVER, target.skewSeconds)} s after it was issued`;
          throw new ConformanceFailure(`${wanted} (${operation})`, `status ${response.status}`, response);
        }
      }
      return pairs;
    })
    .after(LIFETIME - LAST_SECOND, async ({ given, users, target }, pairs) => {
      if (!tellsSeconds(target)) return pairs;
      for (const { accessToken } of pairs) {
        const { response } = await steadily(() => users.list({ token: accessToken }).send());
        if (isSuccess(response) || response.status === 403) continue;
        await given.act('list');
        const wanted = `the access token to work ${LIFETIME - LAST_SECOND} s after it was issued`;
        throw new ConformanceFailure(wanted, `status ${response.status}`, response);
      }
      return pairs;
    }),

  timedCheck('lifetime.dead-after-7200', async ({ given, target }) => {
    await given.assigned([target.users[0]]);
    // The token of one application works until the end, and the other application's token was never used before.
    const other = target.secondApplication;
    return [await given.pair(), await given.pair(other && { application: other })] as const;
  })
    .after(NEARLY_OVER, async ({ users, target }, pairs) => {
      const { accessToken } = pairs[0];
      // A service may remember for each operation that the token was good.
      for (const operation of ['list', 'assign', 'unassign'] as const)
        await users[operation]({ ...placeFor(target, 1), token: accessToken }).send();
      return pairs;
    })
    .after(LIFETIME + NEXT_SECONDS, async ({ users, target }, pairs) => {
      if (!tellsSeconds(target)) return pairs;
      for (const { accessToken } of pairs) await users.list({ token: accessToken }).expectRefused();
      await users.list().expectTwinAccepted();
      return pairs;
    })
    .after({ past: LIFETIME }, async ({ given, token, users, target }, pairs) => {
      for (const { accessToken } of pairs) {
        await users.list({ token: accessToken }).expectRefused();
        // An assign has an effect only where the user is not assigned.
        await users.assign({ ...placeFor(target, 1), token: accessToken }).expectRefused();
        await users.unassign({ token: accessToken }).expectRefused();
      }
      await users.list().expectTwinAccepted();
      // An expired token stays expired when its pair is refreshed.
      const { tokens } = await token.refresh({ refresh_token: pairs[0].refreshToken }).send();
      given.forgetToken();
      // Another requirement covers a reissued token.
      if (tokens.accessToken === pairs[0].accessToken) return pairs;
      await users.list({ token: pairs[0].accessToken }).expectRefused();
      await users.list().expectTwinAccepted();
      return pairs;
    }),

  timedCheck('lifetime.refreshed-full', async ({ given, target }) => {
    const pair = await given.pair();
    const late = target.abilities.has('several-grants') ? await given.pair() : pair;
    // A service may give the same pair twice.
    return { pair, late: late.refreshToken === pair.refreshToken ? undefined : late };
  })
    .after(REFRESH_LATER, async ({ given, users, target }, { pair, late }) => {
      const next = await given.refreshed(pair);
      await given.listed();
      await users.expectUsableAsOwn(placeFor(target, 1), next.accessToken, 'refresh.new-token-acts');
      return { pair: next, late };
    })
    // Clients refresh shortly before expiry, too.
    .after(NEARLY_OVER, async ({ given }, { pair, late }) => ({
      pair,
      late: late && given.refreshesAtOnce ? await given.refreshed(late) : undefined,
    }))
    .after({ before: REFRESH_LATER + LIFETIME }, async ({ given, users, target }, pairs) => {
      const place = placeFor(target, 1);
      const { accessToken: own } = pairs.pair;
      let { response } = await steadily(() => users.list({ token: own }).send());
      if (isSuccess(response))
        ({ response } = await steadily(() => users.assign({ ...place, token: own }).send()));
      const works = isSuccess(response) || response.status === 403;
      const late = pairs.late?.accessToken;
      if (works && late !== undefined)
        ({ response } = await steadily(() => users.list({ token: late }).send()));
      if (isSuccess(response) || response.status === 403) return pairs;
      await given.act('assign', placeFor(target, 0));
      throw new ConformanceFailure(
        works
          ? 'an access token that was refreshed shortly before expiry to work after it'
          : `a refreshed access token to work ${secondsOf(NEARLY_OVER, target.skewSeconds)} s after the refresh`,
        `status ${response.status}`,
        response,
      );
    })
    .after({ past: REFRESH_LATER + LIFETIME }, async ({ given, users, target }, pairs) => {
      if (!(await given.listed()).includes(target.users[0])) await given.assigned([target.users[0]]);
      for (const operation of ['list', 'assign', 'unassign'] as const)
        await users[operation]({ token: pairs.pair.accessToken }).expectRefused();
      await users.list().expectTwinAccepted();
      return pairs;
    }),

  timedCheck('exchange.code-short-lived', ({ given }) => given.code()).after(
    { past: CODE_LIFETIME },
    async ({ given, token }, code) => {
      await token.exchange({ code }).expectRefused();
      await token.exchange({ code: await given.code() }).expectTwinAccepted();
      return code;
    },
  ),
];
