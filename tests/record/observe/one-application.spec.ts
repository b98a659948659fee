/** The record of a service that remembers consent, with one application: denial comes before anything is granted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { withIndependentService } from '../../support/live-config.ts';

const ALONE = { secondApplication: undefined };
const HIDDEN =
  'not observed: consent-memory.remembered, consent-memory.remembered-for-fewer, consent-memory.asked-for-wider';

test('one application without a grant shows denial and the memory of consent; each other gap names its need', async () => {
  await withIndependentService({}, ALONE, async ({ file, env }) => {
    const observe = ['observe', '--target', file, '--risk', 'refusals,revokes'];
    const { code, stderr } = await runHere(observe, env);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('seen 119 of 127 aspects');
    const gaps = stderr.split('\n').filter((line) => line.includes('not observed:'));
    expect(gaps.filter((line) => !/`[\w -]+`|127\.0\.0\.1/.test(line))).toEqual([]);
    expect(gaps.join()).toContain('it takes a second application (configure `secondApplication`)');
    expect(stderr).not.toContain('granted');
  });
});

test('a grant of an earlier run hides the four, and is named as the reason; a second application brings them back', async () => {
  const { emulator, file, env } = await startLiveEmulator(test.info().outputPath('.'));
  try {
    const stderrOf = async (variables = env) =>
      (await runHere(['observe', '--target', file, '--probe', 'consent-memory'], variables)).stderr;
    expect(await stderrOf()).toContain('seen 3 of 127 aspects');
    expect(await stderrOf()).toContain(`${HIDDEN}: the service issues a code without asking: an earlier run`);
    const { clientId, clientSecret, redirectUris } =
      emulator.seed.applications[1] ?? emulator.seed.applications[0];
    const secondApplication = { clientId, clientSecret: { env: 'SECOND' }, redirectUris };
    const alone = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...alone, secondApplication }));
    expect(await stderrOf({ ...env, SECOND: clientSecret })).toContain('seen 3 of 127 aspects');
  } finally {
    await emulator.close();
  }
});
