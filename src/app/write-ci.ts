import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readConfigurationFile } from '../config/read-file.ts';
import { environmentNames } from '../config/resolve-references.ts';
import { UsageError } from '../input/usage-error.ts';

export type BuildServer = 'github' | 'gitlab';

export interface CiRequest {
  readonly server: BuildServer;
  readonly target: string;
  readonly force: boolean;
}

/** Writes the job that checks a configured target each night, with the variables that its configuration names. */
export async function writeCi({ server, target, force }: CiRequest): Promise<string> {
  const root = gitOutput(['rev-parse', '--show-toplevel']) ?? process.cwd();
  const variables = environmentNames(await readConfigurationFile(target));
  const job = {
    target: relative(root, resolve(target)).split(sep).join('/'),
    variables,
    repository: gitHubName(gitOutput(['config', '--get', 'remote.origin.url']) ?? ''),
    action: ownAction(),
  };
  const [path, text] =
    server === 'github' ? [GITHUB_FILE, gitHubWorkflow(job)] : [GITLAB_FILE, gitLabJob(job)];
  const file = join(root, path);
  if (existsSync(file) && !force)
    throw new UsageError(`init: ${file} is there already; nothing was written to it (--force overwrites)`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const where =
    server === 'github' ? 'Settings, Secrets and variables, Actions' : 'Settings, CI/CD, Variables';
  const include = server === 'gitlab' ? `\n  add to .gitlab-ci.yml: include: { local: ${GITLAB_FILE} }` : '';
  return `wrote ${file}
  set there (${where}): ${variables.join(', ') || 'nothing'}${include}
`;
}

const GITHUB_FILE = '.github/workflows/legacy-api.yml';
const GITLAB_FILE = 'legacy-api.gitlab-ci.yml';

export interface CiJob {
  readonly target: string;
  readonly variables: readonly string[];
  readonly repository: string | undefined;
  readonly action: string | undefined;
}

export function gitHubWorkflow({ target, variables, repository, action }: CiJob): string {
  const steps =
    action === undefined
      ? [
          '- uses: actions/setup-node@v4',
          '  with: { node-version: 24 }',
          '- run: npm ci',
          '- run: npx playwright-core install --with-deps chromium-headless-shell',
          `- run: npx --no-install legacy-conformance check --target ${target} --report conformance-report`,
          '- if: always()',
          `  run: npx --no-install legacy-conformance sweep --target ${target} --report conformance-report`,
        ]
      : [`- uses: ${action}`, `  with: { target: ${target} }`];
  return `name: legacy-api
on:
  schedule: [{ cron: '17 3 * * *' }]
  workflow_dispatch:
# Two runs on one project would take each other's users away: they queue, and none is cancelled halfway.
concurrency: { group: legacy-api, cancel-in-progress: false }
jobs:
  staging:
${repository === undefined ? '' : `    # A fork has no secrets: there the job is skipped.\n    if: github.repository == '${repository}'\n`}    runs-on: ubuntu-latest
    permissions: { contents: read }
${variables.length === 0 ? '' : `    env:\n${variables.map((name) => `      ${name}: \${{ secrets.${name} }}\n`).join('')}`}    steps:
      - uses: actions/checkout@v4
${steps.map((line) => `      ${line}\n`).join('')}      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: conformance-report, path: conformance-report }
${repository === undefined ? '' : forkJob(repository)}`;
}

function forkJob(repository: string): string {
  return `  # Neither is silence: the summary of a fork says that nothing was checked.
  fork:
    if: github.repository != '${repository}'
    runs-on: ubuntu-latest
    permissions: {}
    steps:
      - run: echo 'Staging was not checked, because this is a fork without its secrets.' >> "$GITHUB_STEP_SUMMARY"
`;
}

export function gitLabJob({ target }: Pick<CiJob, 'target'>): string {
  return `legacy-api:
  image: node:24
  resource_group: legacy-api   # one run at a time
  interruptible: false
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  before_script:
    - npm ci
    - npx playwright-core install --with-deps chromium-headless-shell
  script:
    - npx --no-install legacy-conformance check --target ${target} --report conformance-report
  after_script:
    - npx --no-install legacy-conformance sweep --target ${target} --report conformance-report
  # The service was down, not wrong: the job is shown in orange, and the pipeline goes on. Every other code stays red.
  allow_failure: { exit_codes: [3] }
  artifacts:
    when: always
    paths: [conformance-report]
    reports: { junit: conformance-report/junit.xml }
`;
}

function gitOutput(args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function gitHubName(remote: string): string | undefined {
  return /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(remote)?.[1];
}

/** The release writes the suite's repository into its package. */
function ownAction(): string | undefined {
  const manifest = new URL('../../package.json', import.meta.url);
  const { version, repository } = JSON.parse(readFileSync(manifest, 'utf8'));
  const name = gitHubName(repository?.url ?? '');
  return name && `${name}@v${version}`;
}
