import type { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';
import { collect, list, readEnvFile, verbOnTarget } from './options.ts';

/** The verb `observe`. */
export function observeCommand(): Command {
  return verbOnTarget('observe')
    .description('see what a target does where the document is silent, and freeze it into a profile')
    .option('--defect <ids>', 'defects of the emulator to switch on, separated by commas', list, [])
    .option(
      '--risk <risks>',
      'what may be done to a live target: refusals, revokes, slow; separated by commas',
      collect,
      [],
    )
    .option('--probe <open points>', 'observe these open points alone, whatever their risk', collect, [])
    .option('--out <file>', 'where the profile is written; without it, to standard output')
    .addHelpText(
      'after',
      `
Risks
  none      always: what any client does
  refusals  provokes refusals, which a service may count against the client
  revokes   uses dead codes and tokens again, which may revoke the owner's grants
  slow      needs time to pass: a clock that can be moved
On the emulator everything is observed: it costs nothing there.

Examples
  legacy-conformance observe --profile adversarial
  legacy-conformance observe --target staging.config.json --risk refusals,revokes --out staging.profile.yaml
  legacy-conformance observe --target staging.config.json --probe refresh-fate
${EXIT_CODES}`,
    )
    .action(async (options: ObserveOptions) => {
      await readEnvFile(options.envFile);
      const { observeTarget } = await import('../app/observe-target.ts');
      process.exitCode = await observeTarget({
        ...options,
        defects: options.defect,
        risks: options.risk,
        probes: options.probe,
      });
    });
}

/** Options as the command line has them. */
interface ObserveOptions {
  readonly target: string;
  readonly envFile: string | undefined;
  readonly profile: string;
  readonly defect: readonly string[];
  readonly risk: readonly string[];
  readonly probe: readonly string[];
  readonly out: string | undefined;
}
