import { untilInterrupted } from '../ending.ts';
import { assignedBy, collected, DEFECT, flag, ON_TARGET, optional, VERBOSE } from '../options.ts';
import { verb } from '../verb.ts';

export const observeCommand = verb({
  name: 'observe',
  summary: 'record as a profile how a target behaves where the document is silent',
  options: {
    ...ON_TARGET,
    defect: DEFECT,
    risk: collected(
      '<risks>',
      'risks to take on a live target: refusals, revokes, slow (separated by commas)',
    ),
    probe: collected('<open points>', 'observe only these open points, at any risk'),
    waitExpiry: flag(
      'wait 7200 seconds until tokens expire, and record how the service refuses them (live target without a clock)',
    ),
    out: optional('<file>', 'write the profile to this file (default: standard output)'),
    report: assignedBy('observe'),
    verbose: VERBOSE,
  },
  help: `
Risks
  none      always allowed: requests that any client sends
  refusals  provokes refusals, which a service may count against the client
  revokes   reuses dead codes and tokens, which may revoke the owner's grants
  slow      needs a clock that the suite can move (without one: --wait-expiry)

On the emulator every risk is allowed.

Examples
  legacy-conformance observe --profile adversarial
  legacy-conformance observe --target staging.config.json \\
    --risk refusals,revokes --out staging.profile.yaml
  legacy-conformance observe --target staging.config.json \\
    --probe refresh-fate

Exit codes
  0  wrote the profile, which also lists what could not be observed, and why
  1  wrote the profile; the service answers an unassign, and still lists the user
  2  wrong usage or configuration, or no browser; the suite sent nothing
  3  the service gave no answer, or the sign-in failed
  4  the suite itself failed, or found a secret in the profile`,
  run: async ({ defect: defects, risk: risks, probe: probes, ...rest }) => {
    const { observeTarget } = await import('../../commands/observe/verb.ts');
    const request = { ...rest, defects, risks, probes };
    return untilInterrupted((signal) => observeTarget({ ...request, signal }));
  },
});
