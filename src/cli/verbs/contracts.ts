import { Command } from 'commander';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { listVerb } from './catalogue.ts';
import { publishCommand } from './contracts/publish.ts';
import { verifyCommand } from './contracts/verify.ts';

const statesCommand = listVerb({
  name: 'states',
  summary: 'list the provider states for pacts, with their parameters and injected values',
  list: async () => (await import('../list-states.ts')).listStates(),
});

const VERBS: readonly (() => Command)[] = [statesCommand, verifyCommand, publishCommand];

export function contractsCommand(): Command {
  const contracts = new Command('contracts').description(
    'verify Pact files against a target, publish pacts to a broker',
  );
  for (const verb of VERBS) contracts.addCommand(verb());
  return contracts.on('command:*', ([name = '']: string[]) => {
    const known = contracts.commands.map((verb) => verb.name());
    throw new UsageError(
      `contracts ${name}: there is no such verb${didYouMean(name, known)}; they are ${known.join(', ')}`,
    );
  });
}
