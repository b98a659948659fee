import { noteTokenRefusal } from '../note-refusal.ts';
import type { Probe } from '../probe.ts';

export const replay: Probe = {
  openPoint: 'failed-exchange',
  aspects: ['failed-exchange.replay-revokes', 'token-failures.exchange.used-code'],
  requests: 7,
  async run(context) {
    const code = await context.code();
    const pair = context.pairOf(await context.exchange('exchange the code', code));
    const again = await context.exchange('exchange the code a second time', code);
    noteTokenRefusal(context, 'exchange.used-code', again);
    if (pair !== undefined)
      context.see('failed-exchange.replay-revokes', !(await context.acts(pair.accessToken)));
  },
};
