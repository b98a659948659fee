import type { Command } from 'commander';
import { collect, readEnvFile } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { BROKER_HELP } from './broker-help.ts';
import { also, type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts publish`. */
export function publishCommand(): Command {
  const publish = brokerVerb('publish')
    .description('publish pacts to a Pact Broker, as of one version of their consumer')
    .argument('[pact...]', 'files, or folders of .json files', ['contracts/pacts'])
    .option(
      '-a, --consumer-app-version <version>',
      "the consumer's version; else the commit of the CI system, or of the repository that the pacts lie in",
    )
    .option('--branch <name>', 'else as the CI system or the repository says')
    .option('-t, --tag <name>', 'a tag for the version; may be given more than once', collect, [])
    .option('--build-url <url>', 'page of the build; else as the CI system says')
    .option('--merge', 'add to the pact that this version has already', false)
    .option(
      '-r, --auto-detect-version-properties',
      'as without it: branch and build are found out anyway',
      false,
    )
    .option('--target <file>', 'configuration of a live target: a pact that holds a secret of it is refused')
    .option('--env-file <file>', 'with --target: variables that the configuration names')
    .addHelpText(
      'after',
      `
Every file is looked at before the first is sent: only pacts are published, of one consumer and provider only one, and none
that holds a secret.

Examples
  legacy-conformance contracts publish
  legacy-conformance contracts publish build/pacts --consumer-app-version 1.4.0 --branch main
${BROKER_HELP}`,
    )
    .action(async (paths: readonly string[], options: PublishOptions) => {
      if (options.envFile !== undefined && options.target === undefined)
        throw new UsageError('--env-file: needs --target, whose configuration names the variables');
      await readEnvFile(options.envFile);
      const { runPublish } = await import('../../app/broker/publish.ts');
      const { consumerAppVersion: version, tag: tags } = options;
      process.exitCode = await runPublish({ ...options, paths, version, tags });
    });
  also(publish, '-e, --version <version>', 'consumerAppVersion');
  return also(publish, '--version-number <version>', 'consumerAppVersion');
}

/** Options as the command line has them. */
interface PublishOptions extends BrokerVerbOptions {
  readonly consumerAppVersion: string | undefined;
  readonly branch: string | undefined;
  readonly tag: readonly string[];
  readonly buildUrl: string | undefined;
  readonly merge: boolean;
  readonly target: string | undefined;
  readonly envFile: string | undefined;
}
