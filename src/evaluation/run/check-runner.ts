import type { RequirementId } from '../../../generated/ids.ts';
import { isSilence } from '../../http/exchange.ts';
import type { RunTrouble } from '../../report/results.ts';
import { diagnose } from '../../service/flow/diagnosis.ts';
import { encodeId } from '../../service/flow/requests.ts';
import { clockContradicted } from '../../service/flow/settings/clock.ts';
import { type ConfigurationFinding, findingText } from '../../service/flow/settings/finding.ts';
import { checkUser, isWordOnTheUser } from '../../service/flow/settings/users.ts';
import type { Target } from '../../service/target.ts';
import { type Check, isTimed } from '../language/check.ts';
import { confirmed, isStillOut, repeatIfTroubled, retriedSmokeFlow } from './confirm.ts';
import { deniesWhereAsked, isDenial, runDenials } from './denials.ts';
import type { ReadyTarget } from './prepare-target.ts';
import { type CheckEnvironment, type CheckOutcome, doubted, isDoubted, runCheck } from './run-check.ts';
import { type Advance, longestWait, type WaitClock, withSharedWait } from './shared-wait.ts';

/** Checks in a row that an outage has outlasted, after which it is awaited no more. */
const LASTING = 2;

/** `selected`: all checks of the run, which share one wait; without `waitClock` and a movable clock those are not applicable. */
export function checkRunner(
  prepared: ReadyTarget,
  selected: readonly Check[],
  onContradicted: (finding: string) => void,
  waitClock?: WaitClock,
) {
  const { watched, denials } = prepared;
  const timed = selected.filter(isTimed);
  const usersTried = new Set<string>();
  /** Requirements that a confirmed outcome shows broken. */
  const blamed = new Set<string>();
  let environment = prepared.environment;
  let inconclusive = 0;
  let outInARow = 0;
  let clock: Promise<ConfigurationFinding | undefined> | undefined;
  let denied: Promise<ReadonlyMap<RequirementId, CheckOutcome>> | undefined;
  let waited: Promise<ReadonlyMap<RequirementId, CheckOutcome>> | undefined;

  const during = ({ id }: Check): CheckEnvironment => {
    return { ...environment, session: watched.during(id, environment.session) };
  };

  const denialOf = async (check: Check): Promise<CheckOutcome | undefined> => {
    if (!isDenial(check) || !deniesWhereAsked(environment.session.target)) return undefined;
    if (denials !== undefined && denials.size > 0) return denials.get(check.id);
    denied ??= runDenials(environment, watched);
    return (await denied).get(check.id);
  };

  const waitedFor = async (check: Check): Promise<CheckOutcome | undefined> => {
    const { target } = environment.session;
    if (waitClock === undefined || !isTimed(check) || target.clock !== undefined) return undefined;
    if (waited === undefined) target.traffic?.allowSeconds(longestWait(timed, target.skewSeconds));
    waited ??= withSharedWait(
      timed.map(
        (one) => async (advance: Advance) =>
          [one.id, await runCheck(one, { ...during(one), advance })] as const,
      ),
      waitClock,
    ).then((outcomes) => new Map(outcomes));
    return (await waited).get(check.id);
  };

  const ran = async (check: Check): Promise<CheckOutcome> => {
    const { session } = environment;
    const outcome = await repeatIfTroubled(
      () => runCheck(check, during(check)),
      session,
      outInARow >= LASTING,
    );
    outInARow = isStillOut(outcome) ? outInARow + 1 : 0;
    return outcome;
  };

  // A check that has waited does not wait again.
  const attempt = async (check: Check): Promise<CheckOutcome> =>
    (await waitedFor(check)) ?? (await denialOf(check)) ?? (await ran(check));

  /** Runs a check. If the configuration proves wrong, drops that setting and reruns the check. */
  const heldToConfiguration = async (check: Check): Promise<CheckOutcome> => {
    const { session } = environment;
    if (!session.target.shared) return attempt(check);
    const { findings, target } = session;
    const before = findings?.count() ?? 0;
    const outcome = await attempt(check);
    const contradicted = (finding: ConfigurationFinding) => {
      findings?.markUncertain(before, findings.count());
      const words = session.secrets.redact(findingText(finding));
      onContradicted(words);
      return words;
    };
    const user = refusedUser(outcome, target);
    if (user !== undefined && !usersTried.has(user)) {
      usersTried.add(user);
      const checked = await checkUser(session, user);
      if (checked !== undefined) {
        for (const finding of checked.wrongSettings) contradicted(finding);
        environment = { ...environment, session: { ...session, target: checked.target } };
        return heldToConfiguration(check);
      }
    }
    const showsTime = outcome.result.result === 'pass' && SHOW_TIME.includes(check.id);
    if (!isTimed(check) || target.clock === undefined || showsTime) return outcome;
    clock ??= clockContradicted(session);
    const found = await clock;
    if (found === undefined) return outcome;
    return doubted({ ...outcome, observations: [] }, contradicted(found));
  };

  return {
    async run(check: Check): Promise<CheckOutcome> {
      const seen = await heldToConfiguration(check);
      const { id, blockedBy } = seen.result;
      // One confirmation is enough for all checks behind a requirement.
      const blames = seen.result.result === 'fail' ? id : blockedBy;
      const isNew = blames !== undefined && (blames === id || !blamed.has(blames));
      const outcome = isNew ? await confirmed(seen, environment) : seen;
      if (blames !== undefined && !isDoubted(outcome)) blamed.add(blames);
      const { result } = outcome.result;
      if (result === 'not-run' || result === 'blocked' || isDoubted(outcome)) inconclusive += 1;
      return outcome;
    },
    /** Tests whether a live service still works if checks were inconclusive: an outage or retirement explains them better. */
    async lastLook(): Promise<{ readonly trouble: RunTrouble; readonly retired: boolean } | undefined> {
      const { session, smokeFlow } = environment;
      if (inconclusive === 0 || !session.target.shared || session.leftovers.any) return undefined;
      const { stopped } = await retriedSmokeFlow(session);
      if (stopped === undefined || stopped.status === 'wrong' || stopped.step === smokeFlow.stopped?.step)
        return undefined;
      const { retired, message } = await diagnose(session, stopped);
      const said = session.secrets.redact(`after the last check the smoke flow no longer works: ${message}`);
      const cause = isSilence(stopped.cause) ? ({ cause: 'unreachable' } as const) : {};
      return { trouble: { kind: 'inconclusive', ...cause, message: said }, retired };
    },
  };
}

/** Checks that pass only if time has passed for the service. */
const SHOW_TIME: readonly RequirementId[] = ['lifetime.dead-after-7200', 'lifetime.refreshed-full'];

/** Returns a configured user, other than the first, whom the service refused to assign; otherwise undefined. */
function refusedUser({ result }: CheckOutcome, { users }: Target): string | undefined {
  const refused = result.evidence.flatMap((entry) =>
    entry.kind === 'exchange' && entry.request.method === 'PUT' && isWordOnTheUser(entry.response?.status)
      ? [new URL(entry.request.url).pathname]
      : [],
  );
  return users.slice(1).find((user) => refused.some((path) => path.endsWith(`/${encodeId(user)}`)));
}
