import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import type { Environment } from '../../config/resolve-references.ts';
import { reasonOf, TransportFailure } from '../../exchange/exchange.ts';
import { type RetirementNotice, RetirementWatch } from '../../exchange/retirement.ts';
import { skewTrouble } from '../../flow/clock-skew.ts';
import { findingInWords, heldAgainst } from '../../flow/configuration-findings.ts';
import type { Connection } from '../../flow/connect.ts';
import { diagnose } from '../../flow/diagnosis.ts';
import { leftInWords } from '../../flow/leftovers.ts';
import type { RetirementProof } from '../../flow/retirement-proof.ts';
import type { Session } from '../../flow/session.ts';
import { type StepOutcome, walkBase } from '../../flow/smoke-flow.ts';
import { SmokeWalk } from '../../flow/smoke-run.ts';
import { attachMonitor, type MonitoredSession } from '../../monitor/attach.ts';
import type { RunTrouble } from '../../report/results.ts';
import { explainedCrash } from '../../secrets/crash-text.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import { openTarget } from '../../targets/open-target.ts';
import type { Target } from '../../targets/target.ts';
import type { Check } from '../check.ts';
import { NOT_THERE, ownerOfRefusal } from '../resource-owners.ts';
import type { CheckSurroundings } from '../run-check.ts';
import { asAllowed } from './as-allowed.ts';
import { bodyViewFor } from './body-view.ts';
import { deniesWhereAsked, denyFirst, type FirstDenials, isDenial } from './denials.ts';
import type { RunPlan } from './plan.ts';
import { forgetPicture, keepPicture } from './sign-in-picture.ts';
import { steadyWalk } from './steady-walk.ts';

/** What every check of one lane stands on: the target, connected, signed in and walked once. */
export type Ground = UsableGround | UnusableGround;

interface OpenedGround {
  /** What the target has announced of its end so far. */
  readonly notices: () => readonly RetirementNotice[];
  close(): Promise<void>;
}

export interface UsableGround extends OpenedGround {
  readonly usable: true;
  /** Evaluates every exchange with this target. */
  readonly watched: MonitoredSession;
  /** The walk that a smoke run consists of. */
  readonly smoke?: SmokeWalk;
  readonly surroundings: CheckSurroundings;
  /** What the service contradicts of its configuration, each with the key and what to do. */
  readonly contradictions: readonly string[];
  /** What the checks that deny came to before anything was granted. */
  readonly denials?: FirstDenials['outcomes'];
}

/** Nothing can be said about this target; why. */
export interface UnusableGround extends OpenedGround {
  readonly usable: false;
  readonly trouble: RunTrouble;
  /** The service says that it is no more. */
  readonly retired: boolean;
  /** Where it says so: what both addresses answer. */
  readonly proof?: RetirementProof;
  readonly target: Target | undefined;
}

/** How a target is connected to. */
export type Connect = (
  target: Target,
  secrets: SecretRegistry,
  signal?: AbortSignal,
) => Promise<Pick<Connection, 'session' | 'close'> & Partial<Connection>>;

/** How a ground is opened. */
export interface GroundOptions {
  readonly connectTo: Connect;
  /** Opens the target, where it is none that a plan can name. */
  readonly open?: () => Promise<Target>;
  /** Where the variables are that a configuration names. */
  readonly env?: Environment;
  /** Aborted when the run is to stop: what is under way then ends. */
  readonly signal?: AbortSignal;
  /** Milliseconds that one check may take; as long as it needs when absent. */
  readonly checkDeadlineMs?: number;
  /** False: evidence is not worked out, which takes half of a live run's computing (the kill matrix has no use for it). */
  readonly keepEvidence?: boolean;
  /** All checks of the run. */
  readonly selected?: readonly Check[];
}

/**
 * Opens the target of a plan and walks its base flow once. Never throws: one reason is told for all checks.
 */
