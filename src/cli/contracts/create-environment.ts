import { type Command, Option } from 'commander';
import { flag, optional, required } from '../option-kinds.ts';
import { brokerVerb, ON_A_BROKER } from './broker-verb.ts';

/** The verb `contracts create-environment`. */
export function createEnvironmentCommand(): Command {
  const command = brokerVerb({
    name: 'create-environment',
    summary: 'create an environment that versions can be deployed to; one that is there already is done',
    options: {
      ...ON_A_BROKER,
      name: required('<name>', 'its name, without blanks'),
      displayName: optional('<text>', 'as the pages of the broker show it; else the name'),
      production: flag('whether it is for production'),
    },
    help: '',
    run: async (options) => {
      const { runCreateEnvironment } = await import('../../app/broker/ask.ts');
      return runCreateEnvironment(options);
    },
  });
  return command.addOption(new Option('--no-production', 'it is not, as without it'));
}
