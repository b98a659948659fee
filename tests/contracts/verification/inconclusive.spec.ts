import { expect, test } from '@playwright/test';
import { concludeVerification } from '../../../src/contracts/verify/outcome.ts';
import { headerOf, TransportFailure, type WireRequest } from '../../../src/http/exchange.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';
import { only, ownPacts, pactOf, verifyOn } from '../../support/contracts/verifying.ts';

/** A service that is down breaks no contract. */

let target: Target;
test.beforeAll(async () => {
  target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
});
test.afterAll(() => target.close());

/** True for a pact's own request, false for one that sets a state up. */
const isThePacts = (request: WireRequest) =>
  headerOf(request, 'user-agent')?.startsWith('pact_verifier') === true;

test('503 to the request of a pact: not run, exit 3', async () => {
  const transport: Target['transport'] = async (request) =>
    isThePacts(request) ? { status: 503, headers: [], body: '', bytes: 0 } : await target.transport(request);
  const pacts = only(await ownPacts(), 'a used code is exchanged');
  const { verification, others } = await verifyOn({ ...target, transport }, pacts);
  expect(others).toEqual({ 'a used code is exchanged': 'not-run; the target answered 503' });
  expect(concludeVerification(verification).exitCode).toBe(3);
});

test('no answer twice in a row: the rest is not tried', async () => {
  let tried = 0;
  const transport: Target['transport'] = async (request) => {
    if (!isThePacts(request)) return target.transport(request);
    tried += 1;
    throw new TransportFailure('timeout', 'no whole answer within 10000 ms');
  };
  const { verification, verified, others } = await verifyOn({ ...target, transport }, await ownPacts());
  expect(verified).toEqual([]);
  expect(tried).toBe(2);
  expect(others['a used code is exchanged']).toContain(
    'not tried: the target gave no answer 2 times in a row',
  );
  expect(concludeVerification(verification).exitCode).toBe(3);
});

test('interrupted: the interaction under way is finished, the rest not begun', async () => {
  const interruption = new AbortController();
  const transport: Target['transport'] = async (request) => {
    if (isThePacts(request)) interruption.abort();
    return target.transport(request);
  };
  const pacts = only(await ownPacts(), 'a user is assigned', 'the assigned users are listed');
  const options = { signal: interruption.signal };
  const { verification, verified, others } = await verifyOn({ ...target, transport }, pacts, options);
  expect(verified).toEqual(['a user is assigned']);
  expect(others).toEqual({ 'the assigned users are listed': 'not-run; interrupted' });
  expect(concludeVerification(verification).exitCode).toBe(3);
});

test('a state that needs a clock, on a target without one: not run, and what to do', async () => {
  const { clock: _, ...withoutClock } = target;
  const pact = pactOf({ providerStates: [{ name: 'an access token has expired' }] });
  const { verification, others } = await verifyOn(withoutClock, [pact]);
  expect(others['an interaction']).toContain('configure `clock`');
  expect(concludeVerification(verification).exitCode).toBe(3);
});

test('live: a failure does not count when the smoke flow is refused afterwards', async () => {
  let gone = false;
  const transport: Target['transport'] = async (request) => {
    gone ||= isThePacts(request);
    return gone ? { status: 500, headers: [], body: '', bytes: 0 } : await target.transport(request);
  };
  const pacts = only(await ownPacts(), 'the assigned users are listed');
  const { restoreAssignments: _, ...live } = { ...target, isLive: true, transport };
  const { others } = await verifyOn(live, pacts);
  expect(others['the assigned users are listed']).toMatch(/^not-run; afterwards the smoke flow stopped \(/);
  await target.restoreAssignments?.();
});

test('live: a smoke flow that is refused says why, and nothing of a pact is sent', async () => {
  let sent = 0;
  const transport: Target['transport'] = async (request) => {
    if (isThePacts(request)) sent += 1;
    return target.transport(request);
  };
  const application = { ...target.application, clientSecret: 'not-the-secret-of-this-application' };
  const { verification } = await verifyOn(
    { ...target, isLive: true, application, transport },
    await ownPacts(),
  );
  expect(sent).toBe(0);
  const { exitCode, because } = concludeVerification(verification);
  expect(because[0]).toContain('exchange: the token endpoint answered 401');
  expect(exitCode).toBe(3);
});
