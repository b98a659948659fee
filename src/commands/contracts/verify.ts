import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPacts, type Interaction, type Pact } from '../../contracts/pact/read-pact.ts';
import { AUTHORIZATION_SERVER, foreignProvider, RESOURCE_API } from '../../contracts/providers.ts';
import { verificationListing } from '../../contracts/verification-listing.ts';
import {
  concludeVerification,
  pactOutcomes,
  type Verification,
  type WantedPact,
} from '../../contracts/verify/outcome.ts';
import type { InteractionOutcome } from '../../contracts/verify/pact-outcome.ts';
import { refusedInteractions, refusePacts } from '../../contracts/verify/refuse-pacts.ts';
import { verifyPacts } from '../../contracts/verify/verify-pacts.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { alsoSeen } from '../../evaluation/monitor/also-seen.ts';
import { attachMonitor } from '../../evaluation/monitor/attach.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { toleratedFaultTexts } from '../../http/tolerated-faults.ts';
import { oneLine } from '../../report/printable.ts';
import type { TargetSummary } from '../../report/results.ts';
import type { ExitCode } from '../../report/verdict.ts';
import type { Session } from '../../service/flow/session.ts';
import { openTarget, registerTargetSecrets } from '../../service/open-target.ts';
import type { Target } from '../../service/target.ts';
import { endSession, withSession, withTarget } from '../shared/connection.ts';
import { requirePact } from '../shared/own-package.ts';
import { printBeside } from '../shared/print.ts';
import { printResult } from '../shared/print-result.ts';
import { startProgress } from '../shared/progress.ts';
import { type ResolvedTarget, resolveTarget, type TargetRequest } from '../shared/target.ts';
import { requireReportFolder } from '../shared/write-files.ts';
import { type BrokerRequest, targetLine, type Verified, verifyBrokerPacts } from './broker-pacts.ts';

