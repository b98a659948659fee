/** `init` writes what a beginner can fill in, and overwrites nothing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@playwright/test';
import { writeStarter } from '../../../src/commands/init/starters.ts';
import {
  loadConfiguration,
  readConfiguration,
} from '../../../src/service/configuration/load-configuration.ts';
import { configurationSchema } from '../../../src/service/configuration/schema-notes.ts';
import { COMMAND } from '../../support/command.ts';
import { runHere } from '../../support/command-here.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'init-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The variables of `.env.example`, each given a value. */
function filledIn(): Readonly<Record<string, string>> {
  const { ...named } = parseEnv(readFileSync(join(directory, '.env.example'), 'utf8'));
  return Object.fromEntries(Object.keys(named).map((name) => [name, `value of ${name}`]));
}

for (const name of ['conformance.config.ts', 'conformance.config.json', 'conformance.config.mjs']) {
  test(`${name} is a configuration once its variables are set`, async () => {
    const file = join(directory, name);
    writeStarter({ out: file, force: false });
    const configuration = await loadConfiguration(file, filledIn());
    expect(configuration.owner.password).toBe('value of STAGING_PASSWORD');
    expect(configuration.signIn.steps.length).toBeGreaterThan(0);
    // The variables are the only thing that is missing, and they are told.
    await expect(loadConfiguration(file, {})).rejects.toThrow('STAGING_CLIENT_SECRET');
  });
}

test('every key of the schema is in the module, those that may be left out as comments that are right', async () => {
  const file = join(directory, 'conformance.config.ts');
  writeStarter({ out: file, force: false });
  const text = readFileSync(file, 'utf8');
  for (const key of Object.keys(configurationSchema().properties ?? {}).filter((k) => k !== '$schema'))
    expect(text, key).toMatch(new RegExp(`^ {2}(// )?${key}: `, 'm'));
  const everything = text.replace(/^( *)\/\/ ( *(?:\w+: .*[,{[]|[}\]],|\{ .*\},))$/gm, '$1$2');
  expect(everything).not.toMatch(/^ *\/\/ \w+: \{/m);
  const whole = join(directory, 'whole.config.ts');
  writeFileSync(whole, everything);
  await expect(readConfiguration(whole)).resolves.toHaveProperty('clock');
});

test('JSON tells the editor where the schema is', () => {
  const file = join(directory, 'conformance.config.json');
  writeStarter({ out: file, force: false });
  const { $schema } = JSON.parse(readFileSync(file, 'utf8')) as { $schema: string };
  expect(existsSync(join(directory, $schema))).toBe(true);
});

test('nothing is overwritten, not even half of it, unless it is asked for', async () => {
  const file = join(directory, 'conformance.config.ts');
  writeFileSync(join(directory, '.env.example'), 'MINE=1\n');
  const refused = await runHere(['init', '--out', file]);
  expect(refused.stderr).toContain('.env.example is there already; nothing was written');
  expect(refused.code).toBe(2);
  expect(existsSync(file)).toBe(false);
  const forced = await runHere(['init', '--out', file, '--force']);
  expect(forced.code).toBe(0);
  expect(forced.stdout).toContain(`legacy-conformance doctor --walk --target ${file}`);
  expect(readFileSync(join(directory, '.env.example'), 'utf8')).toContain('STAGING_PASSWORD=');
});

test('an ending that Node does not load is refused', () => {
  const request = { out: join(directory, 'conformance.config.yaml'), force: false } as const;
  expect(() => writeStarter(request)).toThrow('expected a file that ends in .mts');
});

test('a folder that cannot be written: 2, and the path', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  for (const [verb, option, name] of [
    [['init'], '--out', 'conformance.config.mts'],
    [['init', '--client'], '--out', 'app.config.json'],
    [['explore', '--requests', '20'], '--report', 'report'],
  ] as const) {
    const { code, stderr } = await runHere([...verb, option, join(file, name)]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${option}: expected a folder that can be written to`),
    ]);
  }
});

test('Git ignores the secrets beside the configuration, and the reports of any verb started here', () => {
  const inFolder = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { cwd: directory, encoding: 'utf8' });
  inFolder('git', 'init', '--quiet');
  for (const [args, ignored] of [
    [['--client'], ['report']],
    [
      ['--out', 'staging/conformance.config.json'],
      ['staging/.env', 'report', 'staging/report'],
    ],
  ] as const) {
    expect(inFolder(process.execPath, '--', COMMAND, 'init', ...args).stderr).toBe('');
    const files = ignored.map((folder) => `${folder}${folder.endsWith('.env') ? '' : '/check/index.html'}`);
    expect(
      inFolder('git', 'check-ignore', ...files)
        .stdout.trim()
        .split('\n'),
    ).toEqual(files);
  }
});

test('secrets and reports are kept out of Git, beside what the folder ignores already', () => {
  const ignored = join(directory, '.gitignore');
  writeFileSync(ignored, 'dist\n.env');
  const request = { out: join(directory, 'conformance.config.ts'), force: true } as const;
  writeStarter(request);
  writeStarter(request);
  expect(readFileSync(ignored, 'utf8')).toBe('dist\n.env\nreport/\n');
});
