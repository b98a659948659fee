import { Command } from 'commander';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { untilInterrupted } from '../ending.ts';
import {
  assignedBy,
  collected,
  DEFECT,
  day,
  flag,
  ON_TARGET,
  optional,
  parsed,
  repeatedOption,
  singleLine,
  VERBOSE,
} from '../options.ts';
import { listVerb, type OptionOf, verb } from '../verb.ts';

/** One of Pact's credential options, refused because every process can read a command line. */
function refused(name: string, short: string, variable: string): OptionOf<undefined> {
  const read = () => {
    throw new UsageError(`${name}: set ${variable} instead; other processes can read a command line`);
  };
  return { value: '<value>', text: '', short, hidden: true, read };
}

const BROKER = {
  brokerToken: refused('--broker-token', '-k', 'PACT_BROKER_TOKEN'),
  brokerUsername: refused('--broker-username', '-u', 'PACT_BROKER_USERNAME'),
  brokerPassword: refused('--broker-password', '-p', 'PACT_BROKER_PASSWORD'),
};

const BROKER_ACCESS = `
Variables for the broker: PACT_BROKER_BASE_URL, and PACT_BROKER_TOKEN or PACT_BROKER_USERNAME with PACT_BROKER_PASSWORD.
`;

const OPTIONS = {
  target: optional(
    '<emulator|file>',
    '`emulator`, or the configuration file of a live target (default: the emulator; required with --publish)',
  ),
  variables: ON_TARGET.variables,
  profile: ON_TARGET.profile,
  ...BROKER,
  provider: repeatedOption(
    '<name>',
    "provider's name in the broker's pacts (repeatable; default: legacy-authorization-server and legacy-resource-api)",
    { needs: 'broker' },
  ),
  consumerVersionSelector: repeatedOption(
    '<selector>',
    "which pacts to verify: Pact's selector keys, such as mainBranch or deployed,environment=staging (repeatable)",
    { needs: 'broker' },
  ),
  includeWipPactsSince: parsed('<date>', 'include work-in-progress pacts since this date (YYYY-MM-DD)', day, {
    needs: 'broker',
  }),
  providerVersionBranch: optional('<name>', "branch of the provider's version (default: observed)"),
  noPending: flag('let pending pacts count'),
  defect: DEFECT,
  pact: collected(
    '<path|url>',
    'a pact, a folder of pacts, or the address of a pact at the broker (repeatable)',
  ),
  json: flag('print JSON'),
  report: assignedBy('contracts'),
  verbose: VERBOSE,
  broker: flag('fetch the pacts from a Pact Broker'),
  publish: {
    ...flag('publish the result of each pact to the broker'),
    conflictsWith: 'defect',
    needs: 'target',
  },
  results: optional(
    '<file>',
    "results.json of a `check` of this target; its observed behaviour is the provider's version",
    { needs: 'publish' },
  ),
  providerAppVersion: optional('<version>', 'version of the provider, if you know it', { needs: 'publish' }),
  consumer: optional('<name>', 'verify only the pacts of this consumer', { needs: 'broker' }),
  consumerAppVersion: optional('<version>', 'with --consumer: use the pacts of this version', {
    needs: 'consumer',
  }),
};

const verifyCommand = verb({
  name: 'verify',
  summary: 'verify pacts, of any consumer in any language, against a target',
  args: [['[pact...]', 'same as --pact']],
  options: OPTIONS,
  help: `
Without a pact and without --broker, the suite verifies the pacts of its reference client. \`legacy-conformance contracts states\` lists the
provider states that pacts may use.

Which pacts decide the exit code:
  with --consumer  all selected pacts of that consumer; with --consumer-app-version those of that version
  without it       every pact that the provider's branch verified before; all others are pending

Examples
  legacy-conformance contracts verify
  legacy-conformance contracts verify ../shop/pacts \\
    --target staging.config.json
  legacy-conformance contracts verify shop.json --defect list-token-optional
  legacy-conformance contracts verify --target staging.config.json \\
    --broker --consumer my-app --consumer-app-version "$COMMIT"
  legacy-conformance contracts verify --target staging.config.json \\
    --broker --publish --results report/check/results.json
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
    const hasSource = options.broker || urls.length > 0;
    if (options.broker && urls.length > 0)
      throw new UsageError('--pact URL and --broker: give one, both say which pacts');
    if (options.publish && !hasSource)
      throw new UsageError('--publish: needs --broker or --pact URL, which say where the pacts come from');
    const { verifyTarget } = await import('../../commands/contracts/verify.ts');
    return verifyTarget({
      ...options,
      target: options.target ?? 'emulator',
      pacts: named.filter((pact) => !isUrl(pact)),
      broker: hasSource ? { ...options, pactUrls: urls } : undefined,
      defects: options.defect,
      untilInterrupted,
    });
  },
});

function isUrl(pact: string): boolean {
  return /^https?:\/\//.test(pact);
}

const publishCommand = verb({
  name: 'publish',
  summary: 'publish pacts of one consumer version to a Pact Broker',
  args: [['[pact...]', 'files, or folders of .json files', ['contracts/pacts']]],
  options: {
    ...BROKER,
    consumerAppVersion: parsed(
      '<version>',
      "version of the consumer (default: the commit of the CI system or of the pacts' repository)",
      singleLine,
    ),
    branch: parsed(
      '<name>',
      'branch of the consumer (default: from the CI system or the repository)',
      singleLine,
    ),
    target: optional(
      '<file>',
      'configuration of a live target; refuse a pact that contains one of its secrets',
    ),
    variables: optional('<file>', 'with --target: read variables from this file', { needs: 'target' }),
  },
  help: `
The suite reads every file before it sends the first. It refuses files that are no pacts, two pacts of the same consumer and provider,
and pacts that contain a secret.

Examples
  legacy-conformance contracts publish
  legacy-conformance contracts publish build/pacts \\
    --consumer-app-version 1.4.0 --branch main
${BROKER_ACCESS}
Exit codes
  0  published the pacts
  1  the broker refuses a pact, because it contradicts the one of the same version
  2  wrong usage, or a file is no pact or contains a secret; the suite sent nothing
  3  the broker is not reachable or refuses the credentials, or the address is no broker
  4  the suite itself failed`,
  run: async ({ consumerAppVersion: version, ...options }, paths) => {
    const { publishContracts } = await import('../../commands/contracts/publish.ts');
    return publishContracts({ ...options, paths, version });
  },
});

const statesCommand = listVerb({
  name: 'states',
  summary: 'list the provider states for pacts, with their parameters and injected values',
  list: async () => (await import('../../commands/contracts/states.ts')).listStates(),
});

const VERBS: readonly (() => Command)[] = [statesCommand, verifyCommand, publishCommand];

export function contractsCommand(): Command {
  const contracts = new Command('contracts').description(
    'verify Pact files against a target, publish pacts to a broker',
  );
  for (const verb of VERBS) contracts.addCommand(verb());
  return contracts.on('command:*', ([name = '']: string[]) => {
    const known = contracts.commands.map((verb) => verb.name());
    throw new UsageError(
      `contracts ${name}: there is no such verb${didYouMean(name, known)}; they are ${known.join(', ')}`,
    );
  });
}
