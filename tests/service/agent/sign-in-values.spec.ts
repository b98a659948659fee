/** Values that the suite types to sign in to a live target: each one-time code once, a password within its limit. */
import { expect, test } from '@playwright/test';
import { BudgetSpent } from '../../../src/http/ledger.ts';
import {
  credentialSource,
  credentialValue,
  totpAt,
  totpSource,
} from '../../../src/service/agent/sign-in-values.ts';
import { TrustedOrigins } from '../../../src/service/agent/trusted-origins.ts';

/** RFC 6238 appendix B, its ASCII secret in base32; the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

for (const [seconds, code] of [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const) {
  test(`the one-time code at ${seconds} s is the RFC's`, () => {
    expect(totpAt(SECRET, seconds)).toBe(code);
  });
}

test('a secret may be written as people copy it', () => {
  expect(totpAt('gezd gnbv gy3t qojq gezd gnbv gy3t qojq', 59)).toBe('287082');
});

test('no code is given twice: the second waits for the next period', async () => {
  let now = 59_000;
  const next = totpSource(SECRET, {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  });
  expect(await next()).toBe(totpAt(SECRET, 59));
  expect(now).toBe(59_000);
  expect(await next()).toBe(totpAt(SECRET, 60));
  expect(now).toBe(60_000);
  now = 200_000;
  expect(await next()).toBe(totpAt(SECRET, 200));
  expect(now).toBe(200_000);
});

const PAGE = 'https://auth.staging.example/sign-in';
const HERE = { page: PAGE, action: PAGE };

test('the password is typed only as often as the budget says', async () => {
  const source = credentialSource({ login: 'me', password: 'secret' }, new TrustedOrigins(PAGE), 2);
  const password = () => credentialValue('password', source, HERE);
  expect([await password(), await password()]).toEqual(['secret', 'secret']);
  await expect(password()).rejects.toThrow(BudgetSpent);
  await expect(password()).rejects.toThrow('this run has used its 2 sign-ins (`budget.signIns`)');
  expect(await credentialValue('login', source, HERE)).toBe('me');
  // The session at the service may have ended with the time that has passed.
  source.clockMoved();
  expect(await password()).toBe('secret');
  await expect(password()).rejects.toThrow(
    'used its 2 sign-ins and 1 more, one for each time that the clock moved (`budget.signIns`)',
  );
});
