import { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';

/** The verb `contracts publish`. */
export function publishCommand(): Command {
  return new Command('publish')
    .description('publish pacts to a Pact Broker, as of one version of their consumer')
    .argument('[pact...]', 'files, or folders of .json files', ['contracts/pacts'])
    .option(
      '--version-number <version>',
      "the consumer's version; else the commit, on pull requests the head's",
    )
    .option('--branch <name>', 'else as the CI system or git says')
    .option('--build-url <url>', 'page of the build; else as the CI system says')
    .option('--broker-base-url <url>', 'else PACT_BROKER_BASE_URL')
    .addHelpText(
      'after',
      `
Every file is looked at before the first is sent: only pacts are published, and of one consumer and provider only one.

Examples
  legacy-conformance contracts publish
  legacy-conformance contracts publish build/pacts --version-number 1.4.0 --branch main
${BROKER_HELP}`,
    )
    .action(async (paths: readonly string[], options: PublishOptions) => {
      const { runPublish } = await import('../../app/broker.ts');
      process.exitCode = await runPublish({ ...options, paths });
    });
}

/** Options as the command line has them. */
interface PublishOptions {
  readonly versionNumber: string | undefined;
  readonly branch: string | undefined;
  readonly buildUrl: string | undefined;
  readonly brokerBaseUrl: string | undefined;
}
