import { Command } from 'commander';
import { didYouMean, UsageError } from '../input/usage-error.ts';
import { pactBrokerLine } from './contracts/pact-broker-line.ts';
import { providerCommand } from './contracts/provider.ts';
import { publishCommand } from './contracts/publish.ts';
import { recordCommand } from './contracts/record.ts';
import { statesCommand } from './contracts/states.ts';
import { verifyCommand } from './contracts/verify.ts';

export function contractsCommand(): Command {
  const contracts = new Command('contracts').description(
    'verify Pact files against a target, record answers, publish pacts to a broker',
  );
  for (const verb of VERBS) contracts.addCommand(verb());
  return contracts.on('command:*', ([name = '', ...operands]: string[], options: string[]) => {
    const known = contracts.commands.map((verb) => verb.name());
    throw new UsageError(
      pactBrokerLine(name, [...operands, ...options]) ??
        `contracts ${name}: there is no such verb${didYouMean(name, known)}; they are ${known.join(', ')}`,
    );
  });
}

const VERBS: readonly (() => Command)[] = [
  statesCommand,
  verifyCommand,
  providerCommand,
  recordCommand,
  publishCommand,
];
