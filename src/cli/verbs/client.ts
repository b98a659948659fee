import { clientRequirementIds } from '../../../generated/ids.ts';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import type { ExitCode } from '../../report/verdict.ts';
import { untilInterrupted } from '../ending.ts';
import {
  between,
  collected,
  flag,
  JSON_RESULTS,
  optional,
  parsed,
  QUIET,
  reportOf,
  secretOption,
  withDefault,
} from '../options.ts';
import { type ValuesOf, verb } from '../verb.ts';

const OPTIONS = {
  app: optional(
    '<file>',
    'how to drive your application: app.config.json or a module; with a command, only its variables are read',
  ),
  only: collected('<what>', 'with --app: only this situation (repeatable)'),
  attach: optional(
    '<url>',
    'report on the clients of a running emulator: the address of its control port (LEGACY_CONTROL_URL)',
    // The emulator runs already: what would configure it comes too late.
    { conflictsWith: ['app', 'only', 'profile', 'answers', 'expiresIn', 'redirectUri', 'forms'] },
  ),
  controlToken: withDefault(
    '<env:NAME>',
    'with --attach: variable that holds the token of the control port',
    'env:LEGACY_CONTROL_TOKEN',
  ),
  profile: optional(
    '<id>',
    'profile of the emulator: an id or a file (default: doorkeeper-5 that accepts credentials in the form only)',
  ),
  answers: optional(
    '<file>',
    'let the emulator answer resources that the document does not show: path, status and body of each',
  ),
  expiresIn: parsed(
    '<seconds>',
    'lifetime of access tokens that the emulator states instead of 7200',
    between(1, 7_200),
  ),
  redirectUri: optional('<address>', 'with a command: redirect address that your tests use'),
  forms: flag(
    'with a command: show the sign-in and consent pages; without it, the emulator consents at once',
  ),
  strict: flag('let warnings fail the run'),
  require: collected(
    '<ids>',
    'requirements that the run must show (ids with commas); one that it does not is exit 3',
  ),
  report: reportOf('client'),
  knownDeviations: optional('<file>', 'accept the deviations in this file'),
  quiet: QUIET,
  verbose: flag('print every finding whole'),
  json: JSON_RESULTS,
};

export const clientCommand = verb({
  name: 'client',
  summary: 'check your own client, in any language: by its tests, or as a running application',
  args: [['[command...]', 'command that runs your tests, after `--`']],
  options: OPTIONS,
  help: `
Examples
  legacy-conformance client -- npm test
  legacy-conformance client --expires-in 5 -- pytest -q
  legacy-conformance client --app app.config.json
  legacy-conformance client --attach http://127.0.0.1:8702

Exit codes
  0  every documented requirement that the run exercised passed
  1  a documented requirement failed (with --strict: or warned)
  2  wrong usage: no such command, file, profile or situation
  3  the client sent no exchange, no refresh or no operation, a situation could not be produced, or your command failed
  4  the suite itself failed`,
  run,
});

async function run(options: ValuesOf<typeof OPTIONS>, command: readonly string[]): Promise<ExitCode> {
  const { app, only, attach, require } = options;
  const unknown = require.find((id) => !clientRequirementIds.some((known) => known === id));
  if (unknown !== undefined)
    throw new UsageError(
      `--require: expected a requirement on clients, got ${JSON.stringify(unknown)}.${didYouMean(unknown, clientRequirementIds)}`,
    );
  if (attach !== undefined) {
    if (command.length > 0)
      throw new UsageError(
        `client --attach: expected no command, got ${command[0]}: run it beside the emulator`,
      );
    const controlToken = secretOption('--control-token', options.controlToken, process.env);
    const { reportAttached } = await import('../../commands/client/attach.ts');
    return untilInterrupted((signal) => reportAttached({ ...options, attach, controlToken, signal }));
  }
  if (command.length === 0) {
    if (app === undefined)
      throw new UsageError('client: expected a command after --, --app FILE or --attach URL');
    const { evaluateApp } = await import('../../commands/client/drive-app.ts');
    return untilInterrupted((signal) => evaluateApp({ ...options, app, signal }));
  }
  if (only.length > 0) throw new UsageError('--only: expected with --app; a command runs as it is');
  const { evaluateOwnTests } = await import('../../commands/client/own-tests.ts');
  return untilInterrupted((signal) => evaluateOwnTests({ ...options, command, signal }));
}
