import { expect, test } from '@playwright/test';
import { contractsCommand } from '../../../src/cli/verbs/contracts.ts';
import { runHere } from '../../support/command-here.ts';

/** The words of the broker's verbs: what a Pact user types is taken, or refused with 2, and never overlooked. */

/** Options of Pact's own programs. */
const TAKEN = {
  publish: ['--consumer-app-version -a --branch --broker-base-url -b'],
  verify: [
    '--broker-base-url --publish --provider-app-version',
    '--provider-version-branch --consumer-version-selector --include-wip-pacts-since',
    '--results --json',
  ],
} as const;

test('every option of Pact that has a meaning here is taken; credentials are refused by name', async () => {
  const verbs = new Map(contractsCommand().commands.map((verb) => [verb.name(), verb.options]));
  for (const [name, flags] of Object.entries(TAKEN)) {
    const known = (verbs.get(name) ?? []).flatMap(({ short, long }) => [short, long]);
    const credentials = ['--broker-token', '--broker-username', '--broker-password'];
    expect(known).toEqual(expect.arrayContaining([...flags.join(' ').split(' '), ...credentials]));
  }
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
