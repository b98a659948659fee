/** `init --ci` writes a build server's nightly job for a configuration: with its variables, and without a placeholder where the name is known. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { gitHubWorkflow, gitLabJob } from '../../../src/commands/init/ci.ts';
import { environmentNames } from '../../../src/service/configuration/resolve-references.ts';
import { COMMAND } from '../../support/command.ts';
import { textOf } from '../../support/documentation/pages.ts';
import { startFaultyService } from '../../support/faulty-service/service.ts';
import { gitLabJob as gitLabJobOf, ofGitHub, ofGitLab, runRecipe } from '../../support/package/recipes.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-ci-'));
  mkdirSync(join(folder, 'staging'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: folder });

function init(...args: readonly string[]) {
  return spawnSync(process.execPath, [COMMAND, 'init', ...args], { cwd: folder, encoding: 'utf8' });
}

const OUT = ['--out', 'staging/conformance.config.json'];

test('GitHub: at the root of the repository, with its own name, and each variable', () => {
  git('init', '--quiet');
  git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  const first = init('--ci', 'github', ...OUT);
  expect(first.status, first.stderr).toBe(0);
  const text = readFileSync(join(folder, '.github/workflows/legacy-api.yml'), 'utf8');
  const { jobs } = parse(text);
  expect(jobs.staging.if).toBe("github.repository == 'acme/shop'");
  const named = [...readFileSync(join(folder, 'staging/.env.example'), 'utf8').matchAll(/^(\w+)=/gm)];
  expect(Object.keys(jobs.staging.env).sort()).toEqual(named.map(([, name]) => name).sort());
  expect(text).not.toMatch(/your-|OWNER/);

  const again = init('--ci', 'github', ...OUT);
  expect(again.status).toBe(2);
  expect(again.stderr).toContain('legacy-api.yml is there already');
  expect(init('--ci', 'github', '--force', ...OUT).status).toBe(0);
});

test('GitHub without a known repository: no condition, and no placeholder', () => {
  expect(init('--ci', 'github', ...OUT).status).toBe(0);
  const { jobs } = parse(readFileSync(join(folder, '.github/workflows/legacy-api.yml'), 'utf8'));
  expect(jobs.staging.if).toBeUndefined();
});

test('a package from outside the repository is named, with what to do, and so is a missing guard for forks', () => {
  git('init', '--quiet');
  const file = join(folder, 'package.json');
  const taking = (from: string) =>
    writeFileSync(file, JSON.stringify({ devDependencies: { 'legacy-api-conformance': from } }));
  taking('file:../suite/legacy-api-conformance-0.2.0.tgz');
  const outside = init('--ci', 'github', '--force', ...OUT);
  expect(outside.stdout).toMatch(
    /npm ci finds no legacy-api-conformance there.* commit its packed file to vendor\//,
  );
  expect(outside.stdout).toContain("Add `if: github.repository == 'OWNER/NAME'`");
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  taking('file:vendor/legacy-api-conformance-0.2.0.tgz');
  const inside = init('--ci', 'github', '--force', ...OUT);
  expect([inside.status, inside.stdout]).toEqual([0, expect.not.stringMatching(/npm ci|OWNER/)]);
});

for (const [server, written, recipeOf] of [
  ['github', '.github/workflows/legacy-api.yml', ofGitHub],
  ['gitlab', 'legacy-api.gitlab-ci.yml', (text: string) => ofGitLab(gitLabJobOf(text))],
] as const)
  test(`${server}: the written job runs, is red where the service is down, and sweeps after`, async () => {
    git('init', '--quiet');
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(COMMAND, join(folder, 'node_modules/.bin/legacy-conformance'));
    const service = await startFaultyService();
    const { env } = service.configure(join(folder, 'staging'));
    await service.close();
    expect(init('--ci', server, ...OUT).status).toBe(0);
    const ended = runRecipe(recipeOf(readFileSync(join(folder, written), 'utf8')), folder, env);
    expect(ended.code, ended.output).toBe(3);
    expect(ended.installed[0]).toBe('npm ci');
    // The end of `sweep`, whose service is down too.
    expect(ended.output).toMatch(/\n\S+\n\ninconclusive \(exit 3\)\n/);
    expect(existsSync(join(folder, 'conformance-report/index.html'))).toBe(true);
  });

test('GitLab: a file to include', () => {
  const { status, stdout } = init('--ci', 'gitlab', ...OUT);
  expect(status).toBe(0);
  expect(stdout).toContain('include: { local: legacy-api.gitlab-ci.yml }');
  expect(existsSync(join(folder, 'legacy-api.gitlab-ci.yml'))).toBe(true);
});

test('a published suite’s job uses its action; the page shows what is written', () => {
  const job = {
    target: 'staging/conformance.config.json',
    variables: ['STAGING_LOGIN', 'STAGING_PASSWORD', 'STAGING_CLIENT_SECRET'],
    repository: 'acme/shop',
    action: undefined,
  };
  const published = parse(gitHubWorkflow({ ...job, action: 'acme/suite@v1.0.0' }));
  expect(published.jobs.staging.steps.map(({ uses }: { uses?: string }) => uses)).toEqual([
    'actions/checkout@v4',
    'acme/suite@v1.0.0',
    'actions/upload-artifact@v4',
  ]);
  expect(textOf('docs/ci.md')).toContain(gitHubWorkflow(job));
  expect(textOf('docs/ci.md')).toContain(gitLabJob(job));
  const variables = environmentNames(JSON.parse(textOf('examples/gate/staging/conformance.config.json')));
  const example = gitHubWorkflow({ ...job, variables, repository: undefined });
  expect(textOf('examples/gate/.github/workflows/legacy-api.yml')).toBe(example);
  expect(textOf('examples/gate/.gitlab-ci.yml')).toBe(gitLabJob(job));
});
