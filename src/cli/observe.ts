import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { ASSIGNED_IN, collected, DEFECT, flag, ON_TARGET, optional, VERBOSE } from './option-kinds.ts';
import { EXIT_CODES, verb } from './verb.ts';

export function observeCommand(): Command {
  return verb({
    name: 'observe',
    summary: 'see what a target does where the document is silent, and record it as a profile',
    options: {
      ...ON_TARGET,
      defect: DEFECT,
      risk: collected(
        '<risks>',
        'what may be done to a live target: refusals, revokes, slow; separated by commas',
      ),
      probe: collected('<open points>', 'observe these open points alone, whatever their risk'),
      waitExpiry: flag(
        'on a live target without a clock: wait until tokens expire, 7200 seconds, and see how they are refused',
      ),
      out: optional('<file>', 'where the profile is written; without it, to standard output'),
      report: ASSIGNED_IN,
      verbose: VERBOSE,
      json: flag('print the profile, exit code and reasons as JSON on standard output'),
    },
    help: `
Risks
  none      always: what any client does
  refusals  provokes refusals, which a service may count against the client
  revokes   uses dead codes and tokens again, which may revoke the owner's grants
  slow      needs time to pass: a clock that can be moved (without one: --wait-expiry)
On the emulator everything is observed: it costs nothing there.

Examples
  legacy-conformance observe --profile adversarial
  legacy-conformance observe --target staging.config.json --risk refusals,revokes --out staging.profile.yaml
  legacy-conformance observe --target staging.config.json --probe refresh-fate
${EXIT_CODES}`,
    run: async ({ defect: defects, risk: risks, probe: probes, ...options }) => {
      const { observeTarget } = await import('../app/observe-target.ts');
      return untilInterrupted((signal) => observeTarget({ ...options, defects, risks, probes }, signal));
    },
  });
}
