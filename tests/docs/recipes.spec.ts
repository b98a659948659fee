/** The recipes of docs/ci.md and docs/ci-jenkins-azure.md, the example and the GitLab component: run as a build server would, from the checkout's own command. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { startFaultyService } from '../support/faulty-service/service.ts';
import { runAction } from '../support/package/composite-action.ts';
import { junitProblems } from '../support/package/junit-schema.ts';
import {
  blockWith,
  gitLabComponent,
  gitLabJob,
  jenkinsVerdict,
  ofAzure,
  ofGitLab,
  ofJenkins,
  type Recipe,
  runRecipe,
} from '../support/package/recipes.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CI = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
const EXAMPLE = join(ROOT, 'examples/gate');
const COMPONENT = readFileSync(join(ROOT, 'templates/check.yml'), 'utf8');

const GITLAB = blockWith(CI, 'resource_group');
const OTHERS = readFileSync(join(ROOT, 'docs/ci-jenkins-azure.md'), 'utf8');
const AZURE = blockWith(OTHERS, 'PublishTestResults');
const JENKINS = blockWith(OTHERS, 'pipeline {');

const ON_STAGING = { target: 'staging/conformance.config.json' };

/** The same closed addresses every night: a history is of one target. */
const NOWHERE = { authUrl: 'http://127.0.0.1:9', baseUrl: 'http://127.0.0.1:9' };

const RECIPES: Readonly<Record<string, Recipe>> = {
  GitLab: ofGitLab(gitLabJob(GITLAB)),
  'the GitLab component': ofGitLab(gitLabComponent(COMPONENT, ON_STAGING)),
  Azure: ofAzure(AZURE),
  Jenkins: ofJenkins(JENKINS),
};

/** A repository whose `node_modules` has the command. */
function repository(): string {
  const folder = test.info().outputPath('repository');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(folder, 'staging'));
  symlinkSync(
    join(ROOT, 'scripts/legacy-conformance.js'),
    join(folder, 'node_modules/.bin/legacy-conformance'),
  );
  return folder;
}

