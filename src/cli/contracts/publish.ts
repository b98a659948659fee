import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { also, type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts publish`. */
export function publishCommand(): Command {
  const publish = brokerVerb('publish')
    .description('publish pacts to a Pact Broker, as of one version of their consumer')
    .argument('[pact...]', 'files, or folders of .json files', ['contracts/pacts'])
    .option(
      '-a, --consumer-app-version <version>',
      "the consumer's version; else the commit, on pull requests the head's",
    )
    .option('--branch <name>', 'else as the CI system or git says')
    .option('--build-url <url>', 'page of the build; else as the CI system says')
    .addHelpText(
      'after',
      `
Every file is looked at before the first is sent: only pacts are published, and of one consumer and provider only one.

Examples
  legacy-conformance contracts publish
  legacy-conformance contracts publish build/pacts --consumer-app-version 1.4.0 --branch main
${BROKER_HELP}`,
    )
    .action(async (paths: readonly string[], options: PublishOptions) => {
      const { runPublish } = await import('../../app/broker.ts');
      process.exitCode = await runPublish({ ...options, version: options.consumerAppVersion, paths });
    });
  also(publish, '-e, --version <version>', 'consumerAppVersion');
  return also(publish, '--version-number <version>', 'consumerAppVersion');
}

/** Options as the command line has them. */
interface PublishOptions extends BrokerVerbOptions {
  readonly consumerAppVersion: string | undefined;
  readonly branch: string | undefined;
  readonly buildUrl: string | undefined;
}
