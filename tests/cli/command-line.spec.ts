import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Command, CommanderError } from 'commander';
import { requirementIds } from '../../generated/ids.ts';
import { validateResults } from '../../generated/validators.js';
import { createProgram, verbs } from '../../src/cli/program.ts';
import { UsageError } from '../../src/document/input/usage-error.ts';
import { CHECKS } from '../../src/evaluation/checks/index.ts';
import type { Results } from '../../src/report/results.ts';
import { COMMAND, runCommand, startCommand } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';
import { firstInTest } from '../support/prove.ts';

/** The command as a user has it: exit code, what it prints and what it writes. */

test.describe('check', () => {
  test('a target that keeps the selected clauses: 0, and a report that its schema accepts', async () => {
    const info = test.info();
    const report = info.outputPath('report');
    const { code, stdout } = await runCommand([
      'check',
      '--only',
      '9',
      '--only',
      'list.fresh',
      '--report',
      report,
    ]);
    expect(stdout).toContain('conforms (partial)');
    expect(stdout).toContain('2 of 2 passed');
    expect(code).toBe(0);
    const results = JSON.parse(readFileSync(`${report}/results.json`, 'utf8')) as Results;
    expect(validateResults(results), JSON.stringify(validateResults.errors)).toBe(true);
    expect(results.exitCode).toBe(0);
    expect(results.selection).toBe('partial');
    expect(results.requirements.map((r) => r.id)).toEqual(['list.fresh', 'version.prefix']);
    expect(readFileSync(`${report}/index.html`, 'utf8')).toContain('version.prefix');
    expect(readFileSync(`${report}/junit.xml`, 'utf8')).toContain('tests="2"');
  });

  test('a documented requirement broken: 1, and the reason with its clause', async () => {
    const info = test.info();
    const { code, stdout } = await runHere([
      'check',
      '--defect',
      'exchange-code-reusable',
      '--only',
      'exchange.code-single-use',
      '--report',
      info.outputPath('report'),
    ]);
    expect(stdout).toContain('FAIL exchange.code-single-use (clause 2.2, documented)');
    expect(stdout).toContain('exchange-code-reusable');
    expect(stdout).toContain('violates');
    expect(code).toBe(1);
  });

  for (const [what, args, says] of [
    ['an unknown selection', ['check', '--only', 'exchange.code-single'], 'exchange.code-single-use'],
    ['a configuration that is not there', ['check', '--target', 'nowhere.json'], 'nowhere.json'],
  ] as const) {
    test(`${what}: 2, and what to do`, async () => {
      const info = test.info();
      const { code, stderr } = await runHere([...args, '--report', info.outputPath('report')]);
      expect(stderr).toContain(says);
      expect(code).toBe(2);
      expect(readdirSync(info.outputPath('report'))).toEqual(['junit.xml']);
      expect(readFileSync(info.outputPath('report', 'junit.xml'), 'utf8')).toContain('<error type="usage"');
    });
  }

  test('a configuration that is wrong: 2, and the key', async () => {
    const info = test.info();
    const file = info.outputPath('conformance.config.json');
    writeFileSync(file, JSON.stringify({ name: 'staging', authUrl: 'not an address' }));
    const { code, stderr } = await runHere(['check', '--target', file]);
    expect(stderr).toContain('authUrl');
    expect(stderr).toContain('baseUrl');
    expect(code).toBe(2);
  });

  test('a browser that is none: 2', async () => {
    const { code, stderr } = await runCommand(['check'], { LEGACY_CONFORMANCE_BROWSER: '/nowhere/browser' });
    expect(stderr).toContain('LEGACY_CONFORMANCE_BROWSER');
    expect(code).toBe(2);
  });

  test('a secret in what would be written: 4, the file withheld, nothing of it printed', async () => {
    const directory = test.info().outputPath('.');
    const { emulator, file, env } = await startLiveEmulator(directory);
    const secret = env.STAGING_CLIENT_SECRET ?? '';
    // Results have the name of the target, and somebody has put the secret into it.
    const configuration = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...configuration, name: `staging ${secret}` }));
    const report = join(directory, 'report');
    const only = ['--only', 'version.prefix', '--explore', '0'];
    const { code, stdout, stderr } = await runHere(
      ['check', '--target', file, ...only, '--report', report],
      env,
    );
    await emulator.close();
    expect(stdout).toContain('results.json would have held client_secret#1');
    expect(stdout + stderr).not.toContain(secret);
    expect(code).toBe(4);
    for (const name of ['results.json', 'index.html', 'junit.xml'])
      expect(existsSync(join(report, name)), name).toBe(false);
  });
});

