import { noteTokenRefusal } from '../notes.ts';
import type { Probe } from '../probe.ts';

/** Open point 11: a code is exchanged a second time. */
export const replay: Probe = {
  openPoint: 'failed-exchange',
  aspects: ['failed-exchange.replay-revokes', 'token-failures.exchange.used-code'],
  requests: 7,
  async run(lab) {
    const code = await lab.code();
    const pair = lab.pairOf(await lab.exchange('exchange the code', code));
    const again = await lab.exchange('exchange the code a second time', code);
    noteTokenRefusal(lab, 'exchange.used-code', again);
    if (pair !== undefined) lab.see('failed-exchange.replay-revokes', !(await lab.acts(pair.accessToken)));
  },
};
