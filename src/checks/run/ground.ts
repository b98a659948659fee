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

export type Ground = UsableGround | UnusableGround;

interface OpenedGround {
  readonly notices: () => readonly RetirementNotice[];
  close(): Promise<void>;
}

export interface UsableGround extends OpenedGround {
  readonly usable: true;
  readonly watched: MonitoredSession;
  readonly smoke?: SmokeWalk;
  readonly surroundings: CheckSurroundings;
  readonly contradictions: readonly string[];
  readonly denials?: FirstDenials['outcomes'];
}

export interface UnusableGround extends OpenedGround {
  readonly usable: false;
  readonly trouble: RunTrouble;
  readonly retired: boolean;
  readonly proof?: RetirementProof;
  readonly target: Target | undefined;
}

export type Connect = (
  target: Target,
  secrets: SecretRegistry,
  signal?: AbortSignal,
) => Promise<Pick<Connection, 'session' | 'close'> & Partial<Connection>>;

export interface GroundOptions {
  readonly connectTo: Connect;
  readonly open?: () => Promise<Target>;
  readonly env?: Environment;
  readonly signal?: AbortSignal;
  readonly checkDeadlineMs?: number;
  /** False skips evidence, which takes half of a live run's computing time; the kill matrix does not need it. */
  readonly keepEvidence?: boolean;
  readonly selected?: readonly Check[];
}

/** Opens the target of a plan and runs its base flow once. Never throws: all checks share one reason on failure. */
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
 * True for a refusal that no setting explains: assign or unassign reject the token that just read the list, or unassign
 * does not find the user just listed.
 */
function refusesWhatItKnows({ step, status, httpStatus }: StepOutcome): boolean {
  if (status !== 'refused' || httpStatus === undefined) return false;
  if (step === 'assign') return httpStatus === 401;
  return step === 'unassign' && (httpStatus === 401 || NOT_THERE.includes(httpStatus));
}

/**
 * True if only a refresh before expiry was refused, which the document does not promise. Without a movable clock, the
 * checks that need a refresh are blocked and the rest can be judged.
 */
function refreshesLate({ stopped }: CheckSurroundings['walk'], { target }: Session): boolean {
  return stopped?.step === 'refresh' && stopped.status === 'refused' && target.clock === undefined;
}