test.describe('emulate', () => {
  test('prints addresses that answer, and stops cleanly on SIGTERM', async () => {
    const command = startCommand(['emulate', '--port', '0', '--api-port', '0', '--json']);
    const ready: Record<string, string> = JSON.parse(await command.printed('\n'));
    const page = await fetch(`${ready.authorizeUrl}`, { redirect: 'manual' });
    expect(page.status).toBeLessThan(400);
    const list = await fetch(`${ready.baseUrl}/v2/projects/1041/assigned_users`);
    expect(list.status).toBe(401);
    command.stop('SIGTERM');
    expect((await command.end).code).toBe(0);
    await expect(fetch(`${ready.authUrl}`)).rejects.toThrow();
  });

  test('its ready block can be pasted: the credentials in it work', async () => {
    const command = startCommand(['emulate', '--port', '0', '--api-port', '0', '--control']);
    const block = await command.printed('Stop with Ctrl+C');
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1] ?? '';
    const control = await fetch(`${value('LEGACY_CONTROL_URL')}/clock`, {
      headers: { authorization: `Bearer ${value('LEGACY_CONTROL_TOKEN')}` },
    });
    expect(control.status).toBe(200);
    const refused = await fetch(`${value('LEGACY_AUTH_URL')}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: value('LEGACY_CLIENT_ID'),
        client_secret: value('LEGACY_CLIENT_SECRET'),
        code: 'never-issued',
        redirect_uri: 'https://client.example.test/callback',
      }),
    });
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
    command.stop('SIGINT');
    expect((await command.end).code).toBe(0);
  });

  for (const [signal, details] of firstInTest(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const, 1))
    test(`ends when ${signal} ends the launcher, which has started it`, details, async () => {
      // A second process keeps an old Node, and one that prints notes, away from the words.
      const args = [COMMAND, 'emulate', '--port', '0', '--api-port', '0', '--json'];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, NODE_DEBUG: 'none' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { authUrl } = JSON.parse(line.toString()) as { authUrl: string };
      expect((await fetch(authUrl)).status).toBe(200);
      child.kill(signal);
      // Its standard output ends with the last process that has it.
      await once(child.stdout.resume(), 'close');
      await expect(fetch(authUrl)).rejects.toThrow();
    });

  test('goes on in the background when the shell that started it has ended', async () => {
    const shell = `"${process.execPath}" "${COMMAND}" emulate --port 0 --api-port 0 --json & echo $!`;
    const child = spawn('sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    await expect.poll(() => printed.split('\n').length).toBeGreaterThan(2);
    const [pid, line] = printed.split('\n');
    const { authUrl } = JSON.parse(line ?? '') as { authUrl: string };
    await ended;
    try {
      expect((await fetch(authUrl)).status).toBe(200);
    } finally {
      process.kill(Number(pid), 'SIGTERM');
    }
  });

  test('a port that is taken: 2, and what to do', async () => {
    const first = startCommand(['emulate', '--port', '0', '--api-port', '0', '--json']);
    const { authUrl } = JSON.parse(await first.printed('\n')) as { authUrl: string };
    const { code, stderr } = await runHere(['emulate', '--port', new URL(authUrl).port]);
    expect(stderr).toContain('--port');
    expect(code).toBe(2);
    first.stop('SIGTERM');
    await first.end;
  });
});

test('explain: every clause with its requirements, each of which has one check', async () => {
  const { code, stdout } = await runHere(['explain']);
  expect(stdout).toMatch(/^9 {3}Versioning \(4 read\)\n {4}version\.prefix {2}documented$/m);
  expect(stdout).toContain(` ${requirementIds.length} requirements\n`);
  expect(CHECKS.map(({ id }) => id).toSorted()).toEqual(requirementIds.toSorted());
  expect(code).toBe(0);
});

test('help begins with six verbs, and names every verb and every exit code', async () => {
  const { code, stdout } = await runHere(['--help']);
  const verbsIn = (text = '') => [...text.matchAll(/^ {2}([a-z-]+) /gm)].map(([, verb]) => verb);
  const [, first, more] = /^Begin with:\n(.*?)\n\nMore:\n(.*?)\n\nExit codes/ms.exec(stdout) ?? [];
  expect(verbsIn(first)).toEqual(['init', 'doctor', 'check', 'client', 'emulate', 'observe']);
  expect([...verbsIn(first), ...verbsIn(more)].sort()).toEqual(
    [...verbs().map((verb) => verb.name()), 'help'].sort(),
  );
  for (const word of ['check', 'emulate', 'explain', 'conforms', 'violates', 'inconclusive', 'broken']) {
    expect(stdout).toContain(word);
  }
  expect(code).toBe(0);
});

/** Returns the error of some words, and the output before it. No verb does its work: something is wrong with each. */
async function refusalOf(
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  const program = createProgram();
  let said = '';
  const add = (text: string) => {
    said += text;
  };
  const collect = (command: Command) => {
    command.configureOutput({ writeOut: add, writeErr: add });
    for (const sub of command.commands) collect(sub);
  };
  collect(program);
  try {
    await program.parseAsync(['node', 'legacy-conformance', ...words]);
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, said };
    if (error instanceof UsageError) return { code: 2, said: error.message };
    throw error;
  }
  throw new Error(`${words.join(' ')}: expected to be refused`);
}

/** Every verb with those that it has, as words: `contracts`, `contracts verify`. */
const EVERY_VERB = createProgram().commands.flatMap((verb) => [
  [verb.name()],
  ...verb.commands.map((sub) => [verb.name(), sub.name()]),
]);

test('--version is the program’s version alone; beside a verb it is never a green that nobody checked', async () => {
  expect(await runCommand(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+/),
  });
  expect((await runHere(['check', '--version'])).code).toBe(2);
  for (const [verb = ''] of EVERY_VERB.filter((words) => words.length === 1)) {
    for (const words of [
      [verb, '--version'],
      ['--version', verb],
      [verb, '-V'],
    ]) {
      // `contracts` without a verb of its own prints its help, which is wrong usage too.
      expect([words, (await refusalOf(...words)).code]).toEqual([words, 2]);
    }
  }
});

test('every verb explains itself, and suggests the option that is nearest to a wrong one', async () => {
  expect(EVERY_VERB.length).toBeGreaterThan(14);
  for (const words of EVERY_VERB) {
    const help = await refusalOf(...words, '--help');
    expect([words, help.code]).toEqual([words, 0]);
    expect(help.said).toContain(`Usage: legacy-conformance ${words.join(' ')}`);
    // Each option says what it is.
    expect(help.said).not.toMatch(/^ {2}-[^ ]*(?:, --\S+)?(?: <\S+>)?$/m);
  }
  expect(await refusalOf('check', '--onyl', '4.3')).toEqual({
    code: 2,
    said: expect.stringContaining('(Did you mean --only?)'),
  });
  expect(await refusalOf('chekc')).toEqual({
    code: 2,
    said: expect.stringContaining('mean check?'),
  });
  expect((await refusalOf('contracts', 'verify', '--publsh')).said).toContain('Did you mean --publish?');
  expect((await refusalOf('check', '--workers', 'many')).said).toContain('whole number');
});

test('--variables of a file that is not there: 2 and a sentence, also if Node reads the command line first, as that of npx does', () => {
  const words = ['doctor', '--target', 'x.json', '--variables', 'nowhere.env'];
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...words], { encoding: 'utf8' });
  expect(stderr).toContain('expected an env file that can be read');
  expect(status).toBe(2);
});
