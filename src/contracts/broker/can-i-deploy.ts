import type { BrokerAccess } from './access.ts';
import { type BrokerAnswer, denied, granted, troubled, undecided } from './answer.ts';
import { DEADLINE_MS, runPactCli } from './pact-cli.ts';
import { TROUBLES, troubleOf } from './trouble.ts';

/** The question. */
export interface DeployQuestion {
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: string;
  /** How often to ask again while a result is missing: the verification may be under way. */
  readonly retries: number;
  /** Seconds between two times. */
  readonly intervalSeconds: number;
}

interface Summary {
  readonly deployable: boolean | null;
  readonly reason: string;
}

/**
 * Asks whether a version may be deployed to an environment. The answer is read from the summary and never from the exit code
 * of Pact's program, which with JSON is 0 whatever the broker says.
 *
 * @returns exit 0 for yes, 1 for no, 3 where a result is missing or the broker cannot say
 */
export async function canIDeploy(access: BrokerAccess, question: DeployQuestion): Promise<BrokerAnswer> {
  const { pacticipant, version, environment, retries, intervalSeconds } = question;
  const deadlineMs = DEADLINE_MS + retries * intervalSeconds * 1_000;
  const end = await runPactCli(
    access,
    [
      'can-i-deploy',
      // With an equals sign between name and value these two are overlooked: the program reads them a second way.
      '--pacticipant',
      pacticipant,
      '--version',
      version,
      `--to-environment=${environment}`,
      '--output=json',
      ...(retries === 0 ? [] : [`--retry-while-unknown=${retries}`, `--retry-interval=${intervalSeconds}`]),
    ],
    { deadlineMs },
  );
  if (end.code !== 0 || end.late) return troubled(access, troubleOf(end, access.baseUrl, deadlineMs));
  const summary = summaryIn(end.stdout);
  if (summary === undefined) return troubled(access, TROUBLES.noBroker(access.baseUrl));
  const what = `${pacticipant} ${version}`;
  const reasons = summary.reason.split('\n');
  if (summary.deployable === true)
    return granted(access, `yes: ${what} may be deployed to ${environment}`, reasons);
  if (summary.deployable === false)
    return denied(access, `no: ${what} must not be deployed to ${environment}`, reasons);
  const asked = retries === 0 ? '' : ` (asked ${retries + 1} times, ${intervalSeconds} s apart)`;
  return undecided(
    access,
    `unknown: whether ${what} may be deployed to ${environment} cannot be said, a verification result is missing${asked}`,
    reasons,
  );
}

/** The summary of the last answer that was printed; undefined where it is none. */
function summaryIn(stdout: string): Summary | undefined {
  const line = stdout.split('\n').findLast((text) => text.startsWith('{'));
  if (line === undefined) return undefined;
  try {
    const { summary } = JSON.parse(line) as { readonly summary?: Partial<Summary> };
    const { deployable, reason } = summary ?? {};
    if (deployable === undefined || typeof reason !== 'string') return undefined;
    return typeof deployable === 'boolean' || deployable === null ? { deployable, reason } : undefined;
  } catch {
    return undefined;
  }
}
