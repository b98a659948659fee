/** A drill changes the answers that the suite receives: the run is red and stamped, and keeps no history. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { samplePact } from '../../support/broker-double/sample-pacts.ts';
import { runContracts, withBroker } from '../../support/broker-double/start.ts';
import { runHere } from '../../support/command-here.ts';
import { startWire } from '../../support/own-tests/wire.ts';
import { PROVE } from '../../support/prove.ts';

const EXPECTED = {
  'expires-in': 'exchange.expires-in-7200',
  'assign-hidden': 'assign.adds-user',
} as const;

function checked(drill: string, folder: string, ...args: readonly string[]) {
  const options = ['--report', join(folder, 'report'), '--explore', '0', ...args];
  return runHere(['check', ...options], { LEGACY_CONFORMANCE_DRILL: drill });
}

for (const [drill, id] of Object.entries(EXPECTED))
  test(`the drill ${drill} fails ${id}, and every output says so`, async () => {
    const folder = test.info().outputPath();
    const { code, stdout } = await checked(drill, folder, '--only', id);
    expect(code).toBe(1);
    expect(stdout).toContain(`DRILL ${drill}`);
    const report = join(folder, 'report');
    const results = JSON.parse(readFileSync(join(report, 'results.json'), 'utf8'));
    const failed = results.requirements.filter((one: { result: string }) => one.result === 'fail');
    expect(failed.map((one: { id: string }) => one.id)).toContain(id);
    for (const file of readdirSync(report).filter((name) => /\.(html|json|xml|md)$/.test(name)))
      expect(readFileSync(join(report, file), 'utf8'), file).toContain(`DRILL ${drill}`);
  });

test('a drill that breaks no selected requirement does not conform', PROVE, async () => {
  const { code, stdout } = await checked(
    'expires-in',
    test.info().outputPath(),
    '--only',
    'list.project-scoped',
  );
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining('DRILL expires-in: the suite changed what it received'),
  ]);
});

test('a drill writes no history', PROVE, async () => {
  const history = test.info().outputPath('history.json');
  await checked('expires-in', test.info().outputPath(), '--history', history);
  expect(existsSync(history)).toBe(false);
});

const OWN_TESTS = fileURLToPath(new URL('../../support/own-tests/simple-oauth2.mjs', import.meta.url));

/** Every other verb that a pipeline has as a gate: its words, and its exit code in each drill. */
const GATES: readonly (readonly [words: readonly string[], code: number, says?: string])[] = [
  [['explore', '--requests', '100', '--seed', '1'], 1],
  [['explore', '--beside', 'doorkeeper-5', '--requests', '100', '--seed', '1'], 1],
  [['observe', '--probe', 'list-shape'], 3],
  [['contracts', 'verify'], 1, 'it published nothing'],
  [['compare', 'by-the-rfc', 'by-the-rfc'], 1],
  [['client', '--', process.execPath, OWN_TESTS], 1, 'FAIL code.five-parameters'],
];

for (const [words, code, says = 'DRILL'] of GATES)
  for (const drill of Object.keys(EXPECTED))
    test(
      `the drill ${drill}: ${words.slice(0, 2).join(' ')} is red`,
      drill === 'expires-in' && !words.includes('--beside') ? {} : PROVE,
      async () => {
        const folder = test.info().outputPath('gate');
        const [verb = ''] = words;
        const into = ['explore', 'client', 'contracts', 'observe'].includes(verb) ? ['--report', folder] : [];
        const command = words.indexOf('--');
        const all = command < 0 ? [...words, ...into] : [verb, ...into, ...words.slice(command)];
        const { code: ended, stdout, stderr } = await runHere(all, { LEGACY_CONFORMANCE_DRILL: drill });
        const output = stdout + stderr;
        expect([ended, output]).toEqual([code, expect.stringContaining(`DRILL ${drill}`)]);
        expect(output).toContain(says);
        // The profile that was seen is not printed.
        if (verb === 'observe') expect(stdout).toBe('');
        if (!existsSync(folder)) return;
        const reports = readdirSync(folder).filter((file) => /\.(?:json|xml|html)$/.test(file));
        for (const file of reports)
          expect(readFileSync(join(folder, file), 'utf8'), file).toContain(`DRILL ${drill}`);
      },
    );

test('a drill publishes no result of a verification', PROVE, async () => {
  await withBroker(async (broker) => {
    const pact = samplePact();
    broker.store.publish(pact.consumer.name, '1.0.0', pact.provider.name, pact, 'main');
    const publish = ['--publish', '--provider-app-version', '1', '--consumer', pact.consumer.name];
    const words = ['verify', '--broker', '--target', 'emulator', ...publish];
    const { code, stdout } = await runContracts(broker, words, { LEGACY_CONFORMANCE_DRILL: 'expires-in' });
    expect([1, 3]).toContain(code);
    expect(stdout).toContain('it published nothing');
    expect(broker.store.verifications).toEqual([]);
  });
});

test(
  'an emulator in a drill evaluates its clients in the drill, and so does client --attach',
  PROVE,
  async () => {
    for (const where of ['emulate', 'attach'] as const) {
      if (where === 'emulate') process.env.LEGACY_CONFORMANCE_DRILL = 'expires-in';
      const wire = await startWire().finally(() => {
        delete process.env.LEGACY_CONFORMANCE_DRILL;
      });
      try {
        await wire.list(await wire.refresh(await wire.signIn()));
        const exit = await (await wire.control('GET', '/client-report?format=exit')).text();
        expect(exit).toContain(where === 'emulate' ? 'exit code 1' : 'exit code 0');
        const report = ['--report', test.info().outputPath(where)];
        const attached = await runHere(['client', '--attach', wire.controlUrl, ...report], {
          LEGACY_CONTROL_TOKEN: wire.controlToken,
          LEGACY_CONFORMANCE_DRILL: where === 'attach' ? 'assign-hidden' : undefined,
        });
        expect([attached.code, attached.stdout]).toEqual([
          where === 'emulate' ? 1 : 3,
          expect.stringContaining('DRILL'),
        ]);
      } finally {
        wire.command.stop('SIGTERM');
        await wire.command.end;
      }
    }
  },
);

test('a verb that would ignore the drill is wrong usage; one without a verdict says so and runs', async () => {
  const LEGACY_CONFORMANCE_DRILL = 'expires-in';
  for (const words of [
    ['doctor', '--target', 'staging.json'],
    ['handover', 'before', '--target', 'staging.json'],
    ['replay', 'report', '--only', 'refresh.chain'],
    ['contracts', 'publish', 'pacts'],
  ]) {
    const { code, stderr } = await runHere(words, { LEGACY_CONFORMANCE_DRILL });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('takes no part in the drill expires-in: unset'),
    ]);
  }
  const { code, stderr } = await runHere(['contracts', 'states'], { LEGACY_CONFORMANCE_DRILL });
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('note: LEGACY_CONFORMANCE_DRILL: `states` takes no part'),
  ]);
});

test('an unknown drill is wrong usage', async () => {
  const { code, stderr } = await checked('expires', test.info().outputPath());
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('LEGACY_CONFORMANCE_DRILL: expected expires-in or assign-hidden'),
  ]);
});