interface VerifyRequest extends TargetRequest {
  readonly pacts: readonly string[];
  readonly broker: BrokerRequest | undefined;
  /** On a live target: the folder with the list of users that the run assigned. */
  readonly report: string;
  readonly json: boolean;
  readonly verbose?: boolean;
  /** Without progress on standard error. */
  readonly silent?: true;
  readonly untilInterrupted: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

const OWN_PACTS = relative(
  process.cwd(),
  fileURLToPath(new URL('../../../contracts/pacts', import.meta.url)),
);

/** The verb `contracts verify`. @returns its exit code */
export async function verifyTarget(request: VerifyRequest): Promise<ExitCode> {
  const { json, broker } = request;
  const say = (target: TargetSummary) => {
    if (broker?.publish) printBeside(json, `${targetLine(target)}\n`);
  };
  const { target, secrets, outcome, verification, notices, providerVersion } = await verifyAll(
    'contracts verify',
    request,
    say,
  );
  const exitCode = await printResult({
    listing: verificationListing(verification, outcome, notices),
    secrets,
    json: json && { ...verification, providerVersion, notices, ...outcome },
  });
  say(target);
  return exitCode;
}

/**
 * Verifies the pacts of a request and prints no result.
 *
 * @param caller names itself in messages
 * @param onTarget is called before anything is sent
 * @throws UsageError and similar errors before anything is sent
 */
export async function verifyAll(
  caller: string,
  request: VerifyRequest,
  onTarget: (target: TargetSummary) => void = () => undefined,
) {
  requirePact(caller);
  if (request.target !== 'emulator') requireReportFolder(request.report);
  const resolved = await resolveTarget(request);
  onTarget(resolved.summary);
  const secrets = new SecretRegistry();
  const verified = await verifyChosen(request, resolved, secrets);
  const outcome = concludeVerification(verified.verification);
  return { ...verified, outcome, secrets, target: resolved.summary };
}

/** Verifies the pacts of files, or those of a broker. */
async function verifyChosen(
  request: VerifyRequest,
  resolved: ResolvedTarget,
  secrets: SecretRegistry,
): Promise<Verified> {
  if (request.broker === undefined) {
    const left: string[] = [];
    const pacts = findPacts(request.pacts.length > 0 ? request.pacts : [OWN_PACTS], (document, file) => {
      const name = foreignProvider(document);
      if (name !== undefined) left.push(`left out: ${file}: its provider is ${JSON.stringify(name)}`);
      return name !== undefined;
    });
    if (pacts.length === 0)
      throw new UsageError(
        `expected a pact with ${AUTHORIZATION_SERVER} or ${RESOURCE_API}, got none\n${left.join('\n')}`,
      );
    const wanted = pacts.map((pact) => ({ pact, standing: 'counts', why: [] }) as const);
    const verification = await verify(wanted, request, resolved, secrets);
    return { verification, notices: [...left, ...(verification.alsoSeen ?? [])] };
  }
  if (request.pacts.length > 0) throw new UsageError('--pact and --broker: give one, both say which pacts');
  return verifyBrokerPacts(request.broker, resolved.summary, secrets, (wanted) =>
    verify(wanted, request, resolved, secrets),
  );
}

async function verify(
  wanted: readonly WantedPact[],
  request: VerifyRequest,
  { choice }: ResolvedTarget,
  secrets: SecretRegistry,
): Promise<Verification> {
  const pacts = wanted.map(({ pact }) => pact);
  const report = resolve(request.report);
  return withTarget(openTarget({ ...choice, report }, secrets), async (target) => {
    registerTargetSecrets(target, secrets);
    // Before a browser starts. A broker's pacts are not refused as a whole: one consumer's mistake stops no other.
    if (request.broker === undefined) refusePacts(pacts, target, secrets);
    const message = await target.reach?.();
    if (message !== undefined) return { pacts: [], troubles: [{ kind: 'inconclusive', message }] };
    const refused = refusedInteractions(pacts, target, secrets);
    return pacts.every(({ interactions }) => interactions.every((one) => refused.has(one)))
      ? { pacts: pactOutcomes(wanted, refused, secrets), troubles: [] }
      : inBrowser(target, wanted, refused, request, secrets);
  });
}

/** Ctrl+C stops after the current interaction, so that no user stays assigned. */
function inBrowser(
  target: Target,
  wanted: readonly WantedPact[],
  refused: ReadonlyMap<Interaction, InteractionOutcome>,
  { untilInterrupted, verbose = false, silent }: VerifyRequest,
  secrets: SecretRegistry,
): Promise<Verification> {
  const work = async (session: Session) => {
    const watched = attachMonitor(session);
    const nameOf = ({ consumer, provider }: Pact) => secrets.redact(oneLine(`${consumer} -> ${provider}`));
    const groups = new Map<string, number>();
    for (const { pact } of wanted) {
      const count = pact.interactions.filter((one) => !refused.has(one)).length;
      groups.set(nameOf(pact), (groups.get(nameOf(pact)) ?? 0) + count);
    }
    const out = silent ? { write: () => true } : process.stderr;
    const progress = startProgress({ what: 'verifying', groups, plain: verbose }, out);
    const onInteraction = (pact: Pact, { description }: Interaction) =>
      progress.done(oneLine(description), nameOf(pact));
    const verification = await untilInterrupted((signal) =>
      verifyPacts(wanted, watched.session, { refused, signal, onInteraction }),
    ).finally(() => progress.end());
    const { troubles, violations } = await endSession(session);
    const seen = [
      ...alsoSeen(watched.monitor, loadCatalogue().requirement).map((sentence) => secrets.redact(sentence)),
      ...toleratedFaultTexts(target.traffic?.used),
    ];
    return {
      ...verification,
      troubles: [...verification.troubles, ...troubles],
      ...(violations.length > 0 && { violations }),
      ...(seen.length > 0 && { alsoSeen: seen }),
    };
  };
  return withSession(target, secrets, work, verbose);
}
