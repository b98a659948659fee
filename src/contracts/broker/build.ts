import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../document/input/usage-error.ts';
import type { Environment } from '../../http/proxy.ts';

export interface Build {
  readonly version: string;
  readonly branch: string | undefined;
  readonly buildUrl: string | undefined;
}

export interface BuildSources {
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  readonly git: (folder: string, ...args: readonly string[]) => string | undefined;
  readonly ownRoot: string;
}

const OWN_CONSUMER = 'legacy-api-reference-client';

export const HERE: BuildSources = {
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  git: (folder, ...args) => {
    try {
      return execFileSync('git', ['-C', folder, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return undefined;
    }
  },
  ownRoot: fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, ''),
};

/**
 * Returns version, branch and build URL of a pacticipant: from the CI system, otherwise from the repository of its files. Never
 * uses the repository of this program.
 *
 * @param folder a folder of the pacticipant's repository: that of its pacts, otherwise the current one
 * @param given the version, if the user has named it
 * @throws UsageError if no commit can be determined
 */
export function detectBuild(
  pacticipant: string,
  folder: string,
  given?: string,
  sources: BuildSources = HERE,
): Build {
  const named = ciBuild(sources);
  const found = (named?.version ?? named?.problem) ? named : fromGit(pacticipant, folder, sources);
  const version = given ?? found?.version;
  if (version)
    return {
      version,
      branch: branchIn(named?.branch, found?.branch),
      buildUrl: named?.buildUrl || undefined,
    };
  const none = `${folder} is in no git repository, and no known CI system names a commit; give --consumer-app-version`;
  throw new UsageError(found?.problem ?? `the consumer's version is unknown: ${none}`);
}

function fromGit(pacticipant: string, folder: string, { git, ownRoot }: BuildSources): CiBuild {
  if (git(folder, 'rev-parse', '--show-toplevel') === ownRoot && pacticipant !== OWN_CONSUMER)
    return {
      problem: `the consumer's version is unknown: ${folder} is in the repository of legacy-api-conformance, whose commit says nothing about ${pacticipant}: give --consumer-app-version, or run it in the repository of ${pacticipant}`,
    };
  const branch = git(folder, 'rev-parse', '--abbrev-ref', 'HEAD');
  return { version: git(folder, 'rev-parse', 'HEAD'), branch };
}

/** Returns the first name of a branch; git and Jenkins say `HEAD` and `detached` for none. */
function branchIn(...names: readonly (string | undefined)[]): string | undefined {
  return names.find((name) => name && name !== 'HEAD' && name !== 'detached');
}

interface CiBuild extends Partial<Build> {
  /** The reason why there is no version. */
  readonly problem?: string;
}

/**
 * Returns the CI system's values for this build; undefined outside of one.
 * On a pull request a CI system may check out and name a merge that is never deployed. The version is therefore the head commit,
 * which the author pushed and which is deployed later.
 */
export function ciBuild({ env, readFile }: BuildSources): CiBuild | undefined {
  if (env.GITHUB_ACTIONS === 'true') return fromGitHub(env, readFile);
  const system = SYSTEMS.find(({ is }) => !/^(?:false)?$/i.test(env[is] ?? ''));
  if (system === undefined) return undefined;
  const { version, branch, buildUrl } = system;
  return {
    version: version.map((name) => env[name]).find((commit) => commit && commit !== 'HEAD'),
    branch: branchIn(...branch.map((name) => branchNamed(env[name]))),
    buildUrl:
      typeof buildUrl === 'function' ? buildUrl(env) : buildUrl.map((name) => env[name]).find(Boolean),
  };
}

/** The variables of a CI system, in the order of their precedence. */
interface System {
  readonly is: string;
  readonly version: readonly string[];
  readonly branch: readonly string[];
  readonly buildUrl: readonly string[] | ((env: Environment) => string | undefined);
}

// Own code, because env-ci 11.2 names the merge of a pull request, keeps `HEAD`, `detached` and `origin/`, and brings 20 packages.
const SYSTEMS: readonly System[] = [
  {
    // GitLab. The merge request's variables are set only in its pipeline.
    is: 'GITLAB_CI',
    version: ['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'],
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_BRANCH'],
    buildUrl: ['CI_JOB_URL', 'CI_PIPELINE_URL'],
  },
  {
    // Azure Pipelines. The branch comes as `refs/heads/NAME`.
    is: 'TF_BUILD',
    version: ['SYSTEM_PULLREQUEST_SOURCECOMMITID', 'BUILD_SOURCEVERSION'],
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
    buildUrl: ({ BUILD_BUILDID: id, SYSTEM_COLLECTIONURI: at = '', SYSTEM_TEAMPROJECT: project = '' }) =>
      id && `${at}${encodeURIComponent(project)}/_build/results?buildId=${id}`,
  },
  { is: 'CIRCLECI', version: ['CIRCLE_SHA1'], branch: ['CIRCLE_BRANCH'], buildUrl: ['CIRCLE_BUILD_URL'] },
  {
    // Buildkite says HEAD for a build that was started by hand; then the checkout has the commit.
    is: 'BUILDKITE',
    version: ['BUILDKITE_COMMIT'],
    branch: ['BUILDKITE_BRANCH'],
    buildUrl: ['BUILDKITE_BUILD_URL'],
  },
  {
    is: 'BITBUCKET_COMMIT',
    version: ['BITBUCKET_COMMIT'],
    branch: ['BITBUCKET_BRANCH'],
    buildUrl: ({ BITBUCKET_GIT_HTTP_ORIGIN: at, BITBUCKET_BUILD_NUMBER: number }) =>
      at && number && `${at}/addon/pipelines/home#!/results/${number}`,
  },
  {
    // Jenkins. `BRANCH_NAME` is `PR-7` on a change request, whose own branch is `CHANGE_BRANCH`.
    is: 'JENKINS_URL',
    version: ['GIT_COMMIT'],
    branch: ['CHANGE_BRANCH', 'BRANCH_NAME', 'GIT_LOCAL_BRANCH', 'GIT_BRANCH'],
    buildUrl: ['BUILD_URL'],
  },
];

function branchNamed(ref: string | undefined): string | undefined {
  if (ref?.startsWith('refs/')) return /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  return ref?.replace(/^(origin|upstream)\//, '');
}

function fromGitHub(env: Environment, readFile: BuildSources['readFile']): CiBuild {
  const buildUrl =
    env.GITHUB_SERVER_URL && env.GITHUB_REPOSITORY && env.GITHUB_RUN_ID
      ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
      : undefined;
  const event = env.GITHUB_EVENT_NAME ?? '';
  if (event.startsWith('pull_request') || event === 'workflow_run') {
    const head = headOf(env.GITHUB_EVENT_PATH, readFile);
    if (head === undefined)
      return {
        problem: `the commit of the event ${event} cannot be read from GITHUB_EVENT_PATH: give --consumer-app-version, the head's commit and not the merge's`,
        buildUrl,
      };
    return { version: head.sha, branch: env.GITHUB_HEAD_REF || head.branch, buildUrl };
  }
  const branch = env.GITHUB_REF_TYPE === 'branch' ? env.GITHUB_REF_NAME : undefined;
  return { version: env.GITHUB_SHA, branch, buildUrl };
}

/** Returns the commit that the author pushed, of a pull request or of the run that a workflow follows. */
function headOf(path: string | undefined, readFile: BuildSources['readFile']) {
  try {
    const { pull_request, workflow_run } = JSON.parse(readFile(path ?? ''));
    const sha: unknown = pull_request?.head?.sha ?? workflow_run?.head_sha;
    const branch: unknown = pull_request?.head?.ref ?? workflow_run?.head_branch;
    if (typeof sha !== 'string') return undefined;
    return { sha, branch: typeof branch === 'string' ? branch : undefined };
  } catch {
    return undefined;
  }
}
