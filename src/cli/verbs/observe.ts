import { untilInterrupted } from './ending.ts';
import { assignedBy, collected, DEFECT, flag, ON_TARGET, optional, VERBOSE } from './options.ts';
import { verb } from './verb.ts';

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

export const compareCommand = verb({
  name: 'compare',
  summary: 'print the differences between two profiles, or between two results.json',
  args: [
    ['<old>', 'the file or id of a profile, or a results.json'],
    ['<new>', 'the other one, of the same kind'],
  ],
  options: { json: flag('print JSON') },
  help: `
Prints what changed, what broke, what was fixed and what is no longer checked. What is most likely to break a client comes first.
Requirements that a version of the suite added or removed are listed, and do not count as differences.

Examples
  legacy-conformance compare frozen/staging.yaml today.yaml
  legacy-conformance compare doorkeeper-5 frozen/staging.yaml
  legacy-conformance compare last/results.json report/check/results.json

Exit codes
  0  nothing differs
  1  something differs
  2  wrong usage: a file is neither of the two kinds, or the kinds differ`,
  run: async (options, [before = '', after = '']) => {
    const { compareFiles } = await import('../../commands/compare/verb.ts');
    return compareFiles(before, after, options);
  },
});
