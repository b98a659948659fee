import { resolve } from 'node:path';
import { type OpenPointId, openPointIds } from '../../../generated/ids.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { aspectIds } from '../../document/profiles/aspects.ts';
import type { Profile } from '../../document/profiles/profile.ts';
import { profileText } from '../../document/profiles/yaml-text.ts';
import { alsoSeen } from '../../evaluation/monitor/also-seen.ts';
import { prepareTarget } from '../../evaluation/run/prepare-target.ts';
import { realTime } from '../../evaluation/run/shared-wait.ts';
import { abortReason } from '../../http/exchange.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { toleratedFaultTexts } from '../../http/tolerated-faults.ts';
import {
  type Observed,
  type ObserveRequest,
  observe,
  observeFirst,
  probesFor,
  wantedAspects,
} from '../../record/observe/observe.ts';
import type { Probe, SeenSoFar } from '../../record/observe/probe-context.ts';
import type { RunTrouble } from '../../report/results.ts';
import { conclude, type RunOutcome } from '../../report/verdict.ts';
import { withoutBrowser } from '../../service/flow/connect.ts';
import { FlowSteps } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { checkSecondApplication } from '../../service/flow/settings/check-settings.ts';
import { findingText } from '../../service/target.ts';
import { connectingLive, endSession, printingLines, printSandboxNote } from '../shared/connection.ts';
import { printError } from '../shared/print.ts';
import { startProgress } from '../shared/progress.ts';
import { refuseUnknown, risksFrom } from '../shared/selection.ts';
import { type ResolvedTarget, resolveTarget, type TargetRequest } from '../shared/target.ts';
import { requireReportFolder, requireWritableFile } from '../shared/write-files.ts';
import { profileFrom, whyNoProfile } from './profile.ts';

/** An observation, as the command line or a program asks for it. */
export interface ObservationRequest extends TargetRequest {
  readonly risks?: readonly string[] | undefined;
  readonly probes?: readonly string[] | undefined;
  /** On a live target: the folder with the list of users that the run assigned. */
  readonly report?: string;
  /** Wait for tokens to expire on a live target without a clock. */
  readonly waitExpiry?: boolean | undefined;
  /** File for the profile. It is tried before anything is sent. */
  readonly out?: string | undefined;
  readonly verbose?: boolean;
  /** Print no progress. */
  readonly quiet?: boolean;
  /** On abort the own users are unassigned and no profile is written. */
  readonly signal?: AbortSignal | undefined;
}

interface ObservedTarget {
  readonly secrets: SecretRegistry;
  readonly troubles: readonly RunTrouble[];
  /** Violations of clause 4.4 by the clean-up. */
  readonly violations?: readonly string[];
  readonly seen: readonly string[];
  readonly record?: {
    readonly observed: Observed;
    readonly profile: Profile;
    readonly text: string;
  };
}

/** Observes a target and prints its progress on standard error. Writes nothing. */
export async function runObservation(request: ObservationRequest): Promise<ObservedTarget> {
  const intended = await resolveTarget(request);
  const { summary, configuration } = intended;
  if (summary.kind === 'live' && request.report !== undefined) requireReportFolder(request.report);
  const risks = new Set(risksFrom(request.risks ?? [], summary.kind === 'emulator'));
  if (configuration?.care === 'careful' && risks.has('revokes'))
    throw new UsageError('--risk: `care: careful` leaves out revokes');
  if (request.waitExpiry) risks.add('slow');
  const what: ObserveRequest = { risks, ...selectedPoints(request.probes ?? []) };
  const wanted = wantedAspects(loadCatalogue(), what);
  if (request.out !== undefined) requireWritableFile('--out', request.out);
  const asked = what.only === undefined ? `risks: ${[...risks].join(', ')}` : [...what.only].join(', ');
  if (!request.quiet)
    printProgress(`observe ${summary.name}: ${wanted.size} of ${aspectIds.length} aspects (${asked})`);
  const secrets = new SecretRegistry();
  const seen = await probeTarget(request, intended, secrets, what);
  return { secrets, ...seen };
}

/** Prints to standard error: standard output may be the profile. */
export function printProgress(line: string): void {
  printError(`${line}\n`);
}

