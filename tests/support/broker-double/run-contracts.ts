import { type CommandEnd, runCommand } from '../command.ts';
import type { BrokerDouble } from './start.ts';

/** A CI system's own variables would decide about version and branch; with two answers about colours the runtime writes a warning. */
const NO_CI = {
  GITHUB_ACTIONS: undefined,
  GITLAB_CI: undefined,
  TF_BUILD: undefined,
  CIRCLECI: undefined,
  BUILDKITE: undefined,
  BITBUCKET_COMMIT: undefined,
  JENKINS_URL: undefined,
  FORCE_COLOR: undefined,
};

/** Runs a verb of `contracts` at a broker, outside of CI. */
export function runContracts(
  { url }: Pick<BrokerDouble, 'url'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  return runCommand(['contracts', ...args], { ...NO_CI, PACT_BROKER_BASE_URL: url, ...env });
}
