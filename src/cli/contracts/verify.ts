import type { Command } from 'commander';
import { collect, list, readEnvFile, verbOnTarget } from '../options.ts';
import { UsageError } from '../usage-error.ts';

/** The verb `contracts verify`. */
export function verifyCommand(): Command {
  return verbOnTarget('verify')
    .description('verify pacts, of any consumer in any language, against a target')
    .option('--pact <path>', 'a pact, or a folder of pacts; may be given more than once', collect, [])
    .option('--defect <ids>', 'defects of the emulator to switch on, separated by commas', list, [])
    .option('--auth-provider <name>', 'what the pacts call the authorization server')
    .option('--api-provider <name>', 'what the pacts call the resource API')
    .option('--json', 'print JSON', false)
    .option('--broker', 'take the pacts from a Pact Broker instead', false)
    .option('--broker-base-url <url>', 'else PACT_BROKER_BASE_URL')
    .option('--consumer <name>', 'the pacts of this consumer alone')
    .option(
      '--consumer-branch <name>',
      "pacts of this branch too, besides those of main branches and of what's deployed",
    )
    .option('--publish', 'tell the broker what came of each pact', false)
    .option(
      '--results <file>',
      'results.json of a `check` of this target: what it was seen to do is its version',
    )
    .option('--deployed-in <environment>', "the provider's version is the one that the broker knows there")
    .option('--version-number <version>', "the provider's version, where it is known otherwise")
    .option('--provider-branch <name>', "the branch that the provider's version is on")
    .option('--build-url <url>', 'page of the build, to be published with the results')
    .addHelpText(
      'after',
      `
Without --pact the reference client's own pacts are verified. Pacts use the provider states that
\`legacy-conformance contracts states\` lists.

Examples
  legacy-conformance contracts verify
  legacy-conformance contracts verify --pact ../shop/pacts --target staging.config.json
  legacy-conformance contracts verify --pact shop.json --profile adversarial --defect refresh-expires-in-string
  legacy-conformance contracts verify --target staging.config.json --broker --publish --results report/results.json
  legacy-conformance contracts verify --target staging.config.json --broker --publish --deployed-in staging --consumer my-app --consumer-branch my-branch

Access to a broker by environment: PACT_BROKER_BASE_URL, and PACT_BROKER_TOKEN or PACT_BROKER_USERNAME with
PACT_BROKER_PASSWORD.

Exit codes
  0  verified         every interaction was; one that its maker marked as pending may fail
  1  does not verify  the target does not keep an interaction; the reason stands below it
  2                   wrong usage or configuration, no pact, an unknown provider state; nothing was sent to the target
  3  inconclusive     target or broker not reachable, sign-in failed, throttled, an interaction that was not run
  4  broken           the suite itself failed, somebody could not be unassigned, or a secret would have been printed`,
    )
    .action(async (options: VerifyOptions) => {
      await readEnvFile(options.envFile);
      refuseWithoutBroker(options);
      const { verifyContracts } = await import('../../app/verify-contracts.ts');
      process.exitCode = await verifyContracts({
        ...options,
        pacts: options.pact,
        broker: options.broker ? options : undefined,
        defects: options.defect,
        names: { auth: options.authProvider, api: options.apiProvider },
      });
    });
}

/** Options as the command line has them. */
interface VerifyOptions {
  readonly pact: readonly string[];
  readonly target: string;
  readonly envFile: string | undefined;
  readonly profile: string;
  readonly defect: readonly string[];
  readonly authProvider: string | undefined;
  readonly apiProvider: string | undefined;
  readonly json: boolean;
  readonly broker: boolean;
  readonly brokerBaseUrl: string | undefined;
  readonly consumer: string | undefined;
  readonly consumerBranch: string | undefined;
  readonly publish: boolean;
  readonly results: string | undefined;
  readonly deployedIn: string | undefined;
  readonly versionNumber: string | undefined;
  readonly providerBranch: string | undefined;
  readonly buildUrl: string | undefined;
}

/** What is only about publishing must not be overlooked in silence. */
function refuseWithoutBroker(options: VerifyOptions): void {
  const { broker, publish, results, deployedIn, versionNumber, providerBranch, buildUrl } = options;
  if (publish && !broker)
    throw new UsageError('--publish: needs --broker, which says where the pacts come from');
  const about = {
    '--results': results,
    '--deployed-in': deployedIn,
    '--version-number': versionNumber,
    '--provider-branch': providerBranch,
    '--build-url': buildUrl,
  };
  const alone = Object.entries(about).find(([, value]) => value !== undefined);
  if (!publish && alone !== undefined)
    throw new UsageError(`${alone[0]}: says what to publish, so it needs --broker --publish`);
}
