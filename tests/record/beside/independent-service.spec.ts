/** Compares an emulator with the service of its recorded profile: the figures of docs/development/trials.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { BesideFile } from '../../../generated/schemas.d.ts';
import { runHere } from '../../support/command-here.ts';
import { withIndependentService } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

test(
  'the emulator of its recorded profile answers as the independent service: 100 % in outcome, 80 % in everything, each of three seeds',
  PROVE,
  async () => {
    test.setTimeout(900_000);
    const folder = test.info().outputPath('.');
    await withIndependentService({}, {}, async ({ file, env }) => {
      const profile = join(folder, 'staging.yaml');
      const target = ['--target', file];
      const observed = await runHere(
        ['observe', ...target, '--risk', 'refusals,revokes', '--out', profile],
        env,
      );
      expect([observed.code, observed.stderr]).toEqual([0, expect.stringContaining('seen 121 of 127')]);
      for (const seed of ['1', '2', '3']) {
        const report = join(folder, seed);
        const played = ['--risk', 'revokes', '--requests', '500', '--seed', seed, '--report', report];
        const { stdout } = await runHere(['explore', ...target, '--beside', profile, ...played], env);
        const { parity } = JSON.parse(readFileSync(join(report, 'beside.json'), 'utf8')) as BesideFile;
        console.log(`seed ${seed}:\n${stdout.split('\n').slice(1, 4).join('\n')}`);
        expect(parity.answers).toBeGreaterThan(400);
        expect(parity.inOutcome).toBe(parity.answers);
        expect(parity.inAll / parity.answers).toBeGreaterThanOrEqual(0.8);
      }
    });
  },
);
