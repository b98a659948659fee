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
      'check a service, verify the pacts of its consumers, publish the results and record the deployment',
    options: {
      target: required('<emulator|file>', 'configuration file of the live target, or `emulator`'),
      ...VERIFYING,
      environment: required('<name>', "broker's name for the environment where the target runs"),
      report: usually('<dir>', 'write the report of the check to this folder', 'report'),
      results: optional(
        '<file>',
        'use this results.json of an earlier `check` of this target, and do not check again',
      ),
      knownDeviations: optional('<file>', 'accept the deviations in this file, as in `check`'),
      waitExpiry: flag('wait 7200 seconds until tokens expire, as in `check`'),
    },
    change: refuseCredentials,
    help: `
Every step runs, even after a failed one, so that the broker also records failures. Before it sends anything to the target, the suite
makes sure that the broker knows the environment and that the credentials may write.

Examples
  legacy-conformance contracts provider --target staging.config.json \\
    --environment staging --include-wip-pacts-since 2026-01-31
  legacy-conformance contracts provider --target blue.config.json \\
    --environment staging --application-instance blue
${BROKER_ACCESS}
Exit codes (the first of 4, 2, 1, 3 that a step has)
  0  the service conforms, every pact that counts verifies, and the broker recorded the deployment
  1  a documented requirement failed, or a pact that verified before
  2  wrong usage or configuration; nothing was sent
  3  something was not evaluated, or the broker is not reachable or refuses the request
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
