import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programName } from '../document/input/program-name.ts';
import { UsageError } from '../document/input/usage-error.ts';
import { readConfigurationFile } from '../target/configuration/read-file.ts';
import { environmentNames } from '../target/configuration/resolve-references.ts';
import { schemaFile } from '../target/configuration/schema-notes.ts';
import { requireWritableFile } from './write-files.ts';

interface InitRequest {
  /** Default: by the extension of `out`, else a module. */
  readonly format: 'json' | 'ts' | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
}

const STARTERS = new URL('../../generated/starters.json', import.meta.url);

export function starterFile({ format, out }: Pick<InitRequest, 'format' | 'out'>): string {
  // Node loads `export default` from a `.mts` file in every package, from `.ts` not in one of CommonJS.
  return out ?? `conformance.config.${format === 'json' ? 'json' : 'mts'}`;
}

export function writeStarter({ format, out, force }: InitRequest): string {
  const file = starterFile({ format, out });
  const chosen = format ?? (extname(file) === '.json' ? 'json' : 'ts');
  requireEnding(file, chosen);
  const env = join(dirname(file), '.env.example');
  const toSchema = relative(resolve(dirname(file)), schemaFile);
  const { module, moduleEnv, json, jsonEnv } = JSON.parse(readFileSync(STARTERS, 'utf8'));
  const whole = `${JSON.stringify({ $schema: toSchema, ...json }, null, 2)}\n`;
  const files = chosen === 'json' ? { [file]: whole, [env]: jsonEnv } : { [file]: module, [env]: moduleEnv };
  writeNew(files, force);
  return `wrote ${file} and ${env}

Next
  1. fill in ${file}${/\.json$/.test(file) ? '' : '; keys in comments are optional'}
  2. copy ${env} to ${join(dirname(file), '.env')}, fill it in, and keep it out of version control
  3. ${programName()} doctor --walk --target ${file}
`;
}

const ENDINGS: Readonly<Record<'json' | 'ts', readonly string[]>> = {
  json: ['json'],
  ts: ['ts', 'mts', 'js', 'mjs'],
};

function requireEnding(file: string, format: 'json' | 'ts'): void {
  const endings = ENDINGS[format];
  if (endings.includes(extname(file).slice(1))) return;
  throw new UsageError(
    `--out: expected a file that ends in ${endings.map((one) => `.${one}`).join(' or ')}, got ${file}`,
  );
}

function writeNew(files: Readonly<Record<string, string>>, force: boolean): void {
  const there = Object.keys(files).filter((one) => existsSync(one));
  if (there.length > 0 && !force) {
    throw new UsageError(
      `init: ${there.join(' and ')} ${there.length === 1 ? 'is' : 'are'} there already; nothing was written (--force overwrites)`,
    );
  }
  for (const [file, text] of Object.entries(files)) {
    requireWritableFile('--out', file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const SCHEMA = fileURLToPath(new URL('../../spec/app.schema.json', import.meta.url));

const STARTER = {
  name: 'our client',
  start: { command: 'node server.js', ready: 'http://127.0.0.1:{port}/' },
  redirectUri: 'http://127.0.0.1:{port}/callback',
  connect: { visit: 'http://127.0.0.1:{port}/connect' },
  calls: {
    list: { request: 'GET http://127.0.0.1:{port}/projects/{project}/users' },
    assign: { request: 'PUT http://127.0.0.1:{port}/projects/{project}/users/{user}' },
    unassign: { request: 'DELETE http://127.0.0.1:{port}/projects/{project}/users/{user}' },
  },
  variables: {
    PORT: '{port}',
    CLIENT_ID: '{clientId}',
    CLIENT_SECRET: '{clientSecret}',
    SERVICE_AUTH_URL: '{authUrl}',
    SERVICE_API_URL: '{baseUrl}',
    STATE_FOLDER: '{state}',
  },
};

export function writeAppStarter({ format, out, force }: InitRequest): string {
  const file = out ?? `app.config.${format === 'ts' ? 'mts' : 'json'}`;
  const chosen = format ?? (extname(file) === '.json' ? 'json' : 'ts');
  requireEnding(file, chosen);
  writeNew({ [file]: chosen === 'ts' ? moduleText() : jsonText(file) }, force);
  return `wrote ${file}

Next
  1. write down the command that starts your client, the address that begins a sign-in, and your client's variables
     (a client without a server: leave out start, and give commands for connect, callback and calls;
     an application in Node: "clock": "node" moves its clock, so that nothing waits for an expiry)
  2. ${programName()} client --app ${file} --only flow
  3. ${programName()} client --app ${file}
`;
}

function jsonText(file: string): string {
  const $schema = relative(resolve(dirname(file)), SCHEMA);
  return `${JSON.stringify({ $schema, ...STARTER }, null, 2)}\n`;
}

function moduleText(): string {
  return `/**
 * \`legacy-conformance client --app <this file>\` drives our client with these settings. The suite replaces {port}, {state} (an empty folder
 * for each situation), {authUrl}, {baseUrl}, {clientId}, {clientSecret}, {redirectUri}, {project} and {user}.
 *
 * A client without a server has no \`start\`: \`connect: { command }\` prints the address to visit, \`callback: { command }\` gets the address that
 * came back as {address}, and each of \`calls\` is a { command }.
 */
export default ${JSON.stringify(STARTER, null, 2)};
`;
}

type BuildServer = 'github' | 'gitlab';

interface CiRequest {
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
  writeNew({ [file]: text }, force);
  const where =
    server === 'github' ? 'Settings, Secrets and variables, Actions' : 'Settings, CI/CD, Variables';
  const include = server === 'gitlab' ? `\n  add to .gitlab-ci.yml: include: { local: ${GITLAB_FILE} }` : '';
  return `wrote ${file}
  set there (${where}): ${variables.join(', ') || 'nothing'}${include}
`;
}

const GITHUB_FILE = '.github/workflows/legacy-api.yml';
const GITLAB_FILE = 'legacy-api.gitlab-ci.yml';

interface CiJob {
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
# Two runs on one project would unassign each other's users. So runs wait for each other, and CI cancels none.
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
  return `  # In a fork, the summary says that nothing was checked.
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
  # Exit 3: the suite could not evaluate the service. GitLab shows the job in orange and continues. Every other exit code is red.
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
