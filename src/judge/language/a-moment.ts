import { waitReally } from '../../target/flow/clean-up.ts';
import type { GivenPair } from '../../target/flow/player.ts';
import type { CheckContext } from './context.ts';

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
