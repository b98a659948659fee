import type { Command } from 'commander';
import { checkCommand } from './check.ts';
import { clientCommand } from './client.ts';
import { compareCommand } from './compare.ts';
import { contractsCommand } from './contracts.ts';
import { coverageCommand } from './coverage.ts';
import { defectsCommand } from './defects.ts';
import { doctorCommand } from './doctor.ts';
import { emulateCommand } from './emulate.ts';
import { explainCommand } from './explain.ts';
import { exploreCommand } from './explore.ts';
import { handoverCommand } from './handover.ts';
import { initCommand } from './init.ts';
import { installBrowserCommand } from './install-browser.ts';
import { mergeCommand } from './merge.ts';
import { observeCommand } from './observe.ts';
import { replayCommand } from './replay.ts';
import { signInCommand } from './sign-in.ts';
import { sweepCommand } from './sweep.ts';
import { verifyRecordCommand } from './verify-record.ts';

export function verbs(): readonly Command[] {
  return [
    checkCommand(),
    emulateCommand(),
    observeCommand(),
    exploreCommand(),
    replayCommand(),
    compareCommand(),
    verifyRecordCommand(),
    mergeCommand(),
    coverageCommand(),
    explainCommand(),
    defectsCommand(),
    contractsCommand(),
    clientCommand(),
    initCommand(),
    installBrowserCommand(),
    doctorCommand(),
    signInCommand(),
    sweepCommand(),
    handoverCommand(),
  ];
}
