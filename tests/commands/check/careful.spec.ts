import { expect, test } from '@playwright/test';
import { check } from '../../../src/index.ts';
import { withIndependentService } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

test.setTimeout(300_000);

test('a careful run uses no code twice, explores nothing, and is partial', PROVE, async () => {
  await withIndependentService(
    {},
    {
      care: 'careful',
    },
    async ({ file, env }) => {
      const results = await check(file, { env: { ...process.env, ...env }, only: ['exchange'] });
      expect([results.verdict, results.selection, results.exploration]).toEqual([
        'conforms',
        'careful',
        undefined,
      ]);
      const ids = results.requirements.map(({ id }) => id);
      expect(ids).toContain('exchange.form-encoded');
      expect(ids.filter((id) => /code-single-use|code-replay|code-bound/.test(id))).toEqual([]);
    },
  );
});

test('a run that begins during a configured brownout sends nothing and is inconclusive, by name', async () => {
  const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const retired = { expectedFrom: '2027-02-01', brownouts: [{ from: from ?? '', to: to ?? '' }] };
  await withIndependentService({}, { retired }, async ({ running, file, env }) => {
    const results = await check(file, { env: { ...process.env, ...env } });
    expect([results.verdict, results.exitCode, results.troubles.length]).toEqual(['inconclusive', 3, 1]);
    expect(results.troubles[0]?.message).toContain(`the service rests from ${from} to ${to}`);
    expect(await running.received()).toEqual([]);
  });
});
