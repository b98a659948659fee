import { UsageError } from '../../../document/input/usage-error.ts';
import { untilInterrupted } from '../ending.ts';
import {
  assignedBy,
  collected,
  DEFECT,
  flag,
  ON_TARGET,
  optional,
  read,
  repeated,
  VERBOSE,
} from '../options.ts';
import { type ValuesOf, verb } from '../verb.ts';
import { BROKER, BROKER_ACCESS, refuseCredentials } from './publish.ts';

const OPTIONS = {
  target: optional(
    '<emulator|file>',
    '`emulator`, or the configuration file of a live target (default: the emulator; required with --publish)',
  ),
  variables: ON_TARGET.variables,
  profile: ON_TARGET.profile,
  ...BROKER,
  authProvider: optional('<name>', "provider's name for the authorization server in the pacts"),
  apiProvider: optional('<name>', "provider's name for the resource API in the pacts"),
  consumerVersionSelector: repeated(
    '<selector>',
    "which pacts to verify: Pact's selector keys or JSON, such as mainBranch or deployed,environment=staging (repeatable)",
  ),
  includeWipPactsSince: read('<date>', 'include work-in-progress pacts since this date (YYYY-MM-DD)', day),
  providerVersionBranch: optional(
    '<name>',
    "branch of the provider's version (default: observed-ENVIRONMENT, or observed)",
  ),
  noPending: flag('let pending pacts count'),
  applicationInstance: optional('<name>', 'name of this installation, if the environment has several'),
  buildUrl: optional('<url>', 'page of the build, published with the results (default: from the CI system)'),
  defect: DEFECT,
  pact: collected(
    '<path|url>',
    'a pact, a folder of pacts, or the address of a pact at the broker (repeatable)',
  ),
  json: flag('print JSON'),
  report: assignedBy('contracts'),
  html: optional('<file>', 'also write a page like the report'),
  verbose: VERBOSE,
  broker: flag('fetch the pacts from a Pact Broker'),
  publish: flag('publish the result of each pact to the broker'),
  results: optional(
    '<file>',
    "results.json of a `check` of this target; its observed behaviour is the provider's version",
  ),
  deployedIn: optional(
    '<environment>',
    "use the provider's version that the broker records in this environment",
  ),
  recordDeployment: optional(
    '<environment>',
    'record the published version as deployed in this environment, once every pact that counts has a result',
  ),
  providerAppVersion: optional('<version>', 'version of the provider, if you know it'),
  consumer: optional('<name>', 'verify only the pacts of this consumer'),
  consumerBranch: optional(
    '<name>',
    'with --consumer: use the latest pact of this branch; without it: add a selector',
  ),
  consumerAppVersion: optional('<version>', 'with --consumer: use the pacts of this version'),
};

type VerifyOptions = ValuesOf<typeof OPTIONS>;

export const verifyCommand = verb({
  name: 'verify',
  drill: 'takes-part',
  summary: 'verify pacts, of any consumer in any language, against a target',
  args: [['[pact...]', 'same as --pact']],
  options: OPTIONS,
  change: refuseCredentials,
  help: `
Without a pact and without --broker, the suite verifies the pacts of its reference client. \`legacy-conformance contracts states\` lists the
provider states that pacts may use.

Which pacts decide the exit code:
  with --consumer and a branch or version  the pacts of that version; other failures of the consumer are only reported
  with --consumer alone                    all pacts of that consumer
  without --consumer                       every pact that the provider's branch verified before; all others are pending

Examples
  legacy-conformance contracts verify
  legacy-conformance contracts verify ../shop/pacts \\
    --target staging.config.json
  legacy-conformance contracts verify shop.json --defect list-token-optional
  legacy-conformance contracts verify --target staging.config.json \\
    --broker --publish --deployed-in staging --consumer my-app
  legacy-conformance contracts verify --target staging.config.json \\
    --pact "$PACT_URL" --publish --deployed-in staging
  legacy-conformance contracts verify --target staging.config.json \\
    --broker --publish --results report/check/results.json --record-deployment staging

${BROKER_ACCESS}
Exit codes
  0  verified         every interaction that counts verified; one marked as pending may fail
  1  does not verify  the target does not behave as an interaction expects, or the suite cannot read or send one; the reason is below it
  2                   wrong usage or configuration, no pact, or an unknown provider state in a file; the suite sent nothing to the target
  3  inconclusive     target or broker not reachable, sign-in failed, throttled, or an interaction did not run
  4  broken           the suite itself failed, could not unassign a user, or found a secret in what it was about to print`,
  run: async (options, args) => {
    const named = [...options.pact, ...args];
    const urls = named.filter(isUrl);
    refuseContradictions(options, urls.length > 0);
    const { verifyContracts } = await import('../../verify-contracts.ts');
    return verifyContracts({
      ...options,
      target: options.target ?? 'emulator',
      pacts: named.filter((pact) => !isUrl(pact)),
      broker: options.broker || urls.length > 0 ? brokerRequest(options, urls) : undefined,
      defects: options.defect,
      names: { auth: options.authProvider, api: options.apiProvider },
      untilInterrupted,
    });
  },
});

