import { expect, test } from '@playwright/test';
import type { Command } from 'commander';
import { contractsCommand } from '../../src/cli/contracts.ts';

/** The words of the broker's verbs: what a Pact user types is taken, or refused with 2, and never overlooked. */

const VERBS = new Map(contractsCommand().commands.map((verb) => [verb.name(), verb]));

/** Options of Pact's own programs, by verb. */
const PACT: Readonly<Record<string, readonly string[]>> = {
  publish: [
    ...[
      '--consumer-app-version',
      '-a',
      '--branch',
      '--tag',
      '-t',
      '--build-url',
      '--merge',
      '--output',
      '-o',
    ],
    ...['--auto-detect-version-properties', '-r', '--broker-base-url', '-b'],
  ],
  verify: [
    ...[
      '--broker-base-url',
      '--publish',
      '--provider-version',
      '--provider-app-version',
      '--provider-branch',
    ],
    ...['--provider-version-branch', '--build-url', '--consumer-version-selectors', '--filter-consumer'],
    '--include-wip-pacts-since',
  ],
  provider: ['--broker-base-url', '--consumer-version-selectors', '--include-wip-pacts-since', '--build-url'],
};

/** What the project had before it took Pact's names. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  publish: ['--version-number'],
  verify: [
    '--version-number',
    '--provider-branch',
    '--consumer-branch',
    '--deployed-in',
    '--results',
    '--json',
  ],
};

function takes(verb: Command, flag: string): boolean {
  return verb.options.some(({ long, short }) => long === flag || short === flag);
}

for (const [names, what] of [
  [PACT, 'Pact has'],
  [BEFORE, 'there were before'],
] as const) {
  test(`every option that ${what} is taken by its verb`, () => {
    const missing = Object.entries(names).flatMap(([name, flags]) => {
      const verb = VERBS.get(name);
      return flags
        .filter((flag) => verb === undefined || !takes(verb, flag))
        .map((flag) => `${name} ${flag}`);
    });
    expect(missing).toEqual([]);
  });
}

test('every verb that asks a broker refuses credentials by name', () => {
  for (const name of Object.keys(PACT)) {
    const verb = VERBS.get(name);
    for (const flag of ['--broker-token', '--broker-username', '--broker-password'])
      expect([name, verb !== undefined && takes(verb, flag)]).toEqual([name, true]);
  }
});
