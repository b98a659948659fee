import type { Command } from 'commander';
import { untilInterrupted } from '../interruption.ts';
import { flag, optional, required, usually } from '../option-kinds.ts';
import { verb } from '../verb.ts';
import { BROKER_ACCESS, refuseCredentials } from './broker-options.ts';
import { VERIFYING } from './verify.ts';

export function providerCommand(): Command {
  return verb({
    name: 'provider',
    summary:
      'the job of a service: check it, verify the pacts of its consumers, publish the results, record what runs where',
    options: {
      target: required('<emulator|file>', 'the configuration file of the live target, or `emulator`'),
      ...VERIFYING,
      environment: required('<name>', 'where the target runs, as the broker calls it'),
      report: usually('<dir>', 'where the report of the check is written', 'report'),
      results: optional(
        '<file>',
        'results.json of a `check` of this target that was made already, in place of checking',
      ),
      knownDeviations: optional('<file>', 'deviations that are accepted, as for `check`'),
      waitExpiry: flag('as for `check`'),
    },
    change: refuseCredentials,
    help: `
All of it runs, whatever comes of a step, so that the broker learns it when the service breaks; the worst exit code is that of
the job. Whether the broker knows the environment and the credentials may write is found out before anything is sent to the
target.

Examples
  legacy-conformance contracts provider --target staging.config.json --environment staging --include-wip-pacts-since 2026-01-31
  legacy-conformance contracts provider --target blue.config.json --environment staging --application-instance blue
${BROKER_ACCESS}
Exit codes (the first of 4, 2, 1, 3 that a step has)
  0  the service conforms, keeps every pact that counts, and is recorded
  1  a documented requirement failed, or a pact that the service has kept before
  2  wrong usage or configuration; nothing was sent
  3  something could not be evaluated, or the broker is not reachable or refuses
  4  the suite itself failed, or a user could not be unassigned`,
    run: async (options) => {
      const { runProviderJob } = await import('../../app/broker/provider-job.ts');
      return untilInterrupted((signal) =>
        runProviderJob({
          ...options,
          names: { auth: options.authProvider, api: options.apiProvider },
          broker: {
            brokerBaseUrl: options.brokerBaseUrl,
            selectors: options.consumerVersionSelector,
            wipSince: options.includeWipPactsSince,
            noPending: options.noPending,
            providerBranch: options.providerVersionBranch,
            buildUrl: options.buildUrl,
          },
          signal,
        }),
      );
    },
  });
}
