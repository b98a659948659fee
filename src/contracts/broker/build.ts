import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../input/usage-error.ts';
import { type CiBuild, type CiSources, ciBuild } from './ci.ts';

export interface Build {
  readonly version: string;
  readonly branch: string | undefined;
  readonly buildUrl: string | undefined;
}

export interface BuildSources extends CiSources {
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
 * @throws UsageError if no commit can be determined
 */
export function detectBuild(pacticipant: string, folder: string, sources: BuildSources = HERE): Build {
  const { version, branch, buildUrl } = ciBuild(sources) ?? fromGit(pacticipant, folder, sources);
  if (version) return { version, branch: branch || undefined, buildUrl: buildUrl || undefined };
  throw new UsageError(
    `which version? ${folder} lies in no git repository, and no CI system that is known names a commit: give --consumer-app-version`,
  );
}

export function detectBesides(
  pacticipant: string,
  version: string,
  folder: string,
  sources: BuildSources = HERE,
): Build {
  try {
    return { ...detectBuild(pacticipant, folder, sources), version };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { version, branch: undefined, buildUrl: undefined };
  }
}

function fromGit(pacticipant: string, folder: string, { git, ownRoot }: BuildSources): CiBuild {
  if (git(folder, 'rev-parse', '--show-toplevel') === ownRoot && pacticipant !== OWN_CONSUMER) {
    throw new UsageError(
      `which version? ${folder} lies in the repository of legacy-api-conformance, whose commit says nothing about ${pacticipant}: give --consumer-app-version, or run it in the repository of ${pacticipant}`,
    );
  }
  const branch = git(folder, 'rev-parse', '--abbrev-ref', 'HEAD');
  return { version: git(folder, 'rev-parse', 'HEAD'), branch: branch === 'HEAD' ? undefined : branch };
}
