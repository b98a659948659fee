import type { AnswerAt } from '../../../document/profiles/aspects.ts';
import { atOnce } from '../../../http/traffic.ts';
import { noteTokenRefusal } from '../note-refusal.ts';
import type { AnsweredPair, Probe, ProbeContext } from '../probe-context.ts';

export const oldAccessToken: Probe = {
  openPoint: 'refresh-fate',
  aspects: [
    'refresh-fate.before-expiry',
    'refresh-fate.old-access-token',
    'token-failures.refresh.too-early',
  ],
  requests: 9,
  async run(context) {
    const old = await context.pair();
    const answer = await context.refresh('refresh before expiry', old.refreshToken);
    const next = context.pairOf(answer);
    context.see('refresh-fate.before-expiry', next !== undefined);
    if (next === undefined) {
      noteTokenRefusal(context, 'refresh.too-early', answer);
      return context.see('refresh-fate.old-access-token', null);
    }
    context.see('token-failures.refresh.too-early', null);
    if (!context.wants('refresh-fate.old-access-token')) return;
    if (!(await context.isAccepted(old.accessToken)))
      return context.see('refresh-fate.old-access-token', 'at-once');
    await context.isAccepted(next.accessToken);
    const dead = !(await context.isAccepted(old.accessToken));
    context.see('refresh-fate.old-access-token', dead ? 'on-first-use-of-the-new' : 'never');
  },
};

export const oldRefreshToken: Probe = {
  openPoint: 'refresh-fate',
  aspects: [
    'refresh-fate.old-refresh-token',
    'refresh-fate.reuse',
    'refresh-fate.parallel',
    'token-failures.refresh.revoked-token',
    'failed-exchange.revoked',
  ],
  requests: 38,
  async run(context) {
    context.see('refresh-fate.old-refresh-token', await fate(context));
    context.see('refresh-fate.parallel', await parallel(context));
    if (context.seen('failed-exchange.replay-revokes') === false)
      context.see('failed-exchange.revoked', null);
  },
};

async function fate(context: ProbeContext): Promise<AnswerAt<'refresh-fate.old-refresh-token'>> {
  const atOnce = await reused(context, false);
  if (atOnce) return 'at-once';
  if (await reused(context, true)) return 'on-first-use-of-the-new';
  context.see('refresh-fate.reuse', null);
  context.see('token-failures.refresh.revoked-token', null);
  return 'never';
}

async function reused(context: ProbeContext, afterUse: boolean): Promise<boolean> {
  const old = await context.pair();
  await context.refreshable();
  // Obtained here, because time may have passed until the refresh.
  const other = await context.pair();
  const next = await context.refreshed(old);
  if (afterUse) await context.isAccepted(next.accessToken);
  const again = await context.refresh('refresh with a token that was replaced', old.refreshToken);
  if (context.pairOf(again) !== undefined) return false;
  noteTokenRefusal(context, 'refresh.revoked-token', again);
  const revoked = !(await context.isAccepted(next.accessToken));
  context.see('refresh-fate.reuse', revoked ? 'revokes-the-grant' : 'refused');
  if (revoked) await seeRevoked(context, other);
  return true;
}

const AT_ONCE = 5;

async function parallel(context: ProbeContext): Promise<AnswerAt<'refresh-fate.parallel'>> {
  const old: AnsweredPair = await context.pair();
  await context.refreshable();
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
  openPoint: 'failed-exchange',
  aspects: ['failed-exchange.replay-revokes', 'failed-exchange.revoked', 'token-failures.exchange.used-code'],
  requests: 11,
  async run(context) {
    const other = await context.pair();
    const code = await context.code();
    const pair = context.pairOf(await context.exchange('exchange the code', code));
    const again = await context.exchange('exchange the code a second time', code);
    noteTokenRefusal(context, 'exchange.used-code', again);
    if (pair === undefined) return;
    const revoked = !(await context.isAccepted(pair.accessToken));
    context.see('failed-exchange.replay-revokes', revoked);
    if (revoked) await seeRevoked(context, other);
  },
};

/** @param other tokens of another authorization of the same owner and application */
export async function seeRevoked(context: ProbeContext, other: AnsweredPair): Promise<void> {
  if (!context.wants('failed-exchange.revoked')) return;
  const lives = await context.isAccepted(other.accessToken);
  context.see('failed-exchange.revoked', lives ? 'authorization' : 'application');
}
