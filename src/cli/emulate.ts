import type { Command } from 'commander';
import { flag, listed, optional, read, readUsually, repeated, usually } from './option-kinds.ts';
import { between, port, secretOption } from './options.ts';
import { whenOrphaned } from './orphaned.ts';
import { type OptionOf, verb } from './verb.ts';

const AUTO_CONSENT: OptionOf<string | true | undefined> = {
  value: '[email]',
  text: 'grant authorization requests at once, without a form, as this owner; the first owner when left out',
};

const CONTROL: OptionOf<number | boolean | undefined> = {
  value: '[port]',
  text: 'open the control port: clock, defects, faults, holds, journal, reset',
  read: port,
};

export function emulateCommand(): Command {
  return verb({
    name: 'emulate',
    summary: 'run the service offline, until it is stopped',
    options: {
      host: usually('<address>', 'address to listen on', '127.0.0.1'),
      port: readUsually('<n>', 'port of the authorization server; 0 for any', port, 8700),
      apiPort: readUsually('<n>', 'port of the resource API; 0 for any', port, 8701),
      oneOrigin: flag('serve both on the first port'),
      publicUrl: optional(
        '<url>',
        'where clients reach the first port, such as http://legacy:8700; the control port listens beside it then',
      ),
      publicApiUrl: optional(
        '<url>',
        "where clients reach the resource API; the host of --public-url with the API's port when left out",
      ),
      tls: optional('<folder>', 'serve HTTPS; the certificate to trust is made and written there as ca.pem'),
      profile: usually(
        '<id>',
        'answers to what the document leaves open: an id, or the file of a profile',
        'doorkeeper-5',
      ),
      seed: optional('<file>', 'applications, owners, projects, users and assignments, as YAML or JSON'),
      seedDefault: flag(
        'the same ids, secrets and passwords at every start, for whatever the seed leaves out',
      ),
      clientId: optional('<id>', 'id of the first application'),
      clientSecret: optional('<env:NAME>', 'the variable with the secret of the first application'),
      redirectUri: repeated(
        '<address>',
        'a redirect address of the first application, in place of its own; may be repeated',
      ),
      autoConsent: AUTO_CONSENT,
      expiresIn: read(
        '<seconds>',
        "lifetime of access tokens; any but 7200 departs from the document's clause 8",
        between(1, 31_536_000),
      ),
      defect: listed('<ids>', 'defects to switch on, separated by commas'),
      control: CONTROL,
      controlToken: optional(
        '<env:NAME>',
        'the variable with what requests to the control port must present; made up when left out',
      ),
      journalLimit: read(
        '<n>',
        'how many requests the journal keeps; 10000 with the control port, which shows it',
        between(1, 1_000_000),
      ),
      dotenv: optional('<file>', 'write the variables to a file, once it is ready'),
      json: {
        ...flag('print addresses and credentials as one line of JSON'),
        conflictsWith: 'printEnv',
      },
      printEnv: flag('print the variables and nothing else'),
    },
    help: `
Examples
  legacy-conformance emulate
  legacy-conformance emulate --profile by-the-rfc --port 0 --api-port 0 --json
  legacy-conformance emulate --defect exchange-code-reusable --control 8702
  legacy-conformance emulate --host 0.0.0.0 --public-url http://legacy:8700 --seed-default --auto-consent`,
    run: async ({ defect: defects, control = false, clientId, redirectUri: redirectUris, ...options }) => {
      const { runEmulator } = await import('../app/emulate/run-emulator.ts');
      return runEmulator(
        {
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
        },
        whenOrphaned,
      );
    },
  });
}

function secret(option: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : secretOption(option, value, process.env);
}
