import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { UsageError } from '../../document/input/usage-error.ts';
import { SHORT_JOURNAL } from '../../emulator/journal/journal.ts';
import { DEFAULT_PROFILE } from '../../emulator/policy/load-profile.ts';
import type { ControlOperations, EmulatorOptions } from '../../emulator/start/emulator-options.ts';
import { type Emulator, startEmulator } from '../../emulator/start/start-emulator.ts';
import type { Seed } from '../../emulator/store/seed.ts';
import { printableJson } from '../../report/printable.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { print, printError } from '../shared/print.ts';
import { readProfileWithNote } from '../shared/read-profile.ts';
import { whyUnwritten, writeWhole } from '../shared/write-files.ts';
import { dotenv, readyBlock, summary, variablesOf } from './ready.ts';

type Passed =
  | 'addresses'
  | 'stableSeed'
  | 'application'
  | 'autoConsent'
  | 'expiresIn'
  | 'journalLimit'
  | 'retirement';

/** The options of `emulate`. */
export interface EmulateRequest extends Pick<EmulatorOptions, Passed> {
  /** Default: doorkeeper-5. */
  readonly profile: string | undefined;
  readonly seed: string | undefined;
  readonly defects: readonly string[];
  /** True for any free port; a number selects the port. */
  readonly control: boolean | number;
  readonly controlToken: string | undefined;
  /** Folder for the authority's certificate; without it the emulator uses HTTP. */
  readonly tls: string | undefined;
  readonly dotenv: string | undefined;
  /** File that keeps the records over restarts. */
  readonly state: string | undefined;
  readonly output: 'text' | 'json' | 'variables';
}

/**
 * The verb `emulate`: runs the service offline until SIGINT or SIGTERM, with its clock in real time. SIGHUP ends it like any
 * process, so that `nohup` works.
 *
 * @throws UsageError for an unusable option, before anything runs
 */
export async function runEmulator(request: EmulateRequest): Promise<ExitCode> {
  const stateFile =
    request.state === undefined ? undefined : new (await import('./state-file.ts')).StateFile(request.state);
  const saved = stateFile?.read();
  let emulator: Emulator | undefined;
  const caFile = request.tls === undefined ? undefined : resolve(join(request.tls, 'ca.pem'));
  try {
    emulator = await start(request, saved);
    if (saved !== undefined) requireSameApplication(request, emulator);
    limitHeap();
    await writeFiles(emulator, request, caFile);
    stateFile?.keep(emulator);
  } catch (error) {
    await emulator?.close();
    await stateFile?.close();
    throw error;
  }
  const ended = new Promise<void>((end) => {
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });
  // Printed last: a reader of this line may stop the emulator at once.
  print(outputOf(emulator, request, caFile));
  await ended;
  await emulator.close();
  const unwritten = (await stateFile?.close(emulator)) ?? [];
  if (request.dotenv !== undefined) await rm(request.dotenv, { force: true });
  if (request.output === 'text') print('stopped\n');
  for (const why of unwritten) printError(`${why}\n`);
  return unwritten.length === 0 ? EXIT.conforms : EXIT.broken;
}

/** Saved records have their application: an option for another one would have no effect. */
function requireSameApplication({ application = {}, state }: EmulateRequest, { seed }: Emulator): void {
  const [saved] = seed.applications;
  const { clientId = saved.clientId, redirectUris = [] } = application;
  const option = clientId === saved.clientId ? '--redirect-uri' : '--client-id';
  if (option === '--redirect-uri' && redirectUris.every((uri) => saved.redirectUris.includes(uri))) return;
  throw new UsageError(
    `${option}: ${state} (--state) holds the application ${saved.clientId}, with ${saved.redirectUris.join(', ')}; leave the option out, or delete the file`,
  );
}

function outputOf(
  emulator: Emulator,
  { output, retirement }: EmulateRequest,
  caFile: string | undefined,
): string {
  switch (output) {
    case 'json':
      return `${printableJson(JSON.stringify(summary(emulator, caFile)))}\n`;
    case 'variables':
      return dotenv(variablesOf(emulator, caFile));
    case 'text':
      return readyBlock(emulator, caFile, retirement);
  }
}