export async function openGround(
  plan: RunPlan,
  secrets: SecretRegistry,
  {
    connectTo,
    env = process.env,
    signal,
    checkDeadlineMs,
    keepEvidence = true,
    selected = [],
    open = () => openTarget(plan, secrets, env),
  }: GroundOptions,
): Promise<Ground> {
  const closers: (() => Promise<void>)[] = [];
  const watch = new RetirementWatch();
  const opened: OpenedGround = {
    notices: () => watch.notices,
    close: async () => {
      for (const closer of closers.reverse()) await closer();
    },
  };
  let target: Target | undefined;
  const unusable = (
    kind: RunTrouble['kind'],
    message: string,
    retired = false,
    proof?: RetirementProof,
  ): Ground => ({
    ...opened,
    usable: false,
    trouble: { kind, message: secrets.redact(message) },
    retired,
    proof,
    target,
  });
  try {
    const bare = asAllowed(await open(), plan);
    closers.push(bare.close);
    target = bare.watchSeconds === undefined ? bare : { ...bare, transport: watch.watch(bare.transport) };
    const skew = await skewTrouble(target);
    if (skew !== undefined) return unusable('inconclusive', skew);
    forgetPicture(plan);
    const lean = plan.smoke ? { ...target, loadsLittle: true, watchSeconds: 0 } : target;
    const { session: bareSession, close, refusedSignIn } = await connectTo(lean, secrets, signal);
    closers.push(close);
    const watched = attachMonitor(bareSession);
    const { session: connected } = watched;
    const smoke = plan.smoke ? new SmokeWalk(connected) : undefined;
    const session = smoke?.session ?? connected;
    const making = {
      catalogue: loadCatalogue(),
      session,
      bodyView: bodyViewFor(target),
      keepEvidence,
      signal,
      deadlineMs: checkDeadlineMs,
    };
    const deniesFirst = !plan.smoke && selected.some(isDenial) && deniesWhereAsked(target);
    const first = deniesFirst ? await denyFirst(making, watched) : undefined;
    // A smoke run has requests for one walk.
    const walk = smoke ? await walkBase(session) : await steadyWalk(session, signal, first?.opening);
    if (signal?.aborted) {
      return walk.left === undefined
        ? unusable('inconclusive', reasonOf(signal))
        : unusable('broken', walk.left);
    }
    await session.shareCookies();
    const { stopped } = walk;
    // After a departure the service has shown that it speaks, only not as documented: then every check judges for itself.
    const departed = walk.steps.some((step) => step.status === 'departed');
    const speaks =
      stopped === undefined ||
      stopped.status === 'wrong' ||
      (departed && stopped.ownLeft === undefined) ||
      refreshesLate(walk, session) ||
      refusesWhatItKnows(stopped);
    if (stopped?.step === 'unassign' && stopped.status === 'refused')
      session.leftovers.owner = ownerOfRefusal('unassign', stopped.httpStatus);
    if (stopped !== undefined && target.kind === 'live' && !speaks) {
      const { retired, proof, message } = await diagnose(session, stopped);
      const said = message + keepPicture(plan, refusedSignIn?.());
      const { leftovers } = session;
      if (!leftovers.any) return unusable('inconclusive', said, retired, proof);
      return unusable('broken', `${said}; ${leftInWords(leftovers.users)}`, retired);
    }
    const dialect = refreshesLate(walk, session)
      ? { ...walk.dialect, refreshBeforeExpiry: false }
      : walk.dialect;
    const holds = target.kind === 'live' && !plan.smoke && !session.leftovers.any && stopped === undefined;
    const reliable = holds
      ? await heldAgainst(session, { ...walk, dialect })
      : { target: session.target, contradictions: [] };
    const surroundings: CheckSurroundings = {
      ...making,
      session: { ...session, dialect, target: reliable.target },
      walk,
    };
    return {
      ...opened,
      usable: true,
      watched,
      ...(smoke && { smoke }),
      surroundings,
      contradictions: reliable.contradictions.map(findingInWords),
      denials: first?.outcomes,
    };
  } catch (error) {
    // What a transport could not do says nothing about the suite.
    if (error instanceof TransportFailure) return unusable('inconclusive', error.message);
    return unusable(
      'broken',
      explainedCrash(error, (text) => secrets.redact(text)),
    );
  }
}

/**
 * Whether an operation is refused in a way that no setting explains: assign or unassign do not know the token with which the
 * list was just read, or unassign does not find the user whom assign has just put into the list.
 */
function refusesWhatItKnows({ step, status, httpStatus }: StepOutcome): boolean {
  if (status !== 'refused' || httpStatus === undefined) return false;
  if (step === 'assign') return httpStatus === 401;
  return step === 'unassign' && (httpStatus === 401 || NOT_THERE.includes(httpStatus));
}

/**
 * Whether all that was refused is a refresh before expiry, which the document promises nowhere: where no clock can be moved,
 * the checks that need one are blocked, and everything else can be judged.
 */
function refreshesLate({ stopped }: CheckSurroundings['walk'], { target }: Session): boolean {
  return stopped?.step === 'refresh' && stopped.status === 'refused' && target.clock === undefined;
}
