import type { Command } from 'commander';
import { UsageError } from '../../input/usage-error.ts';
import { untilInterrupted } from '../interruption.ts';
import {
  ASSIGNED_IN,
  collected,
  DEFECT,
  flag,
  ON_TARGET,
  optional,
  read,
  repeated,
  VERBOSE,
} from '../option-kinds.ts';
import { type ValuesOf, verb } from '../verb.ts';
import { BROKER, BROKER_ACCESS, refuseCredentials } from './broker-options.ts';

export const VERIFYING = {
  envFile: ON_TARGET.envFile,
  profile: ON_TARGET.profile,
  ...BROKER,
  authProvider: optional('<name>', 'what the pacts call the authorization server'),
  apiProvider: optional('<name>', 'what the pacts call the resource API'),
  consumerVersionSelector: {
    ...repeated(
      '<selector>',
      "Pact's keys, such as mainBranch or deployed,environment=staging, or its JSON; may be given more than once",
    ),
    also: ['--consumer-version-selectors'],
  },
  includeWipPactsSince: read('<date>', 'also what is work in progress since that day, as 2026-01-31', day),
  providerVersionBranch: {
    ...optional(
      '<name>',
      "the branch that the provider's version is on; else observed-ENVIRONMENT, or observed",
    ),
    also: ['--provider-branch'],
  },
  noPending: flag('pending pacts count too'),
  applicationInstance: optional('<name>', 'which of several installations in the environment'),
  buildUrl: optional(
    '<url>',
    'page of the build, to be published with the results; else as the CI system says',
  ),
};

const OPTIONS = {
  target: optional(
    '<emulator|file>',
    'the emulator, or the configuration file of a live target; else the emulator, and with --publish it must be given',
  ),
  ...VERIFYING,
  defect: DEFECT,
  pact: collected(
    '<path|url>',
    'a pact, or a folder of pacts, or the address of one at the broker; may be given more than once',
  ),
  json: flag('print JSON'),
  report: ASSIGNED_IN,
  html: optional('<file>', 'write it as a page too, in the style of the report'),
  verbose: VERBOSE,
  broker: flag('take the pacts from a Pact Broker'),
  publish: flag('publish the result of each pact at the broker'),
  results: optional(
    '<file>',
    'results.json of a `check` of this target: what it was seen to do is its version',
  ),
  deployedIn: optional('<environment>', "the provider's version is the one that the broker knows there"),
  providerAppVersion: {
    ...optional('<version>', "the provider's version, where it is known otherwise"),
    also: ['--provider-version', '-e, --version', '--version-number'],
  },
  consumer: { ...optional('<name>', 'the pacts of this consumer alone'), also: ['--filter-consumer'] },
  consumerBranch: optional(
    '<name>',
    'with --consumer: the branch whose newest pact counts; else one more selector',
  ),
  consumerAppVersion: optional('<version>', 'with --consumer: the version whose pacts count'),
};

type VerifyOptions = ValuesOf<typeof OPTIONS>;

export function verifyCommand(): Command {
  return verb({
    name: 'verify',
    summary: 'verify pacts, of any consumer in any language, against a target',
    args: [['[pact...]', 'as --pact']],
    options: OPTIONS,
    change: refuseCredentials,
    help: `
Without a pact and --broker the reference client's own pacts are verified. Pacts use the provider states that
\`legacy-conformance contracts states\` lists.

With --consumer and --consumer-branch or --consumer-app-version the pacts of that version alone count: what else of the
consumer's is broken is reported beside them. With --consumer alone all of its pacts count; without, as in the job of the
service, every pact that the provider's branch was ever seen to keep, and the others are pending.

Examples
  legacy-conformance contracts verify
  legacy-conformance contracts verify ../shop/pacts --target staging.config.json
  legacy-conformance contracts verify --pact shop.json --profile adversarial --defect refresh-expires-in-string
  legacy-conformance contracts verify --target staging.config.json --broker --publish --deployed-in staging --consumer my-app --consumer-app-version 1.4.0
  legacy-conformance contracts verify --target staging.config.json --pact "$PACT_URL" --publish --deployed-in staging

The job of a service is \`legacy-conformance contracts provider\`.
${VERIFY_EXIT_CODES}`,
    run: async (options, args) => {
      const named = [...options.pact, ...args];
      const urls = named.filter(isUrl);
      refuseContradictions(options, urls.length > 0);
      const { verifyContracts } = await import('../../app/verify-contracts.ts');
      const { exitCode } = await verifyContracts({
        ...options,
        target: options.target ?? 'emulator',
        pacts: named.filter((pact) => !isUrl(pact)),
        broker: options.broker || urls.length > 0 ? brokerRequest(options, urls) : undefined,
        defects: options.defect,
        names: { auth: options.authProvider, api: options.apiProvider },
        untilInterrupted,
      });
      return exitCode;
    },
  });
}

export const VERIFY_EXIT_CODES = `${BROKER_ACCESS}
Exit codes
  0  verified         every interaction that counts was; one that its maker marked as pending may fail
  1  does not verify  the target does not behave as an interaction expects, or a broker's pact is none: the reason stands below it
  2                   wrong usage or configuration, no pact, an unknown provider state in a file; nothing was sent to the target
  3  inconclusive     target or broker not reachable, sign-in failed, throttled, an interaction that was not run
  4  broken           the suite itself failed, a user could not be unassigned, or a secret would have been printed`;

function brokerRequest(options: VerifyOptions, pactUrls: readonly string[]) {
  return {
    ...options,
    pactUrls,
    consumerVersion: options.consumerAppVersion,
    selectors: options.consumerVersionSelector,
    wipSince: options.includeWipPactsSince,
    version: options.providerAppVersion,
    providerBranch: options.providerVersionBranch,
    jobFor: undefined,
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
  if (publish) return;
  requireNone(
    {
      '--results': options.results,
      '--deployed-in': options.deployedIn,
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
