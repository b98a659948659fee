import { Command } from 'commander';
import { didYouMean, UsageError } from '../input/usage-error.ts';
import { listVerb } from './catalogue.ts';
import { publishCommand } from './contracts/publish.ts';
import { providerCommand, verifyCommand } from './contracts/verify.ts';
import { untilInterrupted } from './ending.ts';
import { ASSIGNED_IN, flag, ON_TARGET, usually } from './options.ts';
import { verb } from './verb.ts';

const statesCommand = listVerb({
  name: 'states',
  summary: 'list the provider states for pacts, with their parameters and injected values',
  list: async () => (await import('../app/list-states.ts')).listStates(),
});

const recordCommand = verb({
  name: 'record',
  summary: 'record the answers of a target without secrets, to replay them offline',
  options: {
    ...ON_TARGET,
    out: usually(
      '<dir>',
      'folder of the recordings; each file has the name of its target',
      'contracts/recordings',
    ),
    report: ASSIGNED_IN,
    check: flag('write nothing, and compare a new recording with the existing one'),
  },
  help: `
Records the exchange, the three operations, the refresh, and refused requests. The file contains only headers and members known to be
harmless, with placeholders for tokens and ids. The suite searches the text for every secret of the run before it writes the file.

Examples
  legacy-conformance contracts record
  legacy-conformance contracts record --target staging.config.json --out recordings
  legacy-conformance contracts record --target staging.config.json \\
    --out recordings --check

Exit codes
  0  recorded; with --check: the answers have the recorded shape
  1  with --check: the shape of an answer has changed
  2  wrong usage or configuration, or no browser; the suite sent nothing
  3  the target is not reachable, sign-in failed, or the flow did not end
  4  the suite failed, could not clean up, or found a secret in what it was about to write`,
  run: async (options) => {
    const { runRecord } = await import('../app/record.ts');
    return untilInterrupted((signal) => runRecord({ ...options, signal }));
  },
});

const VERBS: readonly (() => Command)[] = [
  statesCommand,
  verifyCommand,
  providerCommand,
  recordCommand,
  publishCommand,
];

/** Verbs of version 0.1. */
const REMOVED = [
  ...['can-i-deploy', 'record-deployment', 'record-release', 'record-undeployment', 'record-support-ended'],
  ...['create-environment', 'create-or-update-pacticipant', 'delete-branch'],
];

/** pact-cli 18.1.2 ignores a --version that does not follow the pacticipant, and answers yes. */
const CAN_I_DEPLOY =
  ' Give --version right after --pacticipant. Leave -o json out: with it the exit code is 0 on "no". Exit 1 may be an outage of the broker too.';

function whyUnknown(name: string, known: readonly string[]): string {
  return REMOVED.includes(name)
    ? `removed; \`npx pact-broker ${name}\` does it, with the same options and PACT_BROKER_… variables (npm install --save-dev @pact-foundation/pact-cli).${name === 'can-i-deploy' ? CAN_I_DEPLOY : ''}`
    : `there is no such verb${didYouMean(name, known)}; they are ${known.join(', ')}`;
}

export function contractsCommand(): Command {
  const contracts = new Command('contracts').description(
    'verify Pact files against a target, record answers, publish pacts to a broker',
  );
  for (const verb of VERBS) contracts.addCommand(verb());
  return contracts.on('command:*', ([name = '']: string[]) => {
    const known = contracts.commands.map((verb) => verb.name());
    throw new UsageError(`contracts ${name}: ${whyUnknown(name, known)}`);
  });
}
