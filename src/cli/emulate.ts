import { Command, Option } from 'commander';
import { between, list, port, secretOption } from './options.ts';
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
      '--public-url <url>',
      'where clients reach the first port, such as http://legacy:8700; the control port listens beside it then',
    )
    .option(
      '--public-api-url <url>',
      "where clients reach the resource API; the host of --public-url with the API's port when left out",
    )
    .option('--tls <folder>', 'serve HTTPS; the certificate to trust is made and written there as ca.pem')
    .option(
      '--profile <id>',
      'answers to what the document leaves open: an id, or the file of a profile',
      'doorkeeper-5',
    )
    .option('--seed <file>', 'applications, owners, projects, users and assignments, as YAML or JSON')
    .option(
      '--seed-default',
      'the same ids, secrets and passwords at every start, for whatever the seed leaves out',
      false,
    )
    .option('--client-id <id>', 'id of the first application')
    .option('--client-secret <env:NAME>', 'the variable with the secret of the first application')
    .option(
      '--redirect-uri <address>',
      'a redirect address of the first application, in place of its own; may be repeated',
      (address, before: readonly string[]) => [...before, address],
      [],
    )
    .option(
      '--auto-consent [email]',
      'grant authorization requests at once, without a form, as this owner; the first owner when left out',
    )
    .option(
      '--expires-in <seconds>',
      "lifetime of access tokens; any but 7200 departs from the document's clause 8",
      between(1, 31_536_000),
    )
    .option('--defect <ids>', 'defects to switch on, separated by commas', list, [])
    .option('--control [port]', 'open the control port: clock, defects, faults, holds, journal, reset', port)
    .option(
      '--control-token <env:NAME>',
      'the variable with what requests to the control port must present; made up when left out',
    )
    .option('--journal-limit <n>', 'how many requests the journal keeps', between(1, 1_000_000), 10_000)
    .option('--dotenv <file>', 'write the variables to a file, once it is ready')
    .addOption(
      new Option('--json', 'print addresses and credentials as one line of JSON')
        .default(false)
        .conflicts('printEnv'),
    )
    .option('--print-env', 'print the variables and nothing else', false)
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance emulate
  legacy-conformance emulate --profile by-the-rfc --port 0 --api-port 0 --json
  legacy-conformance emulate --defect exchange-code-reusable --control 8702
  legacy-conformance emulate --host 0.0.0.0 --public-url http://legacy:8700 --seed-default --auto-consent`,
    )
    .action(async (options: EmulateOptions) => {
      const { runEmulator } = await import('../app/emulate/run-emulator.ts');
      const { defect: defects, control = false, clientId, redirectUri: redirectUris } = options;
      const request = {
        ...options,
        stableSeed: options.seedDefault,
        application: {
          clientId,
          clientSecret: secret('--client-secret', options.clientSecret),
          redirectUris,
        },
        defects,
        control,
        controlToken: secret('--control-token', options.controlToken),
        output: options.json ? 'json' : options.printEnv ? 'variables' : 'text',
      } as const;
      process.exitCode = await runEmulator(request, whenOrphaned);
    });
}

function secret(option: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : secretOption(option, value, process.env);
}

/** Options as the command line has them. */
interface EmulateOptions {
  readonly host: string;
  readonly port: number;
  readonly apiPort: number;
  readonly oneOrigin: boolean;
  readonly publicUrl: string | undefined;
  readonly publicApiUrl: string | undefined;
  readonly tls: string | undefined;
  readonly profile: string;
  readonly seed: string | undefined;
  readonly seedDefault: boolean;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly redirectUri: readonly string[];
  readonly autoConsent: string | true | undefined;
  readonly expiresIn: number | undefined;
  readonly defect: readonly string[];
  readonly control: boolean | number | undefined;
  readonly controlToken: string | undefined;
  readonly journalLimit: number;
  readonly dotenv: string | undefined;
  readonly json: boolean;
  readonly printEnv: boolean;
}
