import type { Command } from 'commander';
import { UsageError } from '../../input/usage-error.ts';
import { collected, flag, optional, usuallyOneOf } from '../option-kinds.ts';
import { verb } from '../verb.ts';
import { BROKER, BROKER_ACCESS, refuseCredentials } from './broker-options.ts';

export function publishCommand(): Command {
  return verb({
    name: 'publish',
    summary: 'publish pacts to a Pact Broker, as of one version of their consumer',
    args: [['[pact...]', 'files, or folders of .json files', ['contracts/pacts']]],
    options: {
      ...BROKER,
      output: {
        ...usuallyOneOf(
          '<format>',
          "json: the broker's answers, on standard output",
          ['text', 'table', 'json'],
          'text',
        ),
        short: '-o',
      },
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
${BROKER_ACCESS}
Exit codes
  0  published
  1  the broker refuses a pact: it contradicts the one that was published as the same version
  2  wrong usage, or a file that is no pact or holds a secret; nothing was sent
  3  the broker is not reachable, is none, or refuses the credentials
  4  the suite itself failed`,
    change: refuseCredentials,
    run: async ({ consumerAppVersion: version, tag: tags, ...options }, paths) => {
      if (options.envFile !== undefined && options.target === undefined)
        throw new UsageError('--env-file: needs --target, whose configuration names the variables');
      const { runPublish } = await import('../../app/broker/publish.ts');
      return runPublish({ ...options, paths, version, tags });
    },
  });
}
