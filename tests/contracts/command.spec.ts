import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { verifyContracts } from '../../src/commands/contracts/api.ts';
import { PROVIDER_STATES } from '../../src/contracts/states.ts';
import { runHere } from '../support/command-here.ts';
import { FOREIGN, pactOf } from '../support/contracts/verifying.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';
import { withIndependentService } from '../support/live-config.ts';

/** `contracts states` and `contracts verify` as a user has them: exit codes, and what is printed. */

const READER = join(FOREIGN, 'reader.v2.json');
const BILLING = join(FOREIGN, 'billing-auth.v4.json');

test('states: every state with its values, for people and for machines', async () => {
  const people = await runHere(['contracts', 'states']);
  const machines = await runHere(['contracts', 'states', '--json']);
  const listed = JSON.parse(machines.stdout) as readonly { readonly name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(PROVIDER_STATES));
  for (const { name } of listed) expect(people.stdout).toContain(`${name}\n`);
  expect(people.code).toBe(0);
});

test('verify: an interaction that does not verify, 1 with its reason; what holds beside it', async () => {
  // By its option and by its place.
  const args = ['--pact', READER, BILLING];
  const { code, stdout } = await runHere([
    'contracts',
    'verify',
    ...args,
    '--defect',
    'list-token-optional,exchange-expires-in-string',
  ]);
  expect(stdout).toContain('FAIL a list without a token');
  expect(stdout).toContain('OK      a code that nobody granted');
  expect(stdout).toContain(
    'does not verify (exit 1): 1 of 3 interactions verified, 1 failed, 1 pending and not kept yet',
  );
  expect(stdout).toContain('also seen: exchange.expires-in-7200: expected');
  expect(code).toBe(1);
});

test('verifyContracts: the same for a program, which prints nothing', async () => {
  const whole = await verifyContracts('emulator', { pacts: [READER], defects: ['list-token-optional'] });
  expect([whole.exitCode, whole.verdict, whole.because.length]).toEqual([1, 'violates', 1]);
  const results = whole.pacts.flatMap(({ interactions }) => interactions.map(({ result }) => result));
  expect(results).toEqual(['failed']);
  expect((await verifyContracts('emulator', { pacts: [READER] })).exitCode).toBe(0);
  const { file, env } = await withIndependentService(
    {},
    {},
    async (independentService) => independentService,
  );
  const gone = await verifyContracts(file, {
    pacts: [READER],
    env,
    report: test.info().outputPath('r'),
  });
  expect([gone.exitCode, gone.because]).toEqual([3, [expect.stringContaining('refuse connections')]]);
  await expect(verifyContracts('emulator', { pacts: ['nowhere'] })).rejects.toThrow('no such file or folder');
  await expect(verifyContracts('emulator', { pact: READER } as object)).rejects.toThrow('Did you mean');
});

test('verify: an unknown state, or no pact at all, 2', async () => {
  const file = test.info().outputPath('pact.json');
  const { document } = pactOf({ providerState: 'there is cake' });
  writeFileSync(file, JSON.stringify(document));
  for (const [pact, says] of [
    [file, 'the provider state "there is cake" is not known'],
    ['nowhere', 'nowhere: there is no such file or folder'],
  ] as const) {
    const { code, stderr } = await runHere(['contracts', 'verify', '--pact', pact]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  }
});

test('verify: nobody listens, 3', async () => {
  const { file, env } = await withIndependentService(
    {},
    {},
    async (independentService) => independentService,
  );
  const { code, stdout, stderr } = await runHere(
    ['contracts', 'verify', '--pact', READER, '--target', file],
    env,
  );
  expect(stdout, stderr).toContain('inconclusive (exit 3)');
  expect(stdout).toMatch(/the service at \S+ \(`authUrl`\) and at \S+ \(`baseUrl`\) refuse connections/);
  expect(code).toBe(3);
});

test('verify: a consumer who is called as the owner logs in; it is printed without the login', async () => {
  const folder = test.info().outputPath('.');
  const { emulator, file, env } = await startLiveEmulator(folder);
  const [{ email }] = emulator.seed.owners;
  const pact = join(folder, 'pact.json');
  writeFileSync(pact, JSON.stringify({ ...pactOf({}).document, consumer: { name: email } }));
  const { code, stdout, stderr } = await runHere(['contracts', 'verify', pact, '--target', file], env);
  await emulator.close();
  expect(code, stderr).toBe(1);
  expect(stdout).toContain('login#1');
  expect(stdout + stderr).not.toContain(email);
});

test('verify: of a folder with pacts for several providers those for others are left out, with a line; with none left, 2', async () => {
  const folder = test.info().outputPath('pacts');
  mkdirSync(folder);
  const write = (name: string, document: unknown) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  write('billing', pactOf({ request: { method: 'GET', path: '/invoices' } }, 'billing').document);
  write('mail', { consumer: { name: 'a' }, provider: { name: 'mail' }, messages: [{ description: 'b' }] });
  const verify = (...args: readonly string[]) => runHere(['contracts', 'verify', ...args]);
  const none = await verify(folder);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('expected a pact with legacy-authorization-server'),
  ]);
  for (const name of ['billing', 'mail'])
    expect(none.stderr).toContain(`left out: ${join(folder, name)}.json: its provider is "${name}"`);
  // A file that is named is meant.
  expect((await verify(join(folder, 'billing.json'))).code).toBe(2);
  write('reader', pactOf({ request: { method: 'GET', path: '/v2/projects/1/assigned_users' } }).document);
  const some = await verify(folder);
  expect(some.stdout).toContain('Verification of 1 pact');
  expect(some.stdout).toContain(`left out: ${join(folder, 'mail.json')}: its provider is "mail"`);
});
