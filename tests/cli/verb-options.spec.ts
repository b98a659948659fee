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

for (const verb of ['check', 'doctor', 'explore', 'observe', 'sign-in --save', 'sweep', 'handover before'])
  test(`${verb} FILE is ${verb} --target FILE; two files, and none where a live target is wanted, are 2`, async () => {
    const words = verb.split(' ');
    const file = test.info().outputPath('none.config.json');
    const named = await runHere([...words, '--target', file]);
    expect(named.stderr).toContain(file);
    expect(await runHere([...words, file])).toEqual(named);
    const two = await runHere([...words, 'other.json', '--target', file]);
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('name one of them')]);
    if (['check', 'explore', 'observe'].includes(verb)) return;
    const none = await runHere(words);
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/: expected the configuration file/)]);
  });
