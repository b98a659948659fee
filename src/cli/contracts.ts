import { Command } from 'commander';
import { canIDeployCommand } from './contracts/can-i-deploy.ts';
import { createEnvironmentCommand } from './contracts/create-environment.ts';
import { createOrUpdatePacticipantCommand } from './contracts/create-or-update-pacticipant.ts';
import { deleteBranchCommand } from './contracts/delete-branch.ts';
import { providerCommand } from './contracts/provider.ts';
import { publishCommand } from './contracts/publish.ts';
import { recordCommand } from './contracts/record.ts';
import { recordDeploymentCommand } from './contracts/record-deployment.ts';
import { recordReleaseCommand } from './contracts/record-release.ts';
import { recordSupportEndedCommand } from './contracts/record-support-ended.ts';
import { recordUndeploymentCommand } from './contracts/record-undeployment.ts';
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
  providerCommand,
  recordCommand,
  publishCommand,
  canIDeployCommand,
  recordDeploymentCommand,
  recordUndeploymentCommand,
  recordReleaseCommand,
  recordSupportEndedCommand,
  createEnvironmentCommand,
  createOrUpdatePacticipantCommand,
  deleteBranchCommand,
];
