import { UsageError } from '../input/usage-error.ts';
import type { ExitCode } from '../report/verdict.ts';
import { untilInterrupted } from './ending.ts';
import { between, collected, flag, JSON_RESULTS, optional, QUIET, read, usually } from './options.ts';
import { type ValuesOf, verb } from './verb.ts';

const OPTIONS = {
  app: optional(
    '<file>',
    'how to drive your application: app.config.json or a module; with a command, only its variables are read',
  ),
  adapter: {
    ...optional('<file>', 'module whose default export is a client adapter (JavaScript clients)'),
    also: ['--client'],
  },
  only: collected(
    '<what>',
    'with --app: only this situation; with --adapter: only this scenario or group (repeatable)',
  ),
  profile: optional(
    '<id>',
    'profile of the emulator: an id or a file (default: doorkeeper-5 that accepts credentials in the form only)',
  ),
  expiresIn: read(
    '<seconds>',
    'lifetime of access tokens that the emulator states instead of 7200',
    between(1, 7_200),
  ),
  redirectUri: optional('<address>', 'with a command: redirect address that your tests use'),
  forms: flag(
    'with a command: show the sign-in and consent pages; without it, the emulator consents at once',
  ),
  strict: flag('let warnings fail the run'),
  report: usually('<dir>', 'write the report to this folder', 'report'),
  knownDeviations: optional('<file>', 'accept the deviations in this file'),
  quiet: QUIET,
  json: { ...JSON_RESULTS, conflictsWith: 'quiet' },
};

export const clientCommand = verb({
  name: 'client',
  summary:
    'check your own client, in any language: by its tests, as a running application, or through an adapter',
  args: [['[command...]', 'command that runs your tests, after `--`']],
  options: OPTIONS,
  help: `
Examples
  legacy-conformance client -- npm test
  legacy-conformance client --expires-in 5 -- pytest -q
  legacy-conformance client --app app.config.json
  legacy-conformance client --adapter ./my-adapter.ts --only refresh

Exit codes
  0  every documented requirement that the run exercised passed; with --adapter, every scenario passed
  1  a documented requirement failed (with --strict: or warned); with --adapter, a scenario failed
  2  wrong usage: no such command, file, profile or situation
  3  the client sent no exchange, no refresh or no operation, a situation could not be produced, or your command failed
  4  the suite itself failed`,
  run,
});

async function run(options: ValuesOf<typeof OPTIONS>, command: readonly string[]): Promise<ExitCode> {
  const { app, adapter, only } = options;
  const ways = [
    ...(command.length > 0 ? ['a command after --'] : []),
    ...(adapter === undefined ? [] : ['--adapter']),
    ...(app === undefined || command.length > 0 ? [] : ['--app']),
  ];
  if (ways.length !== 1)
    throw new UsageError(
      `client: expected one of a command after --, --app FILE and --adapter FILE, got ${ways.join(' and ') || 'none'}`,
    );
  if (adapter !== undefined) {
    if (options.json || options.quiet)
      throw new UsageError(
        `--${options.json ? 'json' : 'quiet'}: expected with --app or a command; an adapter has no results.json`,
      );
    const { runClientScenarios } = await import('../app/client-scenarios.ts');
    return runClientScenarios({ client: adapter, only });
  }
  if (command.length === 0 && app !== undefined) {
    const { evaluateApp } = await import('../app/client/drive-app.ts');
    return untilInterrupted((signal) => evaluateApp({ ...options, app, signal }));
  }
  if (only.length > 0)
    throw new UsageError('--only: expected with --app or --adapter; a command runs as it is');
  const { evaluateOwnTests } = await import('../app/client/own-tests.ts');
  return untilInterrupted((signal) => evaluateOwnTests({ ...options, command, signal }));
}
