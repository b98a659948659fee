import type { BrokerAccess } from './access.ts';
import { type BrokerAnswer, granted, troubled } from './answer.ts';
import { type CliEnd, DEADLINE_MS, runPactCli } from './pact-cli.ts';
import { TROUBLES, troubleOf } from './trouble.ts';

/** What has been deployed, and where. */
export interface DeploymentRecord {
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: string;
  /** Which of several installations in one environment. */
  readonly instance: string | undefined;
}

/** Tells the broker that a version now runs in an environment, in place of the one before it. */
export async function recordDeployment(
  access: BrokerAccess,
  record: DeploymentRecord,
): Promise<BrokerAnswer> {
  const { pacticipant, version, environment, instance } = record;
  const end = await runPactCli(access, [
    'record-deployment',
    // Pact's program puts both into an address as they are.
    `--pacticipant=${encodeURIComponent(pacticipant)}`,
    `--version=${encodeURIComponent(version)}`,
    `--environment=${environment}`,
    ...(instance === undefined ? [] : [`--application-instance=${instance}`]),
    '--output=json',
  ]);
  const what = `${pacticipant} ${version}`;
  if (end.code === 0 && isRecorded(end)) {
    return granted(
      access,
      `recorded: ${what} is deployed to ${environment}${instance === undefined ? '' : ` (${instance})`}`,
    );
  }
  const trouble =
    end.code === 0 ? TROUBLES.noBroker(access.baseUrl) : troubleOf(end, access.baseUrl, DEADLINE_MS);
  if (/failed: 404 /.test(end.stdout)) {
    return troubled(access, {
      kind: 'unknown',
      message: `the broker at ${access.baseUrl} does not know ${what} (404): publish its pact or its verification result first. Nothing was recorded`,
    });
  }
  return troubled(access, { ...trouble, message: `${trouble.message}. Nothing was recorded` });
}

function isRecorded({ stdout }: CliEnd): boolean {
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  return (
    line !== undefined && (JSON.parse(line) as { currentlyDeployed?: unknown }).currentlyDeployed === true
  );
}
