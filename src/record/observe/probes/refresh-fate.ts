import type { AnswerAt } from '../../../document/profiles/aspects.ts';
import { atOnce } from '../../../http/traffic.ts';
import { refusalOf } from '../../../service/flow/answer-shape.ts';
import type { ReceivedPair } from '../../../service/flow/answers.ts';
import { NO_CLOCK } from '../../../service/flow/flow-steps.ts';
import { NotObservable, type Probe, type ProbeContext } from '../probe-context.ts';
import { findLifetime } from './lifetimes.ts';

export const oldAccessToken: Probe = {
  aspects: [
    'refresh-fate.before-expiry',
    'refresh-fate.old-access-token',
    'token-failures.refresh.too-early',
  ],
  async run(context) {
    const old = await context.pair();
    const answer = await context.refresh('refresh before expiry', old.refreshToken);
    const next = context.pairOf(answer);
    context.see('refresh-fate.before-expiry', next !== undefined);
    context.see('token-failures.refresh.too-early', next === undefined ? refusalOf(answer) : null);
    if (next === undefined) return context.see('refresh-fate.old-access-token', null);
    if (!context.wants('refresh-fate.old-access-token')) return;
    if (!(await context.isAccepted(old.accessToken)))
      return context.see('refresh-fate.old-access-token', 'at-once');
    await context.isAccepted(next.accessToken);
    const dead = !(await context.isAccepted(old.accessToken));
    context.see('refresh-fate.old-access-token', dead ? 'on-first-use-of-the-new' : 'never');
  },
};

/** Seen when an old refresh token is refused. */
const ON_REUSE = [
  'refresh-fate.reuse',
  'token-failures.refresh.revoked-token',
  'failed-exchange.revoked',
] as const;

export const oldRefreshToken: Probe = {
  aspects: ['refresh-fate.old-refresh-token', 'refresh-fate.successor', 'refresh-fate.parallel', ...ON_REUSE],
  async run(context) {
    const fate = await fateOf(context);
    context.see('refresh-fate.old-refresh-token', fate);
    context.see('refresh-fate.parallel', await parallel(context));
    if (fate !== 'never') seeNothingMore(context);
    else if (context.target.clock === undefined)
      for (const aspect of ON_REUSE) context.cannot(aspect, NO_CLOCK);
  },
};

/** Seconds after its refresh from which an old refresh token that is still honoured counts as unlimited: an hour. */
const LONGEST_GRACE = 3_600;

export const grace: Probe = {
  aspects: ['refresh-fate.grace-seconds', ...ON_REUSE],
  async run(context) {
    const fate = context.seen('refresh-fate.old-refresh-token');
    if (fate === undefined) throw new NotObservable('the fate of the old refresh token was not observed');
    const seconds = fate === 'never' ? await graceSeconds(context) : null;
    context.see('refresh-fate.grace-seconds', seconds, 'replaced refresh tokens of growing age, used');
    if (seconds === 'unlimited') {
      context.see('refresh-fate.reuse', null);
      context.see('token-failures.refresh.revoked-token', null);
    }
    seeNothingMore(context);
  },
};

/** Returns the first second after a refresh at which the old refresh token is refused. Each step has a new pair. */
async function graceSeconds(context: ProbeContext): Promise<number | 'unlimited'> {
  await context.pass(0);
  // A token that was never replaced shows that the refusal is not the end of its own lifetime.
  const unused = await context.pair();
  await context.waitUntilRefreshIsAllowed();
  await context.pass(LONGEST_GRACE);
  const lives = context.pairOf(await context.refresh('refresh after an hour', unused.refreshToken));
  if (lives === undefined) throw new NotObservable('refresh tokens live for less than an hour');
  return findLifetime(
    0,
    LONGEST_GRACE,
    async (seconds) => (await reused(context, () => context.pass(seconds))) === 'refused',
  );
}

function seeNothingMore(context: ProbeContext): void {
  if (context.seen('failed-exchange.replay-revokes') === false) context.see('failed-exchange.revoked', null);
}

async function fateOf(context: ProbeContext): Promise<AnswerAt<'refresh-fate.old-refresh-token'>> {
  const again = await reused(context);
  context.see('refresh-fate.successor', again);
  if (again === 'refused') return 'at-once';
  const onUse = await reused(context, (next) => context.isAccepted(next.accessToken));
  return onUse === 'refused' ? 'on-first-use-of-the-new' : 'never';
}

/** Uses an old refresh token again and records its refusal. @param between runs between the refresh and the reuse */
async function reused(
  context: ProbeContext,
  between: (next: ReceivedPair) => Promise<unknown> = async () => undefined,
): Promise<AnswerAt<'refresh-fate.successor'>> {
  const old = await context.pair();
  await context.waitUntilRefreshIsAllowed();
  // Obtained here, because time may have passed until the refresh.
  const other = await context.pair();
  const next = await context.refreshedNow(old);
  await between(next);
  const again = await context.refresh('refresh with a token that was replaced', old.refreshToken);
  const pair = context.pairOf(again);
  if (pair !== undefined) return pair.refreshToken === next.refreshToken ? 'same-pair' : 'another-pair';
  context.see('token-failures.refresh.revoked-token', refusalOf(again));
  const revoked = !(await context.isAccepted(next.accessToken));
  context.see('refresh-fate.reuse', revoked ? 'revokes-the-grant' : 'refused');
  if (revoked) await seeRevoked(context, other);
  return 'refused';
}

const AT_ONCE = 5;

async function parallel(context: ProbeContext): Promise<AnswerAt<'refresh-fate.parallel'>> {
  const old = await context.pair();
  await context.waitUntilRefreshIsAllowed();
  const refresh = () => context.refresh('refresh, several at once', old.refreshToken);
  const answers = await atOnce(
    context.target,
    Array.from({ length: AT_ONCE }, () => refresh),
  );
  const honoured = answers.filter((answer) => context.pairOf(answer) !== undefined).length;
  if (honoured === AT_ONCE) return 'all';
  return honoured === 1 ? 'one' : 'some';
}

export const replay: Probe = {
  aspects: ['failed-exchange.replay-revokes', 'failed-exchange.revoked', 'token-failures.exchange.used-code'],
  async run(context) {
    const other = await context.pair();
    const code = await context.code();
    const pair = context.pairOf(await context.exchange('exchange the code', code));
    const again = await context.exchange('exchange the code a second time', code);
    context.see('token-failures.exchange.used-code', refusalOf(again));
    if (pair === undefined) return;
    const revoked = !(await context.isAccepted(pair.accessToken));
    context.see('failed-exchange.replay-revokes', revoked);
    if (revoked) await seeRevoked(context, other);
  },
};

/** @param other tokens of another authorization of the same owner and application */
async function seeRevoked(context: ProbeContext, other: ReceivedPair): Promise<void> {
  if (!context.wants('failed-exchange.revoked')) return;
  const lives = await context.isAccepted(other.accessToken);
  context.see('failed-exchange.revoked', lives ? 'authorization' : 'application');
}
