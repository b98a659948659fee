import { noteTokenRefusal } from '../note-refusal.ts';
import type { AnsweredPair, Probe, ProbeContext } from '../probe-context.ts';

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
