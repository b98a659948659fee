import { memberOf } from '../../http/answer-body.ts';
import { isTemporary } from '../../http/exchange.ts';
import { LONGEST_HOLD_MS } from '../../http/paced-transport.ts';
import { statusOf } from '../../http/recorder.ts';
import type { CheckFact } from '../../report/facts.ts';
import { SIGN_IN } from '../../service/agent/sign-in-values.ts';
import type { Session } from '../../service/flow/session.ts';
import { flowToToken, runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import {
  type Opening,
  type SmokeFlow,
  STEP_OWNER,
  type StepOutcome,
  stoppedSince,
  stoppedText,
} from '../../service/flow/smoke-steps.ts';
import { type CheckEnvironment, type CheckOutcome, withDoubt } from './check-outcome.ts';

/**
 * Confirms a failure, or a prerequisite that failed, on a live target: the smoke flow must still work right after it, because an
 * outage may explain it. The failure's own effects confirm it too: users still assigned, or the same step refused again.
 * The outcome is in doubt if the smoke flow stops now but did not at the start.
 */
export async function confirmOnLiveTarget(
  outcome: CheckOutcome,
  { session, smokeFlow }: CheckEnvironment,
): Promise<CheckOutcome> {
  if (!session.target.isLive || outcome.isProven) return outcome;
  // If a user remains assigned, no further assign is allowed.
  const flow = await (session.leftovers.any ? flowToToken(session) : retriedSmokeFlow(session));
  const stopped = stoppedSince(smokeFlow, flow);
  if (stopped === undefined || stopped.ownLeft !== undefined || refusedAgain(outcome, stopped))
    return outcome;
  // A service may stay broken by what a check has done: another refusal is no outage.
  if (outcome.result.result === 'blocked' && !mayBeOutage(stopped)) return outcome;
  const why = `right after it the smoke flow stopped (${stoppedText(stopped)}), so it may be an outage`;
  return withDoubt(outcome, session.secrets.redact(why));
}

function mayBeOutage({ status, entries }: StepOutcome): boolean {
  const last = entries.at(-1);
  const code = (last && statusOf(last)) ?? 0;
  return status === 'no-answer' || isTemporary(code);
}

/** True if the failed requirement's step is refused again, and not because the client itself is refused. */
function refusedAgain({ result }: CheckOutcome, { step, status, entries }: StepOutcome): boolean {
  if (status !== 'refused' || STEP_OWNER[step] !== result.id) return false;
  const last = entries.findLast((entry) => entry.kind === 'exchange')?.exchange.response;
  const error = memberOf(last, 'error');
  return last?.status === 400 && error !== 'invalid_client' && error !== 'unauthorized_client';
}

/** Runs the smoke flow; on a live target again with its own code and tokens if a step got no answer. No request is sent twice. */
export async function retriedSmokeFlow(
  session: Session,
  signal?: AbortSignal,
  opening?: Opening,
): Promise<SmokeFlow> {
  const first = await runSmokeFlow(session, opening);
  if (signal?.aborted || !session.target.isLive || !mayTryAgain(first.stopped)) return first;
  return runSmokeFlow(session);
}

/** Never retries a password that failed, because accounts get locked. */
function mayTryAgain(stopped: StepOutcome | undefined): boolean {
  if (stopped?.status !== 'no-answer') return false;
  return !stopped.entries.some((entry) =>
    entry.kind === 'step' ? entry.step.shows === 'sign-in' : entry.exchange.purpose === SIGN_IN,
  );
}

/** Milliseconds before the second and the third, last attempt at a check; long enough for a deployment. */
const PAUSES_MS = [1_000, 4_000] as const;

/**
 * Runs a check. On a live target, reruns it with its own codes and tokens after a passing trouble; no request is resent. The last
 * attempt counts; it is in doubt if a prerequisite failed beside a busy answer.
 * @param lasting the trouble has outlasted the attempts of other checks: what it keeps from passing is not tried again
 */
export async function repeatIfTroubled(
  attempt: () => Promise<CheckOutcome>,
  { target }: Session,
  lasting = false,
): Promise<CheckOutcome> {
  let outcome = await attempt();
  if (!target.isLive) return outcome;
  const { pause } = target;
  const attempts: CheckFact[] = [];
  for (const ms of PAUSES_MS) {
    const { trouble } = outcome;
    if (trouble === undefined || outcome.isProven || (lasting && isStillBusy(outcome))) break;
    const { answers, unreachable, refusing } = trouble;
    attempts.push({ kind: 'busy', requirement: outcome.result.id, answers, unreachable, refusing });
    await pause(Math.min(Math.max(ms, trouble.retryAfterMs), LONGEST_HOLD_MS));
    outcome = await attempt();
  }
  const last = { ...outcome, facts: [...attempts, ...outcome.facts] };
  return outcome.result.result === 'blocked' && isStillBusy(outcome)
    ? withDoubt(last, `the service was still in trouble: ${outcome.trouble?.answers}`)
    : last;
}

/** Returns true if a check did not pass beside an answer that may pass. */
export function isStillBusy({ result, trouble }: CheckOutcome): boolean {
  return result.result !== 'pass' && trouble?.busy === true;
}
