import { expect, test } from '@playwright/test';
import { concludeVerification } from '../../../src/contracts/verify/outcome.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { only, ownPacts, verifyOn, verifyOnEmulator } from '../../support/contracts/verifying.ts';

/** The committed pacts against the emulator. */

for (const profile of ['doorkeeper-5', 'by-the-rfc', 'adversarial']) {
  test(`${profile}: every interaction is verified`, async () => {
    const { verification, verified, others } = await verifyOnEmulator(await ownPacts(), { profile });
    expect(others).toEqual({});
    expect(verified).toHaveLength(12);
    expect(concludeVerification(verification).exitCode).toBe(0);
  });
}

test('addresses with paths of their own: the pacts know nothing of them', async () => {
  const start = { addresses: { oneOrigin: true, authPath: '/sso/v1', basePath: '/gateway' } };
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true, start });
  try {
    const { verified } = await verifyOn(target, await ownPacts());
    expect(new URL(target.authUrl).pathname).toBe('/sso/v1');
    expect(verified).toHaveLength(12);
  } finally {
    await target.close();
  }
});

/** The failures of each defect, and a part of the reason. */
const DEFECTS = [
  ['exchange-token-type-capitalised', 'a code is exchanged', "the body at $.token_type: Expected 'Bearer'"],
  ['exchange-expires-in-3600', 'a code is exchanged', 'the body at $.expires_in: Expected 3600'],
  ['exchange-code-reusable', 'a used code is exchanged', 'expected error response (>= 400), got 200'],
  ['exchange-code-replay-refused-with-tokens', 'a used code is exchanged', 'the answer holds a token'],
  ['exchange-secret-unchecked', 'a code is exchanged with a wrong client secret', 'got 200'],
  ['exchange-basic-demanded', 'a code is exchanged', 'expected successful response (200–299), got 401'],
  ['refresh-expires-in-string', 'a token pair is refreshed', "Expected '7200' (String)"],
  ['refresh-token-not-rotated', 'a token pair is refreshed', 'it must be a new one (clause 2.1 rule 1)'],
  ['refresh-any-token-accepted', 'an unknown refresh token is sent', 'got 200'],
  ['list-token-optional', 'the assigned users are listed without a token', 'got 200'],
  ['resource-unknown-project-empty-list', 'the assigned users of an unknown project are listed', 'got 200'],
  ['assign-creates-user', 'an unknown user is assigned', 'expected error response (>= 400), got 2'],
  [
    'assign-not-stored',
    'a user is unassigned',
    'the suite could not set up the state "a user is assigned to a project": assign: the list does not hold the user',
  ],
] as const;

for (const [defect, description, reason] of DEFECTS) {
  test(`${defect}: ${description}, does not verify`, async () => {
    const pacts = only(await ownPacts(), description);
    const { verification, others } = await verifyOnEmulator(pacts, { defects: [defect] });
    expect(others[description]).toContain(reason);
    expect(concludeVerification(verification).exitCode).toBe(1);
  });
}
