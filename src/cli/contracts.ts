import { Command } from 'commander';
import { canIDeployCommand } from './contracts/can-i-deploy.ts';
import { publishCommand } from './contracts/publish.ts';
import { recordCommand } from './contracts/record.ts';
import { recordDeploymentCommand } from './contracts/record-deployment.ts';
import { statesCommand } from './contracts/states.ts';
import { verifyCommand } from './contracts/verify.ts';

/** The verb `contracts`, whose verbs each live in a file of `contracts/`. */
export function contractsCommand(): Command {
  const contracts = new Command('contracts').description(
    'the pacts of the consumers: what they can rely on, and whether a target keeps them',
  );
  for (const verb of VERBS) contracts.addCommand(verb());
  return contracts;
}

const VERBS: readonly (() => Command)[] = [
  statesCommand,
  verifyCommand,
  recordCommand,
  publishCommand,
  canIDeployCommand,
  recordDeploymentCommand,
];
