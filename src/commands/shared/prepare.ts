import { existsSync } from 'node:fs';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { commandFor } from '../../document/input/program-name.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { DEFAULT_PROFILE } from '../../emulator/load-profile.ts';
import type { Environment } from '../../http/proxy.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import type { TargetSummary } from '../../report/results.ts';
import type { Signals } from '../../report/verdict.ts';
import { type FoundBrowser, startBrowser } from '../../service/agent/browser/find-browser.ts';
import { endBrowser } from '../../service/agent/browser/start-chromium.ts';
import type { CredentialSource } from '../../service/agent/sign-in-values.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { type Connect, connectThrough, launcherFor } from '../../service/flow/connect.ts';
import { endOfRun, type LeftBehind } from '../../service/flow/end-of-run.ts';
import { loggedSession } from '../../service/flow/request-log.ts';
import type { Session } from '../../service/flow/session.ts';
import { openConfigured, type TargetChoice } from '../../service/open-target.ts';
import type { Target } from '../../service/target.ts';
import { refuseUnknownDefects } from '../explain/defects.ts';
import { requireBrowser } from './browser.ts';
import type { VerbEnd } from './finish.ts';
import { printError } from './print.ts';
import { knownProfile } from './read-profile.ts';

/** A target, as the options name it. */
export interface TargetRequest {
  readonly target: string;
  /** Of the emulator. */
  readonly profile?: string | undefined;
  readonly defects?: readonly string[] | undefined;
  readonly env?: Environment;
  /** The configuration itself; then `target` is only its name. */
  readonly given?: ConfigurationFile | undefined;
}

export interface IntendedTarget {
  readonly summary: TargetSummary;
  /** Absent for the emulator. */
  readonly configuration?: Configuration;
  readonly choice: TargetChoice;
}

/** Resolves a target. Sends nothing. @throws UsageError, ConfigurationError: exit 2 */
export async function describeTarget(request: TargetRequest): Promise<IntendedTarget> {
  const { defects = [], env = process.env } = request;
  const nothingYet = { abilities: [], grants: { page: 0, cookies: 0 } } as const;
  if (request.target !== 'emulator') {
    if (request.given === undefined && !existsSync(request.target)) {
      throw new UsageError(
        /^https?:/.test(request.target)
          ? `--target: an address is no target; write a configuration: \`${commandFor('init')} --out FILE\``
          : `--target: expected \`emulator\` or a configuration file, but there is no file ${request.target}`,
      );
    }
    if (defects.length > 0) throw new UsageError('--defect: only the emulator has defects to switch on');
    if (request.profile !== undefined)
      throw new UsageError(
        '--profile: only the emulator follows a profile; `check --like` expects the answers of one',
      );
    const { loadConfiguration } = await import('../../service/configuration/load-configuration.ts');
    const configuration = await loadConfiguration(request.target, env, true, request.given);
    const { name, authUrl, baseUrl } = configuration;
    return {
      summary: { kind: 'live', name, authUrl, baseUrl, defects: [], ...nothingYet },
      configuration,
      choice: { target: configuration, profile: DEFAULT_PROFILE, defects: [] },
    };
  }
  const { profile: name = DEFAULT_PROFILE } = request;
  const profile = await knownProfile('--profile', name);
  refuseUnknownDefects(defects);
  return {
    summary: {
      kind: 'emulator',
      name: profile.name,
      authUrl: 'not started',
      baseUrl: 'not started',
      profile: profile.name,
      defects,
      ...nothingYet,
    },
    choice: { target: 'emulator', profile: name, defects },
  };
}

export function printSandboxNote({ withoutSandbox }: FoundBrowser): void {
  if (withoutSandbox === undefined) return;
  printError(`note: the browser runs without its sandbox: ${withoutSandbox}\n`);
}

export interface BrowserOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly onBrowser?: (found: FoundBrowser) => void;
  /** Print each request. */
  readonly verbose?: boolean;
  /** Those of an earlier connection of the run. */
  readonly credentials?: CredentialSource | undefined;
}

/** Connects through a browser of its own, which ends with the connection. Nothing is sent before it has started. */
export function connectingLive({
  env = process.env,
  onBrowser,
  verbose,
  credentials,
}: BrowserOptions = {}): Connect {
  return printingLines(async (target, secrets, signal) => {
    const launch = await launcherFor(target);
    const { browser, found } = await requireBrowser(() => startBrowser(launch, env));
    onBrowser?.(found);
    const close = () => endBrowser(browser);
    try {
      return { ...(await connectThrough(browser, target, secrets, signal, credentials)), close };
    } catch (error) {
      await close();
      throw error;
    }
  }, verbose);
}

export function requireLive(verb: string, target: string): void {
  if (target !== 'emulator') return;
  throw new UsageError(
    `${verb}: expected the configuration file of a live target as --target, got \`emulator\`, which starts afresh every time`,
  );
}

export async function withSession<T>(
  target: Target,
  secrets: SecretRegistry,
  work: (session: Session) => Promise<T>,
  verbose = false,
  credentials?: CredentialSource,
): Promise<T> {
  const onBrowser = target.shared ? printSandboxNote : undefined;
  const connect = connectingLive({ onBrowser, verbose, credentials });
  const { session, close } = await connect(target, secrets);
  try {
    return await work(session);
  } catch (error) {
    await endOfRun(session);
    throw error;
  } finally {
    await close();
  }
}

export async function withTarget<T>(
  opening: Promise<Target>,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const target = await opening;
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

/** The end of a verb, and the secrets that nothing printed of it may hold. */
export interface EndedVerb {
  readonly end: VerbEnd;
  readonly secrets: SecretRegistry;
}

/** Runs a verb without requirements on a live target. */
export function onLiveTarget(
  configuration: Configuration,
  work: (session: Session) => Promise<VerbEnd>,
  report?: string,
): Promise<EndedVerb> {
  const secrets = new SecretRegistry();
  return withTarget(openConfigured(configuration, secrets, report), async (target) => {
    const message = await target.reach?.();
    const unreached = {
      headline: target.name,
      troubles: [{ kind: 'inconclusive', message: message ?? '' } as const],
    };
    const end = message === undefined ? await withSession(target, secrets, work) : unreached;
    return { end, secrets };
  });
}

/**
 * Ends a run of a verb without requirements.
 *
 * @param end unassigns users and releases the lock
 * @returns a violation of clause 4.4 for users whom the service does not unassign; a trouble if no list can tell
 */
export async function endedWith(
  session: Session,
  end: (session: Session) => Promise<LeftBehind | undefined> = endOfRun,
): Promise<Pick<Signals, 'troubles' | 'violations'>> {
  const left = await end(session);
  if (left === undefined) return { troubles: [], violations: [] };
  const message = session.secrets.redact(left.message);
  return left.listed
    ? { troubles: [], violations: [`unassign.removes-user (clause 4.4): ${message}`] }
    : { troubles: [{ kind: 'inconclusive', message }], violations: [] };
}

/** Prints what a person is to know while the run goes on, and with `verbose` each request. */
export function printingLines(connectTo: Connect, verbose: boolean | undefined): Connect {
  return async (target, secrets, signal) => {
    const connection = await connectTo(
      { ...target, say: (line) => printError(`${line}\n`) },
      secrets,
      signal,
    );
    if (!verbose) return connection;
    return { ...connection, session: loggedSession(connection.session, (line) => printError(`  ${line}\n`)) };
  };
}