function brokerRequest(options: VerifyOptions, pactUrls: readonly string[]) {
  return {
    ...options,
    selectors: options.consumerVersionSelector,
    wipSince: options.includeWipPactsSince,
    providerBranch: options.providerVersionBranch,
    pactUrls,
    consumerVersion: options.consumerAppVersion,
    version: options.providerAppVersion,
  };
}

function isUrl(pact: string): boolean {
  return /^https?:\/\//.test(pact);
}

function day(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new UsageError(
    `--include-wip-pacts-since: expected a day such as 2026-01-31, got ${JSON.stringify(value)}`,
  );
}

function refuseContradictions(options: VerifyOptions, urls: boolean): void {
  const { broker, publish, consumer, consumerBranch, consumerAppVersion } = options;
  const aboutConsumer = { '--consumer-branch': consumerBranch, '--consumer-app-version': consumerAppVersion };
  const aboutSelection = {
    '--consumer': consumer,
    ...(urls ? {} : aboutConsumer),
    '--consumer-version-selector': options.consumerVersionSelector[0],
    '--include-wip-pacts-since': options.includeWipPactsSince,
  };
  if (broker && urls) throw new UsageError('--pact URL and --broker: give one, both say which pacts');
  if (!broker) requireNone(aboutSelection, 'says which pacts the broker is asked for, so it needs --broker');
  if (!broker && !urls)
    requireNone({ '--broker-base-url': options.brokerBaseUrl }, 'needs --broker, or --pact URL');
  if (publish && !broker && !urls)
    throw new UsageError('--publish: needs --broker or --pact URL, which say where the pacts come from');
  if (broker && consumerAppVersion !== undefined && consumer === undefined)
    throw new UsageError('--consumer-app-version: needs --consumer, whose version it is');
  if (publish && options.target === undefined)
    throw new UsageError(
      '--publish: give --target, whose results these are: the configuration file of the live target, or `emulator`',
    );
  if (publish && options.defect.length > 0)
    throw new UsageError('--defect: results of an emulator with defects are not published');
  if (options.recordDeployment !== undefined)
    requireNone(
      {
        '--consumer': consumer,
        '--deployed-in': options.deployedIn,
        ...(urls ? { '--pact URL': 'given' } : {}),
      },
      'a version is recorded with the results of all pacts of the broker (--record-deployment)',
    );
  if (publish) return;
  requireNone(
    {
      '--results': options.results,
      '--deployed-in': options.deployedIn,
      '--record-deployment': options.recordDeployment,
      '--provider-app-version': options.providerAppVersion,
      '--build-url': options.buildUrl,
      '--application-instance': options.applicationInstance,
    },
    'says what to publish, so it needs --broker --publish',
  );
}

function requireNone(options: Readonly<Record<string, string | undefined>>, why: string): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (given !== undefined) throw new UsageError(`${given}: ${why}`);
}
