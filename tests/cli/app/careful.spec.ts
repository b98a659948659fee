import { expect, test } from '@playwright/test';
import { check } from '../../../src/index.ts';
import { writeLiveConfiguration } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';
import { startStandIn } from '../../support/stand-in/start.ts';

test.setTimeout(300_000);

test('a careful run uses no code twice, explores nothing, and is partial', PROVE, async () => {
  const running = await startStandIn();
  try {
    const { file, env } = writeLiveConfiguration(running.ready, test.info().outputPath('.'), {
      care: 'careful',
    });
    const results = await check(file, { env: { ...process.env, ...env }, only: ['exchange'] });
    expect([results.verdict, results.selection, results.exploration]).toEqual([
      'conforms',
      'careful',
      undefined,
    ]);
    const ids = results.requirements.map(({ id }) => id);
    expect(ids).toContain('exchange.form-encoded');
    expect(ids.filter((id) => /code-single-use|code-replay|code-bound/.test(id))).toEqual([]);
  } finally {
    await running.stop();
  }
});

test('a run that begins during a configured brownout sends nothing and is inconclusive, by name', async () => {
  const running = await startStandIn();
  try {
    const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const retired = { expectedFrom: '2027-02-01', brownouts: [{ from: from ?? '', to: to ?? '' }] };
    const { file, env } = writeLiveConfiguration(running.ready, test.info().outputPath('.'), { retired });
    const results = await check(file, { env: { ...process.env, ...env } });
    expect([results.verdict, results.exitCode, results.troubles.length]).toEqual(['inconclusive', 3, 1]);
    expect(results.troubles[0]?.message).toContain(`the service rests from ${from} to ${to}`);
    expect(await running.received()).toEqual([]);
  } finally {
    await running.stop();
  }
});
