import { expect, test } from '@playwright/test';
import { pactBrokerLine } from '../../../src/cli/contracts/pact-broker-line.ts';
import { contractsCommand } from '../../../src/cli/contracts.ts';
import { runCommand } from '../../support/command.ts';

/** The words of the broker's verbs: what a Pact user types is taken, or refused with 2, and never overlooked. */

/** Options of Pact's own programs, then those that the project had before it took Pact's names. */
const TAKEN = {
  publish: [
    '--consumer-app-version -a --branch --tag -t --build-url --merge --output -o --broker-base-url -b',
    '--auto-detect-version-properties -r --version-number',
  ],
  verify: [
    '--broker-base-url --publish --provider-version --provider-app-version --provider-branch --build-url',
    '--provider-version-branch --consumer-version-selectors --filter-consumer --include-wip-pacts-since',
    '--version-number --consumer-branch --deployed-in --results --json',
  ],
  provider: ['--broker-base-url --consumer-version-selectors --include-wip-pacts-since --build-url'],
} as const;

test('every option that Pact has, or that there was before, is taken; credentials are refused by name', async () => {
  const verbs = new Map(contractsCommand().commands.map((verb) => [verb.name(), verb.options]));
  for (const [name, flags] of Object.entries(TAKEN)) {
    const known = (verbs.get(name) ?? []).flatMap(({ short, long }) => [short, long]);
    const credentials = ['--broker-token', '--broker-username', '--broker-password'];
    expect(known).toEqual(expect.arrayContaining([...flags.join(' ').split(' '), ...credentials]));
  }
  for (const given of [['--broker-token=secret-4711'], ['-k', 'secret-4711'], ['-p', 'secret-4711']]) {
    const end = await runCommand(['contracts', 'publish', ...given]);
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('set PACT_BROKER_')]);
    expect(end.stderr + end.stdout).not.toContain('4711');
  }
});

for (const [given, line] of [
  [
    'can-i-deploy -a web-shop --to-environment test -o json --retry-while-unknown 3',
    'can-i-deploy -a web-shop --version "$VERSION" --to-environment test --retry-while-unknown 3',
  ],
  // Pact's program answers without the version where --version does not follow the pacticipant.
  [
    'can-i-deploy --to-environment test --dry-run -e 1 --pacticipant web-shop',
    'can-i-deploy --pacticipant web-shop --version 1 --to-environment test --dry-run',
  ],
  [
    "record-deployment --environment a_b --version-number=1 --pacticipant bob's -k s3cret",
    "record-deployment --pacticipant 'bob'\\''s' --version 1 --environment 'a b'",
  ],
  [
    'record-release --pacticipant p --results results.json --environment e',
    'record-release --pacticipant p --version "$VERSION" --environment e',
  ],
  ['record-undeployment -a p --environment e', 'record-undeployment -a p --environment e'],
  ['record-support-ended -a p -e 1 --environment e', 'record-support-ended -a p --version 1 --environment e'],
  ['create-environment --name uat --no-production', 'create-environment --name uat'],
  [
    'create-or-update-pacticipant --name p --broker-token=s3cret --main-branch trunk',
    'create-or-update-pacticipant --name p --main-branch trunk',
  ],
  ['delete-branch -a p --branch topic', 'delete-branch -a p --branch topic'],
] as const) {
  test(`${given}: the line of Pact’s own program, without credentials`, () => {
    const [verb = '', ...args] = given.split(' ').map((word) => word.replace('_', ' '));
    expect(pactBrokerLine(verb, args)?.split('\n')[1]).toBe(`  npx pact-broker ${line}`);
  });
}

test('a verb of contracts that was removed: 2, with that line; one that never was: 2, and the one that is near', async () => {
  const removed = await runCommand(['contracts', 'delete-branch', '-a', 'p', '--branch', 'topic']);
  expect([removed.code, removed.stderr]).toEqual([
    2,
    expect.stringContaining('npx pact-broker delete-branch'),
  ]);
  const mistyped = await runCommand(['contracts', 'verfy']);
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringContaining('Did you mean "verify"?')]);
});
