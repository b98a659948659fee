import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts create-environment`. */
export function createEnvironmentCommand(): Command {
  return brokerVerb('create-environment')
    .description('create an environment that versions can be deployed to; one that is there already is done')
    .requiredOption('--name <name>', 'its name, without blanks')
    .option('--display-name <text>', 'as the pages of the broker show it; else the name')
    .option('--production', 'whether it is for production', false)
    .option('--no-production', 'it is not, as without it')
    .addHelpText('after', BROKER_HELP)
    .action(async (options: CreateEnvironmentOptions) => {
      const { runCreateEnvironment } = await import('../../app/broker/ask.ts');
      process.exitCode = await runCreateEnvironment(options);
    });
}

/** Options as the command line has them. */
interface CreateEnvironmentOptions extends BrokerVerbOptions {
  readonly name: string;
  readonly displayName: string | undefined;
  readonly production: boolean;
}