/** A wrong second application would have been recorded as answers. */
async function wrongSecondApplication(session: Session): Promise<string | undefined> {
  const flowSteps = new FlowSteps(new ServiceClient(session));
  const checked = await checkSecondApplication({ flowSteps, target: session.target, refusals: [] });
  return checked?.wrongSettings.map(findingText).join('; ');
}

async function probeTarget(
  request: ObservationRequest,
  { configuration, choice }: ResolvedTarget,
  secrets: SecretRegistry,
  what: ObserveRequest,
): Promise<Omit<ObservedTarget, 'secrets'>> {
  const { env, signal, verbose, quiet } = request;
  const connectTo =
    configuration === undefined
      ? printingLines(withoutBrowser, verbose)
      : connectingLive({ env, verbose, onBrowser: quiet ? undefined : printSandboxNote });
  const plan = { ...choice, report: request.report && resolve(request.report) };
  const at = new Date();
  let before: SeenSoFar | undefined;
  const prepared = await prepareTarget(plan, secrets, {
    connectTo,
    signal,
    beforeGrant: async (session, answer) => {
      before = await observeFirst(session, answer, loadCatalogue(), what);
    },
  });
  try {
    const interruption = (): RunTrouble | undefined =>
      signal?.aborted
        ? { kind: 'inconclusive', message: `${abortReason(signal)}: no profile was written` }
        : undefined;
    if (!prepared.ready) return { troubles: [interruption() ?? prepared.trouble], seen: [] };
    const { session, smokeFlow, catalogue } = prepared.environment;
    const openPointOf = ({ aspects: [first] }: Probe) => first?.split('.')[0] ?? '';
    const openPoints = Map.groupBy(probesFor(wantedAspects(catalogue, what)), openPointOf);
    const groups = new Map([...openPoints].map(([id, probes]) => [id, probes.length]));
    const out = quiet ? { write: () => true } : process.stderr;
    const progress = startProgress({ what: 'observing', groups, plain: verbose }, out);
    const onProbe = (probe: Probe) => progress.done(openPointOf(probe), openPointOf(probe));
    const wait = (seconds: number) => {
      const clock = realTime(seconds, (left) => progress.waiting(left), signal);
      return clock.until(clock.now() + seconds * 1_000);
    };
    const asked = { ...what, before, onProbe, ...(request.waitExpiry && { wait }) };
    const observed = await observe(session, smokeFlow, catalogue, asked).finally(() => progress.end());
    const wrong =
      session.target.isLive && !signal?.aborted ? await wrongSecondApplication(session) : undefined;
    if (wrong !== undefined) return { troubles: [{ kind: 'inconclusive', message: wrong }], seen: [] };
    const { target } = session;
    const { watched } = prepared;
    const habits = toleratedFaultTexts(target.traffic?.used);
    const profile = await profileFrom(observed, target, at, what.risks);
    const text = profileText(profile);
    const left = await endSession(session);
    const interrupted = interruption();
    if (interrupted !== undefined) return { ...left, troubles: [...left.troubles, interrupted], seen: [] };
    return {
      ...left,
      troubles: [
        ...left.troubles,
        ...[whyNoProfile(text, secrets)].flatMap((message) =>
          message ? [{ kind: 'broken', message } as const] : [],
        ),
      ],
      seen: [...alsoSeen(watched.monitor, catalogue.requirement), ...habits],
      record: { observed, profile, text },
    };
  } finally {
    await prepared.close();
  }
}

/** Concludes an observation: an aspect without an answer makes it inconclusive. */
export function concludeObservation(
  { record, secrets, violations = [] }: ObservedTarget,
  troubles: readonly RunTrouble[],
): RunOutcome {
  const silent = [...(record?.observed.unseen ?? [])].filter(([, { why }]) => why === 'no-answer');
  const gaps =
    silent.length === 0 ? [] : [`${silent.length} aspects got no answer: ${silent[0]?.[1].reason}`];
  const evaluatedCount = record?.observed.answers.size ?? 0;
  const outcome = conclude({ troubles, violations, gaps, evaluatedCount });
  return { ...outcome, because: outcome.because.map((sentence) => secrets.redact(sentence)) };
}

/** Reads the words of `--probe`. */
export function selectedPoints(words: readonly string[]): Pick<ObserveRequest, 'only'> {
  refuseUnknown('--probe', words, openPointIds);
  return words.length === 0 ? {} : { only: new Set(words as OpenPointId[]) };
}
