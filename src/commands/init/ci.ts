import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readConfigurationFile } from '../../service/configuration/read-file.ts';
import { environmentNames } from '../../service/configuration/resolve-references.ts';
import { ownManifest } from '../shared/own-package.ts';
import { filled, writeNew } from './new-files.ts';

export type BuildServer = 'github' | 'gitlab';

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