for (const [[name, recipe], details] of firstInTest(Object.entries(RECIPES), 0))
  test(`${name}: a service that is down is exit 3, with a report, and is swept after`, details, async () => {
    const folder = repository();
    const service = await startFaultyService();
    const { env } = service.configure(join(folder, 'staging'));
    await service.close();
    const ended = runRecipe(recipe, folder, env);
    expect(ended.code, ended.output).toBe(3);
    expect(ended.installed.join('\n')).toMatch(
      /npm ci\n(?:npx|npm).*playwright-core install --with-deps chromium-headless-shell/,
    );
    // The end of `sweep`, whose service is down too.
    expect(ended.output).toMatch(/\n\S+\n\ninconclusive \(exit 3\)\n/);
    expect(junitProblems(readFileSync(join(folder, 'conformance-report/junit.xml'), 'utf8'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

test(
  'the GitHub action, two nights in a row with a cache between: the history decides the second, and the summary says why',
  PROVE,
  async () => {
    const cache = test.info().outputPath('cache');
    mkdirSync(cache);
    const night = async (restored: boolean) => {
      const folder = repository();
      const history = join(folder, 'staging/history.json');
      if (restored) cpSync(join(cache, 'history.json'), history);
      const service = await startFaultyService();
      const { env } = service.configure(join(folder, 'staging'), NOWHERE);
      await service.close();
      const inputs = {
        target: ON_STAGING.target,
        history: 'staging/history.json',
      };
      const ended = runAction(join(ROOT, 'action.yml'), folder, inputs, env);
      cpSync(history, join(cache, 'history.json'));
      rmSync(folder, { recursive: true });
      return ended;
    };
    const first = await night(false);
    expect(first.code, first.stderr).toBe(3);
    expect(first.outputs).toMatchObject({ verdict: 'inconclusive', 'exit-code': '3' });
    const file = join(cache, 'history.json');
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    for (const run of kept.runs)
      run.startedAt = new Date(Date.parse(run.startedAt) - 86_400_000).toISOString();
    writeFileSync(file, JSON.stringify(kept));
    const second = await night(true);
    expect(second.code, second.stdout + second.stderr).toBe(3);
    expect(second.outputs).toMatchObject({
      verdict: 'inconclusive',
      'exit-code': '3',
      report: 'conformance-report',
    });
    expect(second.summary).toMatch(/nights without a conclusion: 2/i);
  },
);

test('without the secrets every recipe ends in 2, which none of them makes green', PROVE, () => {
  const folder = repository();
  const file = join(folder, 'staging/conformance.config.json');
  writeFileSync(file, readFileSync(join(EXAMPLE, 'staging/conformance.config.json')));
  for (const [name, recipe] of Object.entries(RECIPES)) {
    const ended = runRecipe(recipe, folder, { STAGING_CLIENT_SECRET: '', STAGING_PASSWORD: '' });
    expect(ended.code, name).toBe(2);
    const junit = readFileSync(join(folder, 'conformance-report/junit.xml'), 'utf8');
    expect(junitProblems(junit), name).toEqual([]);
    expect(junit, name).toContain('STAGING_PASSWORD');
  }
  for (const job of [gitLabJob(GITLAB), gitLabComponent(COMPONENT, {})])
    expect([job.allow_failure, job.timeout]).toEqual([undefined, '75 minutes']);
  expect([0, 1, 2, 3, 4].map((code) => jenkinsVerdict(JENKINS, code))).toEqual([
    'success',
    'failure',
    'failure',
    'unstable',
    'failure',
  ]);
});

test('the component checks the emulator unasked, and takes options', PROVE, () => {
  const folder = repository();
  const job = gitLabComponent(COMPONENT, { options: '--only exchange.token-type-bearer', report: 'out' });
  const ended = runRecipe(ofGitLab(job), folder, {});
  expect(ended.code, ended.output).toBe(0);
  expect(ended.output).not.toContain('sweep');
  expect(existsSync(join(folder, job.artifacts.reports.junit))).toBe(true);
  expect(() => gitLabComponent(COMPONENT, { targets: 'x' })).toThrow('no input targets');
});

test('jobs queue, are not cancelled, and keep their report whatever came of them', () => {
  for (const job of [gitLabJob(GITLAB), gitLabComponent(COMPONENT, ON_STAGING)]) {
    expect(job.resource_group).toMatch(/^legacy-api/);
    expect(job.interruptible).toBe(false);
    expect(job.artifacts).toMatchObject({
      when: 'always',
      reports: { junit: 'conformance-report/junit.xml' },
    });
  }
  expect(ofAzure(AZURE).publishes).toBe('conformance-report/junit.xml');
  expect(JENKINS).toMatch(/disableConcurrentBuilds\(\)/);
  expect(JENKINS).toMatch(/post \{ always \{ junit 'conformance-report\/junit\.xml'/);
});

/** The part of a GitHub workflow that is read here. */
interface Workflow {
  readonly concurrency: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly if?: string;
        readonly permissions?: unknown;
        readonly steps: readonly {
          readonly if?: string;
          readonly run?: string;
          readonly uses?: string;
          readonly with?: Readonly<Record<string, unknown>>;
        }[];
      }
    >
  >;
}

const WORKFLOWS: Readonly<Record<string, string>> = {
  'docs/ci.md': blockWith(CI, 'github.repository =='),
  'the example': readFileSync(join(EXAMPLE, '.github/workflows/legacy-api.yml'), 'utf8'),
};

for (const [name, text] of Object.entries(WORKFLOWS))
  test(`GitHub, ${name}: a fork is skipped and told so; swept and kept in any case`, () => {
    const { concurrency, jobs } = parse(text) as Workflow;
    expect(concurrency).toMatchObject({ 'cancel-in-progress': false });
    const { staging, ...others } = jobs;
    const [fork] = Object.values(others);
    expect(fork?.if).toBe(staging?.if?.replace('==', '!='));
    if (fork !== undefined) expect(runShell(fork.steps[0]?.run ?? 'false')).toContain('not checked');
    const gate = staging?.steps.find(({ run }) => run?.includes(' check '));
    expect(gate).toBeDefined();
    const after = staging?.steps.slice(staging.steps.indexOf(gate as never) + 1) ?? [];
    expect(after.map((step) => step.if)).toEqual(after.map(() => 'always()'));
    expect(after.some(({ run }) => run?.includes(' sweep '))).toBe(true);
    expect(after.some(({ uses }) => uses?.startsWith('actions/upload-artifact'))).toBe(true);
    for (const job of Object.values(jobs))
      for (const { run = '' } of job.steps)
        expect(run, 'an expression in a script can be a command').not.toContain('${{');
  });

/** The step's addition to the job's summary. */
function runShell(script: string): string {
  const folder = test.info().outputPath('summary');
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, '');
  runRecipe({ before: [], check: script, after: [] }, dirname(folder), { GITHUB_STEP_SUMMARY: folder });
  return readFileSync(folder, 'utf8');
}
