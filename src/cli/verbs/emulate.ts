import { InvalidArgumentError } from 'commander';
import {
  between,
  collected,
  day,
  flag,
  optional,
  parsed,
  port,
  repeatedOption,
  secretOption,
  withDefault,
} from '../options.ts';
import { type OptionOf, verb } from '../verb.ts';

const AUTO_CONSENT: OptionOf<string | true | undefined> = {
  value: '[email]',
  text: 'grant every authorization request without a page, as this owner (default: the first owner)',
};

const CONTROL: OptionOf<number | boolean | undefined> = {
  value: '[port]',
  text: 'open the control port, which moves the clock, shows the journal and reports on your client',
  read: port,
};

export const emulateCommand = verb({
  name: 'emulate',
  summary: 'run the emulator of the service, until you stop it',
  options: {
    host: withDefault('<address>', 'address to listen on', '127.0.0.1'),
    port: { ...parsed('<n>', 'port of the authorization server; 0 for any', port), byDefault: 8700 },
    apiPort: { ...parsed('<n>', 'port of the resource API; 0 for any', port), byDefault: 8701 },
    oneOrigin: flag('serve both addresses on the first port'),
    publicUrl: optional(
      '<url>',
      'address at which clients reach the first port, such as http://legacy:8700; the control port listens on the same host',
    ),
    publicApiUrl: optional(
      '<url>',
      "address at which clients reach the resource API (default: the host of --public-url with the API's port)",
    ),
    tls: optional(
      '<folder>',
      'serve HTTPS, and write the certificate that clients must trust to ca.pem in this folder',
    ),
    profile: optional(
      '<id>',
      'how to answer where the document is silent: the id or the file of a profile (default: doorkeeper-5)',
    ),
    seed: optional('<file>', 'file of applications, owners, projects, users and assignments (YAML or JSON)'),
    seedDefault: flag('use the same ids, secrets and passwords at every start, unless the seed names others'),
    clientId: optional('<id>', 'id of the first application'),
    clientSecret: optional('<env:NAME>', 'variable that holds the secret of the first application'),
    redirectUri: repeatedOption('<address>', 'redirect address of the first application (repeatable)'),
    autoConsent: AUTO_CONSENT,
    expiresIn: parsed(
      '<seconds>',
      'lifetime of access tokens; clause 8 of the document says 7200',
      between(1, 31_536_000),
    ),
    defect: collected('<ids>', 'switch on these defects (ids, separated by commas)'),
    control: CONTROL,
    controlToken: optional(
      '<env:NAME>',
      'variable that holds the token for the control port (default: a random token)',
    ),
    journalLimit: parsed(
      '<n>',
      'number of requests that the journal keeps (default: 10000 with the control port)',
      between(1, 1_000_000),
    ),
    dotenv: optional('<file>', 'when ready, write the variables to this file'),
    brownout: parsed(
      '<lasts/every>',
      'refuse requests for a while, again and again: 2h/1d is two hours of each day, from midnight UTC; 410 and 503 in turn',
      brownout,
    ),
    retiredFrom: parsed('<date>', 'refuse every request with 410 from this day (UTC, YYYY-MM-DD)', day),
    announceEnd: flag('send Sunset and Deprecation headers, for the day of --retired-from or early 2027'),
    state: optional(
      '<file>',
      'keep applications, grants, tokens and assignments in this file over restarts; options for the seed count while it is new',
    ),
    json: { ...flag('print addresses and credentials as one line of JSON'), conflictsWith: 'printEnv' },
    printEnv: flag('print the variables and nothing else'),
  },
  help: `
Examples
  legacy-conformance emulate
  legacy-conformance emulate --profile by-the-rfc --port 0 \\
    --api-port 0 --json
  legacy-conformance emulate --defect exchange-code-reusable --control 8702
  legacy-conformance emulate --host 0.0.0.0 \\
    --public-url http://legacy:8700 --seed-default --auto-consent`,
  run: async ({
    defect: defects,
    control = false,
    clientId,
    redirectUri: redirectUris,
    brownout,
    retiredFrom,
    announceEnd,
    host,
    port: authPort,
    apiPort,
    oneOrigin,
    publicUrl,
    publicApiUrl,
    ...options
  }) => {
    const { runEmulator } = await import('../../commands/emulate/verb.ts');
    const lines = options.printEnv ? 'variables' : 'text';
    return runEmulator({
      ...options,
      addresses: { host, port: authPort, apiPort, oneOrigin, publicUrl, publicApiUrl },
      stableSeed: options.seedDefault,
      application: {
        clientId,
        clientSecret: secret('--client-secret', options.clientSecret),
        redirectUris,
      },
      retirement: {
        brownout,
        from: retiredFrom === undefined ? undefined : Date.parse(retiredFrom) / 1_000,
        announced: announceEnd,
      },
      defects,
      control,
      controlToken: secret('--control-token', options.controlToken),
      output: options.json ? 'json' : lines,
    });
  },
});

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

function brownout(value: string): { readonly lasts: number; readonly every: number } {
  const [, ...parts] = /^(\d{1,6})([smhd])\/(\d{1,6})([smhd])$/.exec(value) ?? [];
  const [lasts = 0, every = 0] = [parts.slice(0, 2), parts.slice(2)].map(
    ([count, unit]) => Number(count) * SECONDS[unit as keyof typeof SECONDS],
  );
  if (lasts > 0 && every > lasts) return { lasts, every };
  throw new InvalidArgumentError('Expected two times such as 2h/1d or 30s/10m, the first one shorter.');
}

function secret(option: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : secretOption(option, value, process.env);
}
