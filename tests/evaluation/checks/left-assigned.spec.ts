/** Own users who stay assigned are the service's doing, and no other run's. */
import { expect, test } from '@playwright/test';
import { checkBehind, idsWith } from '../../support/check-live.ts';

for (const honoured of [3, 30]) {
  test(`an unassign that does nothing after ${honoured} of them: the run names each who stays once, as seen in a list`, async () => {
    let count = 0;
    const results = await checkBehind((inner) => async (request, signal) => {
      if (request.method === 'DELETE') count += 1;
      if (request.method !== 'DELETE' || count <= honoured) return inner(request, signal);
      return { status: 204, headers: [], body: '', bytes: 0 };
    });
    expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, ['unassign.removes-user']]);
    const told = JSON.stringify([
      results.leftBehind,
      results.troubles,
      results.requirements.map((r) => r.reason),
    ]);
    expect(results.leftBehind[0]).toMatch(
      /^still assigned and to be unassigned by hand: user \d+ in project \d+/,
    );
    expect(told).not.toMatch(/could not be read|another run/);
  });
}
