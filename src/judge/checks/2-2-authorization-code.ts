import { tellsError } from '../../http/answer-body.ts';
import { isSuccess, pastServerError } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import { waitReally } from '../../target/flow/clean-up.ts';
import type { GivenPair } from '../../target/flow/player.ts';
import { OTHER_SPELLINGS } from '../../target/flow/spelling.ts';
import { check, provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import type { Given } from '../language/given.ts';
import { Blocked, ConformanceFailure } from '../language/outcome.ts';
import type { TokenActions } from '../language/token-actions.ts';
import type { UserActions } from '../language/user-actions.ts';

const AT_ONCE = 5;

/** Codes to compare; enough that a character is rarely equal in all of them by chance. */
const COMPARED = 6;

/** Minimum entropy of a code in bits, as encoded (RFC 6749 section 10.10). */
const LEAST_BITS = 128;

export const checks = [
  provokingCheck('exchange.code-single-use', async (context) => {
    const { given, token, users, target } = context;
    const code = await given.code();
    const { accessToken, refreshToken } = await given.exchanged(code);
    await token.exchange({ code }).expectRefused();
    await token.exchange({ code }).expectRefused();
    const other = target.application.redirectUris[1];
    if (other !== undefined) await token.exchange({ code, redirect_uri: other }).expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
    // The replays differ in their bytes, and are not sent at the same time.
    for (const spelling of OTHER_SPELLINGS) await token.spelled(spelling).exchange({ code }).expectRefused();
    await token.refresh({ refresh_token: refreshToken }).answer();
    await users.list({ token: accessToken }).answer();
    const { secondApplication: application } = target;
    if (application !== undefined) await token.exchange({ code }, application).expectRefused();
    const foreign = application && (await given.pair({ application }));
    await token.exchange({ code }).expectRefused();
    // The replay must not revoke another application's grant: other requirements evaluate it (clauses 2.1 and 4.3).
    if (foreign !== undefined) {
      await users.list({ token: foreign.accessToken }).answer();
      if (given.refreshesAtOnce)
        await token.refresh({ refresh_token: foreign.refreshToken }, application).answer();
    }
    if (given.refreshesAtOnce) {
      const renewed = await given.code();
      await given.refreshed(await given.exchanged(renewed));
      await token.exchange({ code: renewed }).expectRefused();
    }
    const later = await given.code();
    await given.exchanged(later);
    await letAMomentPass(context, async () => {
      await token.exchange({ code: later }).expectRefused();
    });
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.code-single-use-parallel', async ({ given, token, target }) => {
    const code = await given.code();
    const exchange = () => token.exchange({ code }).answer();
    const answers = await atOnce(
      target,
      Array.from({ length: AT_ONCE }, () => exchange),
    );
    const honoured = answers.filter(
      (a) => a.tokens.accessToken !== undefined || a.tokens.refreshToken !== undefined,
    );
    if (honoured.length > 1) {
      throw new ConformanceFailure(
        `at most one of ${AT_ONCE} exchanges of one code at once to be honoured`,
        'more than one',
      );
    }
    const used = await given.code();
    const { refreshToken } = await given.exchanged(used);
    const [, replay] = await atOnce(target, [
      () => token.refresh({ refresh_token: refreshToken }).answer(),
      () => token.exchange({ code: used }).answer(),
    ]);
    if (replay?.tokens.accessToken !== undefined || replay?.tokens.refreshToken !== undefined)
      throw new ConformanceFailure(
        'a used code to be refused while its tokens are refreshed',
        'an answer with tokens',
      );
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.code-replay-revokes', async ({ given, token, users }) => {
    const code = await given.code();
    const first = await given.exchanged(code);
    await given.act('list', { token: first.accessToken });
    await token.exchange({ code }).answer();
    await expectDead(users, token, given, first, 'the first exchange');
    // A code does not live until tokens expire, and using a dead one is no replay.
    if (!given.refreshesAtOnce) return;
    // The tokens of a later refresh come from the same code.
    const another = await given.code();
    const second = await given.refreshed(await given.exchanged(another));
    const { response } = await users.list({ token: second.accessToken }).answer();
    if (!isSuccess(response))
      throw new Blocked('list', 'refresh.new-token-acts', `status ${response.status} to the new token`);
    await token.exchange({ code: another }).answer();
    await expectDead(users, token, given, second, 'the first exchange, refreshed');
  }),

  check('authorize.code-unguessable', async ({ given }) => {
    const codes: string[] = [];
    while (codes.length < COMPARED) codes.push(await given.code());
    if (new Set(codes).size < codes.length)
      throw new ConformanceFailure('distinct codes', 'a code that was issued before');
    for (const code of codes) {
      const bits = Math.floor(changing(code, codes) * bitsPerCharacter(codes));
      if (bits < LEAST_BITS) {
        throw new ConformanceFailure(
          `codes of at least ${LEAST_BITS} bits as encoded`,
          `codes of at most ${bits} bits`,
        );
      }
    }
  }),
];

async function expectDead(
  users: UserActions,
  token: TokenActions,
  given: Given,
  { accessToken, refreshToken }: GivenPair,
  of: string,
): Promise<void> {
  const listed = await pastServerError(() => users.list({ token: accessToken }).answer());
  if (isSuccess(listed.response) && !tellsError(listed.response))
    throw new ConformanceFailure(`the access token of ${of} to be dead after a replay`, 'it still works');
  if (!given.mayRefresh) return;
  await given.refreshable();
  const refreshed = await pastServerError(() => token.refresh({ refresh_token: refreshToken }).answer());
  if (refreshed.tokens.accessToken !== undefined)
    throw new ConformanceFailure(`the refresh token of ${of} to be dead after a replay`, 'it still works');
}

function bitsPerCharacter(codes: readonly string[]): number {
  const text = codes.join('');
  if (/^[0-9]+$/.test(text)) return Math.log2(10);
  if (/^[0-9a-f]+$/i.test(text)) return 4;
  return /^[0-9a-z]+$/.test(text) ? Math.log2(36) : 6;
}

/** Counts the characters of a code that vary between codes, by position from the start or the end. */
function changing(code: string, codes: readonly string[]): number {
  const alike = (at: (of: string) => string | undefined) => codes.every((other) => at(other) === at(code));
  return [...code].filter((_, i) => !alike((of) => of[i]) && !alike((of) => of.at(i - code.length))).length;
}

/** Seconds: longer than most caches and queues of a service keep something. Really waited on a target without a clock. */
const A_MOMENT = 12;

/** Grants in between: a service may keep only so many tokens of one owner and application. */
const FURTHER_GRANTS = 8;

/** On a clock that can be moved, seconds one after the other. */
const ON_A_CLOCK = [25, 275];

/**
 * Lets a moment pass, and uses afterwards what was there before: an idle pair, a refreshed one, both older than other grants, and a user who was assigned again. The
 * monitor evaluates their answers, because each belongs to another requirement.
 *
 * @param then called after each wait
 */
export async function letAMomentPass(context: CheckContext, then: () => Promise<void>): Promise<void> {
  const { given, token, users, target } = context;
  const { clock, pause = waitReally } = target;
  const pairs: GivenPair[] = [];
  if (given.refreshesAtOnce)
    for (const pair of [await given.pairAside(), await given.pairAside()])
      if (pair !== undefined) pairs.push(pair);
  const [idle, old] = pairs;
  const renewed = old && (await given.refreshed(old));
  for (let more = 0; idle !== undefined && more < FURTHER_GRANTS; more += 1) await given.pairAside();
  await users.assign().answer();
  await users.unassign().answer();
  await users.assign().answer();
  for (const seconds of clock === undefined ? [A_MOMENT] : ON_A_CLOCK) {
    await (clock === undefined ? pause(seconds * 1_000) : clock.advance(seconds));
    for (const pair of [idle, renewed])
      if (pair !== undefined) await users.list({ token: pair.accessToken }).answer();
    await then();
    // A replay may have ended the check's own token.
    given.forgetToken();
  }
  for (const pair of [idle, renewed])
    if (pair !== undefined) await token.refresh({ refresh_token: pair.refreshToken }).answer();
}
