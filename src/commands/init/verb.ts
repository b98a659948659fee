import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandFor } from '../../document/input/program-name.ts';
import { unlessPlain } from '../../document/input/shell-quotes.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { readConfigurationFile } from '../../service/configuration/read-file.ts';
import { environmentNames } from '../../service/configuration/resolve-references.ts';
import { schemaFile } from '../../service/configuration/schema-notes.ts';
import { ownManifest } from '../shared/own-package.ts';
import { requireWritableFile } from '../shared/write-files.ts';

interface InitRequest {
  /** The extension chooses a module or JSON. */
  readonly out: string | undefined;
  readonly force: boolean;
}

const STARTERS = new URL('../../../generated/starters.json', import.meta.url);

/** Node loads `export default` from a `.mts` file in every package, from `.ts` not in one of CommonJS. */
export const STARTER = 'conformance.config.mts';

/** Writes a configuration to fill in. Returns what to do next. @throws UsageError if it exists */
export function writeStarter({ out: file = STARTER, force }: InitRequest): string {
  const isJson = isJsonFile(file);
  const env = join(dirname(file), '.env.example');
  const toSchema = relative(resolve(dirname(file)), schemaFile);
  const { module, moduleEnv, json, jsonEnv } = JSON.parse(readFileSync(STARTERS, 'utf8'));
  const whole = `${JSON.stringify({ $schema: toSchema, ...json }, null, 2)}\n`;
  const files = isJson ? { [file]: whole, [env]: jsonEnv } : { [file]: module, [env]: moduleEnv };
  writeNew(files, force);
  ignore(dirname(file), ['.env', 'report/']);
  ignore('.', ['report/']);
  return `wrote ${file} and ${env}

Next
  1. fill in ${file}${isJson ? '' : '; keys in comments are optional'}
  2. copy ${env} to ${join(dirname(file), '.env')}, fill it in; .gitignore keeps it and reports out of version control
  3. ${commandFor('doctor --walk --propose', file)}
     (it finds signIn and consent, and grants nothing)
  4. ${commandFor('doctor --walk', file)}
     (it grants consent: record first, if the record matters, by docs/record-before-retirement.md)
  5. ${commandFor('check --smoke', file)}
  6. ${commandFor('check', file)}
`;
}

/** Adds what Git must not keep to the folder's `.gitignore`. */
function ignore(folder: string, names: readonly string[]): void {
  const file = join(folder, '.gitignore');
  requireWritableFile('--out', file);
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = written.split('\n').map((line) => line.trim());
  const missing = names.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  const before = lines.at(-1) === '' ? '' : '\n';
  if (missing.length > 0) appendFileSync(file, `${before}${missing.join('\n')}\n`);
}

const ENDINGS = ['.mts', '.ts', '.js', '.mjs', '.json'];

/** @throws UsageError for a file that is neither JSON nor a module */
function isJsonFile(file: string): boolean {
  if (!ENDINGS.includes(extname(file)))
    throw new UsageError(`--out: expected a file that ends in ${ENDINGS.join(' or ')}, got ${file}`);
  return extname(file) === '.json';
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
    writeFileSync(file, text);
  }
}

const SCHEMA = fileURLToPath(new URL('../../../spec/app.schema.json', import.meta.url));

/**
 * Writes the file that says how to drive a client. Returns what to do next.
 *
 * @throws UsageError if it exists
 */
export function writeAppStarter({ out: file = 'app.config.json', force }: InitRequest): string {
  const starter = template('app.json');
  const $schema = relative(resolve(dirname(file)), SCHEMA);
  const text = isJsonFile(file)
    ? `${JSON.stringify({ $schema, ...JSON.parse(starter) }, null, 2)}\n`
    : filled('app.txt', { starter: [starter.trim()] });
  writeNew({ [file]: text }, force);
  ignore('.', ['report/']);
  return `wrote ${file}; .gitignore keeps reports out of version control

Next
  1. write down the command that starts your client, the address that begins a sign-in, and your client's variables
     (a client without a server: leave out start, and give commands for connect, callback and calls;
     an application in Node: "clock": "node" moves its clock, so that nothing waits for an expiry;
     PHP_CLI_SERVER_WORKERS=6, puma -t 5:5 and the like: without workers, no race can be checked)
  2. ${commandFor('client --app')} ${unlessPlain(file)} --only flow
  3. ${commandFor('client --app')} ${unlessPlain(file)}
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
  const [where, more] =
    server === 'gitlab'
      ? [
          'Settings, CI/CD, Variables',
          `\n  add to .gitlab-ci.yml: include: { local: ${GITLAB_FILE} }\n  the job runs on a schedule alone: create one (Build, Pipeline schedules)`,
        ]
      : ['Settings, Secrets and variables, Actions', job.repository ? '' : NO_GUARD];
  const outside = packagesOutside(join(root, 'package.json')).map(
    (name) =>
      `\n  npm ci finds no ${name} there, because package.json takes it from outside the repository: commit its packed file to vendor/, then npm install --save-dev ./vendor/FILE.tgz`,
  );
  return `wrote ${file}
  set there (${where}): ${variables.join(', ') || 'nothing'}${more}${outside.join('')}
`;
}

const NO_GUARD =
  "\n  there is no remote on GitHub: in a fork, which has no secrets, the job is red. Add `if: github.repository == 'OWNER/NAME'`";

/** Names the dependencies that a clone of the repository does not have. */
function packagesOutside(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries<string>({ ...dependencies, ...devDependencies })
    .filter(([, from]) => /^file:(?:\.\.|\/)/.test(from))
    .map(([name]) => name);
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
  return filled('github.txt', {
    target: [target],
    variables,
    npm: action === undefined ? [''] : [],
    repository: [repository ?? []].flat(),
    action: [action ?? []].flat(),
  });
}

export function gitLabJob({ target }: CiJob): string {
  return filled('gitlab.txt', { target: [target] });
}

function template(name: string): string {
  return readFileSync(new URL(`../../../templates/init/${name}`, import.meta.url), 'utf8');
}

/**
 * Fills a template: repeats a line for each value of its placeholder `<name>`, and drops a line that begins with `<name?>` without
 * such a value.
 */
function filled(name: string, values: Readonly<Record<string, readonly string[]>>): string {
  return template(name)
    .split('\n')
    .flatMap((line) => {
      const [, condition = '', text = ''] = /^(?:<(\w+)\?>)?(.*)$/.exec(line) ?? [];
      if (values[condition]?.length === 0) return [];
      const [, placeholder = ''] = /<(\w+)>/.exec(text) ?? [];
      return (values[placeholder] ?? ['']).map((value) => text.replaceAll(`<${placeholder}>`, () => value));
    })
    .join('\n');
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
  const { version, repository } = ownManifest();
  const name = gitHubName(repository?.url ?? '');
  return name && `${name}@v${version}`;
}
