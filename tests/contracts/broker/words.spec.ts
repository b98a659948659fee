import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';

/** The words of the broker's verbs: what a Pact user types is taken, or refused with 2, and never overlooked. */

test('credentials on the command line are refused by name', async () => {
  for (const given of [['--broker-token=secret-4711'], ['-k', 'secret-4711'], ['-p', 'secret-4711']]) {
    const end = await runHere(['contracts', 'publish', ...given]);
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('set PACT_BROKER_')]);
    expect(end.stderr + end.stdout).not.toContain('4711');
  }
});

test('a verb of contracts that there is not: 2, and the one that is near', async () => {
  const mistyped = await runHere(['contracts', 'verfy']);
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringContaining('Did you mean "verify"?')]);
});
