/** The checks as Playwright tests, as an integrator registers them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { answer, at } from '../../support/faulty-service/faults.ts';
import { startFaultyService } from '../../support/faulty-service/service.ts';
import { PROVE } from '../../support/prove.ts';

/** Runs some checks as Playwright tests, without blocking this process, in which the service is. */
async function runTests(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const child = spawn(
    process.execPath,
    [
      ...[
        'node_modules/@playwright/test/cli.js',
        'test',
        '--project=conformance',
        '-g',
        'list.safe|version.prefix',
      ],
      ...[`--output=${test.info().outputPath('runner')}`, '--reporter=line', ...args],
    ],
    { env: { ...process.env, ...env } },
  );
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, stdout };
}

test(
  'on a live target: one worker, and no sign-in for each check that could not be evaluated',
  PROVE,
  async () => {
    const service = await startFaultyService();
    const { file, env } = service.configure(test.info().outputPath('.'));
    const live = { ...env, LEGACY_CONFORMANCE_TARGET: file };
    try {
      const two = await runTests(live, '--workers=2');
      expect(two.stdout).toContain('workers: expected 1 on a live target');
      expect([two.code, service.asked]).toEqual([1, []]);
      service.suffer(at(/^POST \/oauth\/token/, answer(503)));
      const down = await runTests(live, '--workers=1');
      expect(down.code, down.stdout).toBe(1);
      expect(down.stdout).toContain('after the last check:');
      expect(service.asked.filter((line) => line === 'POST /sign-in')).toHaveLength(1);
    } finally {
      await service.close();
    }
  },
);