/** Writes the public certificate. Writes the variables, which include secrets, readable only by the user. */
async function writeFiles(
  emulator: Emulator,
  request: EmulateRequest,
  caFile: string | undefined,
): Promise<void> {
  const write = async (option: string, file: string, text: string, mode: number) => {
    const [why] = await whyUnwritten(`${option}: ${file}`, writeWhole(file, text, mode));
    if (why !== undefined) throw new UsageError(why);
  };
  const { dotenv: file } = request;
  if (caFile !== undefined) await write('--tls', caFile, emulator.caCertificate ?? '', 0o644);
  if (file !== undefined) await write('--dotenv', file, dotenv(variablesOf(emulator, caFile)), 0o600);
}

async function start(request: EmulateRequest, state: Uint8Array | undefined): Promise<Emulator> {
  const { addresses, application, autoConsent, expiresIn, retirement, stableSeed } = request;
  const profile = await readProfileWithNote('--profile', request.profile ?? DEFAULT_PROFILE);
  const seed = request.seed === undefined ? undefined : await readSeed(request.seed);
  if (request.defects.length > 0) (await import('../shared/target.ts')).refuseUnknownDefects(request.defects);
  const started = Promise.withResolvers<Emulator>();
  try {
    const emulator = await startEmulator({
      application,
      autoConsent,
      expiresIn,
      retirement,
      stableSeed,
      state,
      // An application of the user's own has an address of its own.
      ownCallback: state === undefined && seed === undefined && !application?.redirectUris?.length,
      profile,
      defects: request.defects,
      clock: 'real',
      seed,
      addresses: { ...addresses, tls: request.tls !== undefined },
      journalLimit: request.journalLimit ?? (request.control === false ? SHORT_JOURNAL : undefined),
      control: control(request, started.promise),
    });
    started.resolve(emulator);
    return emulator;
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException), { cause: error });
  }
}

/** Loads its modules lazily, to keep the emulator's start fast. */
async function readSeed(file: string): Promise<Seed> {
  const [{ loadYaml }, { validateSeed }] = await Promise.all([
    import('../../document/load-yaml.ts'),
    import('../../../generated/validators.js'),
  ]);
  return loadYaml(file, validateSeed);
}

function control(request: EmulateRequest, emulator: Promise<Emulator>) {
  if (request.control === false) return false;
  return {
    port: typeof request.control === 'number' ? request.control : undefined,
    token: request.controlToken,
    operations: clientOperations(emulator, request.profile !== undefined),
  };
}

/** Loads the evaluation of clients at the first request, to keep the emulator's start fast. */
function clientOperations(emulator: Promise<Emulator>, isProfileChosen: boolean): ControlOperations {
  let loaded: Promise<ControlOperations> | undefined;
  const load = async () => {
    const { reportOperations } = await import('../client/control-operations.ts');
    return reportOperations(await emulator, isProfileChosen);
  };
  const names = ['GET /client-report', 'DELETE /client-report', 'GET /situations'] as const;
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (query: URLSearchParams) => {
        loaded ??= load();
        const operation = (await loaded)[name];
        if (operation === undefined) throw new Error(`no operation ${name}`);
        return operation(query);
      },
    ]),
  );
}

const OPTIONS: Readonly<Record<string, string>> = {
  publicUrl: '--public-url',
  publicApiUrl: '--public-api-url',
  authPath: '--public-url',
  basePath: '--public-api-url',
  autoConsent: '--auto-consent',
  state: '--state',
  'application.clientId': '--client-id',
  'application.redirectUris': '--redirect-uri',
};

function explain(error: NodeJS.ErrnoException): string {
  const { code, message } = error;
  if (code === 'EADDRINUSE') {
    return `${message}: the port is taken; choose another with --port, --api-port and --control, or 0 for any`;
  }
  if (code === 'EACCES')
    return `${message}: this port needs rights that you do not have; choose one from 1024`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `--host: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0 (${message})`;
  }
  const [, name = ''] = /^([\w.]+): /.exec(message) ?? [];
  return message.replace(`${name}: `, `${OPTIONS[name] ?? name}: `);
}

/**
 * Limits V8's memory: 420 MB instead of 500 to 570 for a million token pairs (costs: docs/development/decisions.md). Only for the
 * emulator's own process; call it once started, when the space for new objects has 8 MiB.
 */
export function limitHeap(): void {
  // Otherwise it doubles.
  setFlagsFromString('--semi-space-growth-factor=1');
  // New objects then become old sooner, so the old ones must be collected sooner.
  setFlagsFromString('--heap-growing-percent=30');
}
