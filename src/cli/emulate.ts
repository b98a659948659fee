import { Command } from 'commander';
import { list, port, secretOption } from './options.ts';
import { whenOrphaned } from './orphaned.ts';

/** The verb `emulate`. */
export function emulateCommand(): Command {
  return new Command('emulate')
    .description('run the service offline, until it is stopped')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port of the authorization server; 0 for any', port, 8700)
    .option('--api-port <n>', 'port of the resource API; 0 for any', port, 8701)
    .option('--one-origin', 'serve both on the first port', false)
    .option(
      '--profile <id>',
      'answers to what the document leaves open: an id, or the file of a profile',
      'doorkeeper-5',
    )
    .option('--seed <file>', 'applications, owners, projects, users and assignments, as YAML or JSON')
    .option('--defect <ids>', 'defects to switch on, separated by commas', list, [])
    .option('--control [port]', 'open the control port: clock, defects, faults, journal, reset', port)
    .option(
      '--control-token <env:NAME>',
      'the variable with what requests to the control port must present; made up when left out',
    )
    .option('--json', 'print addresses and credentials as one line of JSON', false)
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance emulate
  legacy-conformance emulate --profile by-the-rfc --port 0 --api-port 0 --json
  legacy-conformance emulate --defect exchange-code-reusable --control 8702`,
    )
    .action(async (options: EmulateOptions) => {
      const { runEmulator } = await import('../app/run-emulator.ts');
      const { defect: defects, control = false } = options;
      const request = { ...options, defects, control, controlToken: tokenOf(options) };
      process.exitCode = await runEmulator(request, whenOrphaned);
    });
}

function tokenOf({ controlToken }: EmulateOptions): string | undefined {
  return controlToken === undefined ? undefined : secretOption('--control-token', controlToken, process.env);
}

/** Options as the command line has them. */
interface EmulateOptions {
  readonly host: string;
  readonly port: number;
  readonly apiPort: number;
  readonly oneOrigin: boolean;
  readonly profile: string;
  readonly seed: string | undefined;
  readonly defect: readonly string[];
  readonly control: boolean | number | undefined;
  readonly controlToken: string | undefined;
  readonly json: boolean;
}
