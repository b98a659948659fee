import type { Command } from 'commander';
import { UsageError } from '../input/usage-error.ts';
import type { ExitCode } from '../report/verdict.ts';
import { untilInterrupted } from './interruption.ts';
import { collected, flag, JSON_RESULTS, optional, QUIET, read, usually } from './option-kinds.ts';
import { between } from './options.ts';
import { verb } from './verb.ts';

export function clientCommand(): Command {
  return verb({
    name: 'client',
    summary: 'check a client of yours, in any language: its own tests, a running application, or an adapter',
    args: [['[command...]', 'after --: the command that runs your tests']],
    options: {
      app: optional(
        '<file>',
        'how your client is driven: app.config.json, or a module; with a command, its variables',
      ),
      adapter: {
        ...optional('<file>', 'a JavaScript client: a module whose default export is a client adapter'),
        also: ['--client'],
      },
      only: collected(
        '<what>',
        'with --app a situation, with --adapter a scenario or a group of them; repeatable',
      ),
      profile: optional(
        '<id>',
        "the emulator's profile, or the file of one (default: doorkeeper-5, with credentials taken in the form alone)",
      ),
      expiresIn: read(
        '<seconds>',
        'lifetime of access tokens that the emulator states in place of 7200',
        between(1, 7_200),
      ),
      redirectUri: optional('<address>', 'with a command: the redirect address that your tests use'),
      forms: flag("with a command: show the service's pages, in place of consenting at once"),
      strict: flag('count warnings as violations'),
      report: usually('<dir>', 'where the report is written', 'report'),
      knownDeviations: optional('<file>', 'deviations that are accepted'),
      quiet: QUIET,
      json: { ...JSON_RESULTS, conflictsWith: 'quiet' },
    },
    help: `
Examples
  legacy-conformance client -- npm test
  legacy-conformance client --expires-in 5 -- pytest -q
  legacy-conformance client --app app.config.json
  legacy-conformance client --adapter ./my-adapter.ts --only refresh

Exit codes
  0  every documented requirement that was exercised holds; with --adapter, every scenario passed
  1  a documented requirement is broken; with --strict, or a warning; with --adapter, a scenario failed
  2  wrong usage: no such command, file, profile or situation
  3  there was no exchange, no refresh or no operation, a situation did not come about, or your command failed
  4  the suite itself failed`,
    run: (options, command) => run(options, command),
  });
}

interface ClientOptions {
  readonly app: string | undefined;
  readonly adapter: string | undefined;
  readonly only: readonly string[];
  readonly profile: string | undefined;
  readonly expiresIn: number | undefined;
  readonly redirectUri: string | undefined;
  readonly forms: boolean;
  readonly strict: boolean;
  readonly report: string;
  readonly knownDeviations: string | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
}

async function run(options: ClientOptions, command: readonly string[]): Promise<ExitCode> {
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
