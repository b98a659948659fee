import { SecretRegistry } from '../../http/secrets/registry.ts';
import type { VerdictInput } from '../../report/verdict.ts';
import { type FoundBrowser, startBrowser } from '../../service/agent/browser/find-browser.ts';
import { endBrowser } from '../../service/agent/browser/start-chromium.ts';
import type { CredentialSource } from '../../service/agent/sign-in-values.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { type Connect, connectThrough, launcherFor } from '../../service/flow/connect.ts';
import { endOfRun, type LeftBehind } from '../../service/flow/end-of-run.ts';
import { loggedSession } from '../../service/flow/request-log.ts';
import type { Session } from '../../service/flow/session.ts';
import { openConfigured } from '../../service/open-target.ts';
import type { Target } from '../../service/target.ts';
import { requireBrowser } from './browser.ts';
import { printError } from './print.ts';
import type { VerbResult } from './print-result.ts';

/** Says why a browser runs without its sandbox. */
export function printSandboxNote({ withoutSandbox }: FoundBrowser): void {
  if (withoutSandbox === undefined) return;
  printError(`note: the browser runs without its sandbox: ${withoutSandbox}\n`);
}

/** Options of a connection through a browser. */
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

/** Connects to a target, works on it, and closes the connection. */
export async function withSession<T>(
  target: Target,
  secrets: SecretRegistry,
  work: (session: Session) => Promise<T>,
  verbose = false,
  credentials?: CredentialSource,
): Promise<T> {
  const onBrowser = target.isLive ? printSandboxNote : undefined;
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

/** Works on a target, and closes it. */
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
export interface ResultWithSecrets {
  readonly end: VerbResult;
  readonly secrets: SecretRegistry;
}

/** Runs a verb without requirements on a live target. */
export function onLiveTarget(
  configuration: Configuration,
  work: (session: Session) => Promise<VerbResult>,
  report?: string,
): Promise<ResultWithSecrets> {
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
export async function endSession(
  session: Session,
  end: (session: Session) => Promise<LeftBehind | undefined> = endOfRun,
): Promise<Pick<VerdictInput, 'troubles' | 'violations'>> {
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
