import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../cli/usage-error.ts';
import { BrokerUsage } from '../contracts/broker/access.ts';
import { findPacts } from '../contracts/pact/find-pacts.ts';
import { type Pact, PactRefused } from '../contracts/pact/pact.ts';
import { NoProviderVersion } from '../contracts/provider-version.ts';
import type { ProviderNames } from '../contracts/providers.ts';
import { renderVerification } from '../contracts/render-verification.ts';
import { concludeVerification } from '../contracts/verify/conclude-verification.ts';
import type { Verification } from '../contracts/verify/outcome.ts';
import { problemsOf, refusePacts } from '../contracts/verify/refuse-pacts.ts';
import { notRun, verifyPacts } from '../contracts/verify/verify-pacts.ts';
import { connect } from '../flow/connect.ts';
import { styleFor } from '../report/console.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openTarget } from '../targets/open-target.ts';
import type { Target } from '../targets/target.ts';
import { requireOptionalPackage } from './optional-package.ts';
import { describeTarget, requireBrowser, requireBrowserForLive } from './prepare.ts';
import { type BrokerRequest, takeFromBroker } from './verify-from-broker.ts';

/** What was asked of `contracts verify` on the command line. */
export interface VerifyRequest {
  /** Files and folders; none means the reference client's pacts. */
  readonly pacts: readonly string[];
  /** Take the pacts from a broker, and perhaps tell it what came of them. */
  readonly broker: BrokerRequest | undefined;
  /** `emulator`, or the path of a configuration file. */
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly names: ProviderNames;
  readonly json: boolean;
}

/** The pacts of the reference client. */
const OWN_PACTS = relative(process.cwd(), fileURLToPath(new URL('../../contracts/pacts', import.meta.url)));

/**
 * The verb `contracts verify`: verifies pacts against a target and prints what came of each interaction.
 *
 * @returns the exit code
 * @throws UsageError, ConfigurationError before anything is sent to the target, when something about the request or a pact
 *   is wrong
 */
export async function verifyContracts(request: VerifyRequest): Promise<ExitCode> {
  requireOptionalPackage('@pact-foundation/pact-core', 'contracts verify');
  const secrets = new SecretRegistry();
  const { verification, told } = await refusing(() => verified(request, secrets));
  const outcome = concludeVerification(verification);
  const { verdict, because, exitCode } = outcome;
  const text = request.json
    ? `${JSON.stringify({ ...verification, told, verdict, because, exitCode }, null, 2)}\n`
    : renderVerification(verification, outcome, styleFor(process.env, process.stdout.isTTY), told);
  const leaks = [...new Set(secrets.find(text).map(({ label }) => label))];
  if (leaks.length > 0) {
    process.stderr.write(
      `nothing is printed: it would have held ${leaks.join(', ')}; this is a bug of the suite\n`,
    );
    return EXIT.broken;
  }
  process.stdout.write(text);
  return exitCode;
}

/** What came of a verification, and what a broker was told of it, a line per pact. */
interface Verified {
  readonly verification: Verification;
  readonly told: readonly string[];
}

async function verified(request: VerifyRequest, secrets: SecretRegistry): Promise<Verified> {
  const { summary } = await describeTarget(request);
  if (request.broker === undefined) {
    const pacts = await findPacts(request.pacts.length > 0 ? request.pacts : [OWN_PACTS]);
    return { verification: await verify(pacts, request, secrets, refusePacts), told: [] };
  }
  if (request.pacts.length > 0) throw new UsageError('--pact and --broker: give one, both say which pacts');
  const broker = takeFromBroker(request.broker, request.names, summary);
  const taken = await broker.pacts();
  if ('trouble' in taken) return { verification: { pacts: [], troubles: [taken.trouble] }, told: [] };
  const verification = await verify(taken.pacts, request, secrets, () => undefined);
  return broker.tell(verification, secrets);
}

/** @param refuse throws for pacts that are not even to be begun with; of those it lets pass, what is wrong is told of each */
async function verify(
  pacts: readonly Pact[],
  request: VerifyRequest,
  secrets: SecretRegistry,
  refuse: typeof refusePacts,
): Promise<Verification> {
  const live = request.target !== 'emulator';
  const target: Target = await openTarget({
    target: live ? { file: resolve(request.target) } : 'emulator',
    profile: request.profile,
    defects: request.defects,
  });
  try {
    // Looked through before a browser is even started.
    refuse(pacts, target, request.names);
    const problems = new Map(pacts.map((pact) => [pact, problemsOf(pact, target, request.names)]));
    const good = pacts.filter((pact) => problems.get(pact)?.length === 0);
    const refused = pacts.flatMap((pact) => {
      const found = problems.get(pact) ?? [];
      return found.length === 0 ? [] : notRun([pact], found.join('; '));
    });
    if (good.length === 0) return { pacts: refused, troubles: [] };
    const verification = await inBrowser(target, good, request.names, secrets);
    return { ...verification, pacts: [...verification.pacts, ...refused] };
  } finally {
    await target.close();
  }
}

/** Ctrl+C ends it after the interaction that is under way, so that nobody is left assigned. */
async function inBrowser(
  target: Target,
  pacts: readonly Pact[],
  names: ProviderNames,
  secrets: SecretRegistry,
): Promise<Verification> {
  const { executablePath } = await (target.kind === 'live' ? requireBrowserForLive() : requireBrowser(false));
  const { session, close } = await connect(target, secrets, executablePath);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await verifyPacts(pacts, session, { names, signal: interruption.signal });
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    await close();
  }
}

/** What is wrong with a pact, or with what was asked of a broker, is wrong usage. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const usage = [PactRefused, BrokerUsage, NoProviderVersion].some((kind) => error instanceof kind);
    throw usage ? new UsageError((error as Error).message, { cause: error }) : error;
  }
}
