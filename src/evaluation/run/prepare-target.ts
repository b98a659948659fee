import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { SeenAtOpenPoints } from '../../document/profiles/aspects.ts';
import { abortReason, isSilence, TransportFailure } from '../../http/exchange.ts';
import { type RetirementNotice, RetirementWatch } from '../../http/retirement.ts';
import { explainedCrash } from '../../http/secrets/crash-text.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { exchangeEvidence } from '../../http/to-evidence.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Connect } from '../../service/flow/connect.ts';
import { diagnose, type RetirementProof } from '../../service/flow/diagnosis.ts';
import { endOfLock, endOfRun } from '../../service/flow/end-of-run.ts';
import type { Session } from '../../service/flow/session.ts';
import { CHECKS_BEFORE_CONSENT, checkSettings } from '../../service/flow/settings/check-settings.ts';
import { skewTrouble } from '../../service/flow/settings/clock.ts';
import { runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import { smokeSession } from '../../service/flow/smoke-run.ts';
import {
  NOT_THERE,
  ownerOfRefusal,
  type SmokeFlow,
  type StepOutcome,
} from '../../service/flow/smoke-steps.ts';
import { openTarget, type TargetChoice } from '../../service/open-target.ts';
import { findingText, type Target, withAbility } from '../../service/target.ts';
import type { ReplayFile } from '../explore/replay-file.ts';
import type { Check } from '../language/check.ts';
import { SharedRefusals } from '../language/shared-refusals.ts';
import { attachMonitor, type MonitoredSession } from '../monitor/attach.ts';
import type { MonitorEvent } from '../monitor/events.ts';
import { answerViewFor } from './answer-view.ts';
import type { CheckEnvironment } from './check-outcome.ts';
import { retriedSmokeFlow } from './confirm.ts';
import {
  deniesWhereAsked,
  denyBeforeGrants,
  type FirstAnswer,
  type FirstDenials,
  grantedLater,
  isDenial,
  openFirst,
} from './denials.ts';

export interface ExplorePlan {
  readonly requests: number;
  /** The user did not set this number, so a smaller budget lowers it. */
  readonly asBudgetAllows?: true;
  readonly seed: number;
  readonly replays: readonly ReplayFile[];
  readonly refusals: boolean;
}

/** Observes the open points of a prepared target. Probes do it; the run only keeps what they saw. */
export type LookAtOpenPoints = (environment: CheckEnvironment) => Promise<SeenAtOpenPoints>;

export interface RunPlan extends TargetChoice {
  /** Waits in real time for tokens to expire on a live target without a clock, once for all checks. */
  readonly waitExpiry?: boolean;
  /** Limits a run on a live target to one smoke flow with few requests, and evaluates only its answers. */
  readonly smoke?: boolean;
  readonly observe?: LookAtOpenPoints;
  readonly explore?: ExplorePlan;
}

export type PreparedTarget = ReadyTarget | UnreadyTarget;

interface Opened {
  readonly notices: () => readonly RetirementNotice[];
  close(): Promise<void>;
}

export interface ReadyTarget extends Opened {
  readonly ready: true;
  readonly watched: MonitoredSession;
  readonly environment: CheckEnvironment;
  readonly wrongSettings: readonly string[];
  readonly denials?: FirstDenials['outcomes'];
}

interface WhyUnready {
  readonly trouble: RunTrouble;
  readonly retired: boolean;
  readonly proof?: RetirementProof;
}

export interface UnreadyTarget extends Opened, WhyUnready {
  readonly ready: false;
  readonly target: Target | undefined;
  /** Absent if the connection failed: then no user was assigned. */
  readonly session?: Session;
}

export interface PrepareOptions {
  readonly connectTo: Connect;
  readonly open?: () => Promise<Target>;
  readonly signal?: AbortSignal;
  readonly checkDeadlineMs?: number;
  /** False skips evidence, which takes half of a live run's computing time; the kill matrix does not need it. */
  readonly keepEvidence?: boolean;
  readonly selected?: readonly Check[];
  /** Looks at a live target before the run grants anything; the second application then stays without a grant. */
  readonly beforeGrant?: (session: Session, answer: FirstAnswer) => Promise<void>;
  readonly also?: (event: MonitorEvent) => void;
}

class Unready extends Error {
  readonly why: WhyUnready;

  constructor(trouble: RunTrouble, retired = false, proof?: RetirementProof) {
    super(trouble.message);
    this.why = { trouble, retired, proof };
  }
}

function inconclusive(message: string, cause?: RunTrouble['cause']): Unready {
  return new Unready({ kind: 'inconclusive', message, ...(cause && { cause }) });
}

/** Opens the target of a plan and runs the smoke flow once. @throws UsageError without a browser; nothing was sent */
export async function prepareTarget(
  plan: RunPlan,
  secrets: SecretRegistry,
  options: PrepareOptions,
): Promise<PreparedTarget> {
  const { connectTo, signal, open = () => openTarget(plan, secrets) } = options;
  const closers: (() => Promise<void>)[] = [];
  const retirement = new RetirementWatch();
  const opened: Opened = {
    notices: () => retirement.notices,
    close: async () => {
      for (const closer of closers.reverse()) await closer();
    },
  };
  let target: Target | undefined;
  let session: Session | undefined;
  try {
    const unwatched = withWaiting(await open(), plan);
    closers.push(unwatched.close);
    target = unwatched.isLive
      ? { ...unwatched, transport: retirement.watch(unwatched.transport) }
      : unwatched;
    const unreached = await target.reach?.();
    if (unreached !== undefined) throw inconclusive(unreached, 'unreachable');
    const lean = plan.smoke ? { ...onLock(target), loadsLittle: true } : target;
    const { session: connected, close } = await connectTo(lean, secrets, signal);
    closers.push(close, async () => {
      await (connected.leftovers.any ? endOfLock : endOfRun)(connected);
    });
    session = connected;
    const skew = await skewTrouble(target);
    if (skew !== undefined) throw inconclusive(skew);
    const watched = attachMonitor(session, undefined, options.also);
    const prepared = await runThroughSmokeFlow(plan, watched, target, options);
    const { environment } = prepared;
    await requireAnswers(environment);
    return {
      ...opened,
      ready: true,
      watched,
      ...prepared,
      ...(await checkedSettings(plan, environment, options.beforeGrant !== undefined)),
    };
  } catch (error) {
    if (error instanceof UsageError) {
      await opened.close();
      throw error;
    }
    const { trouble, ...why } = whyUnready(error, secrets);
    const { cause = 'not-ready', message } = trouble;
    const redacted = { ...trouble, cause, message: secrets.redact(message) };
    return { ...opened, ...why, trouble: redacted, ready: false, target, ...(session && { session }) };
  }
}

function whyUnready(error: unknown, secrets: SecretRegistry): WhyUnready {
  if (error instanceof Unready) return error.why;
  // A transport failure is not the suite's fault.
  if (error instanceof TransportFailure) return inconclusive(error.message, 'unreachable').why;
  const message = explainedCrash(error, (text) => secrets.redact(text));
  return { trouble: { kind: 'broken', message }, retired: false };
}

/** A smoke run assigns the lock user instead of a user of a full run, so that the two never meet. */
function onLock({ lock, ...target }: Target): Target {
  if (lock === undefined) return target;
  const { project, user } = lock;
  const keys = { user: `\`lock.user\` (${user})`, project: `\`lock.project\` (${project})` };
  return { ...target, projects: [project], users: [user], keys };
}

/** Checks that need time apply without a movable clock, if waiting for expiry is allowed. */
export function withWaiting(target: Target, { waitExpiry }: RunPlan): Target {
  if (!target.isLive || waitExpiry !== true || target.clock !== undefined) return target;
  return withAbility(target, 'clock');
}

async function runThroughSmokeFlow(
  plan: RunPlan,
  watched: MonitoredSession,
  target: Target,
  { signal, checkDeadlineMs: deadlineMs, keepEvidence = true, selected = [], beforeGrant }: PrepareOptions,
): Promise<Pick<ReadyTarget, 'environment' | 'denials'>> {
  const session = plan.smoke ? smokeSession(watched.session) : watched.session;
  const view = answerViewFor(target);
  const beforeFlow = {
    catalogue: loadCatalogue(),
    session,
    sharedRefusals: new SharedRefusals(),
    answerView: view,
    keepEvidence,
    signal,
    deadlineMs,
  };
  const deniesFirst = !plan.smoke && selected.some(isDenial) && deniesWhereAsked(target);
  const first = deniesFirst ? await denyBeforeGrants(beforeFlow, watched) : undefined;
  const opening =
    beforeGrant && target.isLive
      ? await openFirst(session, (answer) => beforeGrant(session, answer))
      : first?.opening;
  // A smoke run has requests for one flow only.
  const flow = plan.smoke ? await runSmokeFlow(session) : await retriedSmokeFlow(session, signal, opening);
  const smokeFlow = first?.outcomes.size ? await grantedLater(session, flow) : flow;
  if (signal?.aborted) throw inconclusive(abortReason(signal));
  const requestStyle = refreshesLate(smokeFlow, session)
    ? { ...smokeFlow.requestStyle, refreshBeforeExpiry: false }
    : smokeFlow.requestStyle;
  const environment = { ...beforeFlow, session: { ...session, requestStyle }, smokeFlow };
  watched.readListsAsFound(environment.session);
  return { environment, denials: first?.outcomes };
}

/** @throws Unready with the diagnosis if the smoke flow stopped where no check could go on */
async function requireAnswers({ session, smokeFlow, answerView }: CheckEnvironment): Promise<void> {
  const { stopped } = smokeFlow;
  const { leftovers, target } = session;
  if (stopped?.step === 'unassign' && stopped.status === 'refused')
    leftovers.owner = ownerOfRefusal('unassign', stopped.httpStatus);
  if (stopped === undefined || !target.isLive || answersChecks(smokeFlow, stopped, session)) return;
  const { proof, message, exchange } = await diagnose(session, stopped);
  const shown = exchange && {
    cause: exchange.response === undefined ? ('unreachable' as const) : ('refused' as const),
    exchange: exchangeEvidence(exchange, 1, session.secrets, answerView),
  };
  const silent = isSilence(stopped.cause) ? ({ cause: 'unreachable' } as const) : {};
  throw new Unready({ kind: 'inconclusive', message, ...shown, ...silent }, proof !== undefined, proof);
}

function answersChecks(smokeFlow: SmokeFlow, stopped: StepOutcome, session: Session): boolean {
  // After a workaround the service has answered, only not as documented: each check evaluates for itself.
  const workaround = smokeFlow.steps.some((step) => step.status === 'workaround');
  return (
    stopped.status === 'wrong' ||
    (workaround && stopped.ownLeft === undefined) ||
    refreshesLate(smokeFlow, session) ||
    refusesWhatItKnows(stopped)
  );
}

async function checkedSettings(
  { smoke }: RunPlan,
  environment: CheckEnvironment,
  keepsConsent = false,
): Promise<Pick<ReadyTarget, 'environment' | 'wrongSettings'>> {
  const { session, smokeFlow } = environment;
  const checksSettings = session.target.isLive && !smoke && !session.leftovers.any;
  if (!checksSettings || smokeFlow.stopped !== undefined) return { environment, wrongSettings: [] };
  const { target, wrongSettings } = await checkSettings(
    session,
    { ...smokeFlow, requestStyle: session.requestStyle },
    keepsConsent ? CHECKS_BEFORE_CONSENT : undefined,
  );
  return {
    environment: { ...environment, session: { ...session, target } },
    wrongSettings: wrongSettings.map(findingText),
  };
}

/** True for a refusal that no setting explains: of the token that just read the list, or of the user just listed. */
function refusesWhatItKnows({ step, status, httpStatus }: StepOutcome): boolean {
  if (status !== 'refused' || httpStatus === undefined) return false;
  if (step === 'assign') return httpStatus === 401;
  return step === 'unassign' && (httpStatus === 401 || NOT_THERE.includes(httpStatus));
}

/**
 * True if only a refresh before expiry was refused, which the document does not promise. Without a movable clock, the
 * checks that need a refresh are blocked and the rest can be evaluated.
 */
function refreshesLate({ stopped }: SmokeFlow, { target }: Session): boolean {
  return stopped?.step === 'refresh' && stopped.status === 'refused' && target.clock === undefined;
}
