import { expect, test } from '@playwright/test';
import { runHere } from '../support/command-here.ts';
import { PROVE } from '../support/prove.ts';

/** Verbs with a verdict and evidence above it, called quickly. `--json` and `--verbose` are in `progress.spec.ts`. */
const QUIET: readonly (readonly [verb: string, ...args: readonly string[]])[] = [
  ['check', '--only', 'exchange.token-type-bearer'],
  ['explore', '--requests', '60', '--seed', '1'],
  ['client', '--', process.execPath, '--version'],
];

for (const [verb, ...args] of QUIET)
  test(`${verb} --quiet: the verdict and its reasons alone`, verb === 'check' ? {} : PROVE, async () => {
    const folder = test.info().outputPath('report');
    const { stdout } = await runHere([verb, '--quiet', '--report', folder, ...args]);
    expect(stdout).toMatch(/\(exit \d\)/);
    expect(stdout).not.toContain('clause ');
  });
