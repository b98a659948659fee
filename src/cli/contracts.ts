import { Command } from 'commander';
import { didYouMean, UsageError } from '../input/usage-error.ts';
import { listVerb } from './catalogue.ts';
import { publishCommand } from './contracts/publish.ts';
import { verifyCommand } from './contracts/verify.ts';

const statesCommand = listVerb({
  name: 'states',
  summary: 'list the provider states for pacts, with their parameters and injected values',
  list: async () => (await import('../app/list-states.ts')).listStates(),
});

const VERBS: readonly (() => Command)[] = [statesCommand, verifyCommand, publishCommand];

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
    'verify Pact files against a target, publish pacts to a broker',
  );
  for (const verb of VERBS) contracts.addCommand(verb());
  return contracts.on('command:*', ([name = '']: string[]) => {
    const known = contracts.commands.map((verb) => verb.name());
    throw new UsageError(`contracts ${name}: ${whyUnknown(name, known)}`);
  });
}
