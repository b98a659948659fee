import type { Command } from 'commander';
import { UsageError } from '../../input/usage-error.ts';
import { collected, flag, optional } from '../option-kinds.ts';
import { brokerVerb, ON_A_BROKER } from './broker-verb.ts';

/** The verb `contracts publish`. */
export function publishCommand(): Command {
  return brokerVerb({
    name: 'publish',
    summary: 'publish pacts to a Pact Broker, as of one version of their consumer',
    args: [['[pact...]', 'files, or folders of .json files', ['contracts/pacts']]],
    options: {
      ...ON_A_BROKER,
      consumerAppVersion: {
        ...optional(
          '<version>',
          "the consumer's version; else the commit of the CI system, or of the repository that the pacts lie in",
        ),
        short: '-a',
        also: ['-e, --version', '--version-number'],
      },
      branch: optional('<name>', 'else as the CI system or the repository says'),
      tag: { ...collected('<name>', 'a tag for the version; may be given more than once'), short: '-t' },
      buildUrl: optional('<url>', 'page of the build; else as the CI system says'),
      merge: flag('add to the pact that this version has already'),
      autoDetectVersionProperties: {
        ...flag('as without it: branch and build are found out anyway'),
        short: '-r',
      },
      target: optional(
        '<file>',
        'configuration of a live target: a pact that holds a secret of it is refused',
      ),
      envFile: optional('<file>', 'with --target: variables that the configuration names'),
    },
    help: `
Every file is looked at before the first is sent: only pacts are published, of one consumer and provider only one, and none
that holds a secret.

Examples
  legacy-conformance contracts publish
  legacy-conformance contracts publish build/pacts --consumer-app-version 1.4.0 --branch main
`,
    run: async ({ consumerAppVersion: version, tag: tags, ...options }, paths) => {
      if (options.envFile !== undefined && options.target === undefined)
        throw new UsageError('--env-file: needs --target, whose configuration names the variables');
      const { runPublish } = await import('../../app/broker/publish.ts');
      return runPublish({ ...options, paths, version, tags });
    },
  });
}
