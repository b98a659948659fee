import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BrokerUsage } from './access.ts';

/** What is published, as the repository and its CI system know it. */
export interface Build {
  /** The commit. */
  readonly version: string;
  /** Absent for a tag, and where no branch is checked out. */
  readonly branch?: string;
  /** Page of the build; absent outside of CI. */
  readonly buildUrl?: string;
}

/** Where a build's facts come from. Injected, so that the rules can be tested without a CI system. */
export interface BuildSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file. Throws where there is none. */
  readonly readFile: (path: string) => string;
  /** What git prints, without the line's end; undefined where it fails. */
  readonly git: (...args: readonly string[]) => string | undefined;
}

/** The real sources. */
export const HERE: BuildSources = {
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  git: (...args) => {
    try {
      return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return undefined;
    }
  },
};

/**
 * Version, branch and build URL of what is built here: GitHub Actions, GitLab CI, else git.
 *
 * On a pull request a CI system checks out, and names as its commit, a merge of two branches that nobody will ever deploy.
 * The version is therefore the head's: the commit that the author pushed, and that is deployed later.
 *
 * @throws BrokerUsage when no commit can be found out
 */
export function detectBuild(sources: BuildSources = HERE): Build {
  const { env } = sources;
  if (env.GITHUB_ACTIONS === 'true') return fromGitHub(sources);
  if (env.GITLAB_CI === 'true') return fromGitLab(env);
  return fromGit(sources);
}

function fromGitHub({ env, readFile }: BuildSources): Build {
  const buildUrl =
    env.GITHUB_SERVER_URL && env.GITHUB_REPOSITORY && env.GITHUB_RUN_ID
      ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
      : undefined;
  const event = env.GITHUB_EVENT_NAME ?? '';
  if (event.startsWith('pull_request') || event === 'workflow_run') {
    const payload = eventIn(env.GITHUB_EVENT_PATH, readFile);
    const head = headOf(payload);
    if (head.sha === undefined) {
      throw new BrokerUsage(
        `the commit of the event ${event} cannot be read from GITHUB_EVENT_PATH: give --version, the head's commit and not the merge's`,
      );
    }
    return build(head.sha, env.GITHUB_HEAD_REF || head.branch, buildUrl);
  }
  const branch = env.GITHUB_REF_TYPE === 'branch' ? env.GITHUB_REF_NAME : undefined;
  return build(env.GITHUB_SHA, branch, buildUrl);
}

function eventIn(path: string | undefined, readFile: BuildSources['readFile']): unknown {
  if (path === undefined) return undefined;
  try {
    return JSON.parse(readFile(path));
  } catch {
    return undefined;
  }
}

function headOf(payload: unknown): { sha: string | undefined; branch: string | undefined } {
  const { pull_request, workflow_run } = (payload ?? {}) as {
    readonly pull_request?: { readonly head?: { readonly sha?: unknown; readonly ref?: unknown } };
    readonly workflow_run?: { readonly head_sha?: unknown; readonly head_branch?: unknown };
  };
  const sha = pull_request?.head?.sha ?? workflow_run?.head_sha;
  const branch = pull_request?.head?.ref ?? workflow_run?.head_branch;
  return {
    sha: typeof sha === 'string' ? sha : undefined,
    branch: typeof branch === 'string' ? branch : undefined,
  };
}

/** The merge request's variables are set, and not empty, only where the pipeline runs for one. */
function fromGitLab(env: BuildSources['env']): Build {
  return build(
    env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_BRANCH,
    env.CI_JOB_URL || env.CI_PIPELINE_URL,
  );
}

function fromGit({ git }: BuildSources): Build {
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  return build(git('rev-parse', 'HEAD'), branch === 'HEAD' ? undefined : branch, undefined);
}

function build(version: string | undefined, branch: string | undefined, buildUrl: string | undefined): Build {
  if (!version) {
    throw new BrokerUsage('which version? There is no commit to be found here: give --version');
  }
  return { version, ...(branch ? { branch } : {}), ...(buildUrl ? { buildUrl } : {}) };
}
