/** Own users who stay assigned are the service's doing, and no other run's. */
import { expect, test } from '@playwright/test';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { type Transport, TransportFailure } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { endOfRun } from '../../../src/service/flow/end-of-run.ts';
import { FlowSteps } from '../../../src/service/flow/flow-steps.ts';
import { takeLock } from '../../../src/service/flow/lock.ts';
import { ServiceClient } from '../../../src/service/flow/service-client.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';

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

test('where the end of a run gets no token, the release of the lock is no word on the others', async () => {
  const target = await emulatorAsLiveTarget(await loadProfile('by-the-rfc'), []);
  let isSpent = false;
  const transport: Transport = async (request, signal) => {
    if (isSpent && request.url.endsWith('/oauth/token'))
      throw new TransportFailure('not-sent', 'not sent: this run has used its budget');
    return target.transport(request, signal);
  };
  const session = connectWithoutBrowser({ ...target, transport }, new SecretRegistry());
  const flowSteps = new FlowSteps(new ServiceClient(session));
  const token = await flowSteps.accessToken();
  await takeLock(flowSteps, token);
  await flowSteps.operation('assign', { token });
  isSpent = true;
  const left = await endOfRun(session);
  expect(left?.listed).toBe(false);
  expect(left?.message).toMatch(/user 504 in project 1041.*this run has used its budget/);
  await target.close();
});
