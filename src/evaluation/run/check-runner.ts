import type { RequirementId } from '../../../generated/ids.ts';
import { encodeId } from '../../document/assigned-users-path.ts';
import { isSilence } from '../../http/exchange.ts';
import type { RunTrouble } from '../../report/results.ts';
import { diagnose } from '../../service/flow/diagnosis.ts';
import type { Session } from '../../service/flow/session.ts';
import { clockContradicted } from '../../service/flow/settings/clock.ts';
import { checkUser, mayConcernUser } from '../../service/flow/settings/users.ts';
import { stoppedSince } from '../../service/flow/smoke-steps.ts';
import { type ConfigurationFinding, findingText, type Target, withoutAbility } from '../../service/target.ts';
import { type Check, isTimed } from '../language/check.ts';
import { Batches, during } from './batches.ts';
import { type CheckEnvironment, type CheckOutcome, isDoubted, withDoubt } from './check-outcome.ts';
import { confirmOnLiveTarget, isStillBusy, repeatIfTroubled, retriedSmokeFlow } from './confirm.ts';
import type { ReadyTarget } from './prepare-target.ts';
import { runCheck } from './run-check.ts';
import type { WaitClock } from './shared-wait.ts';

/** Checks in a row that an outage has outlasted, after which it is awaited no more. */
const LASTING = 2;

/** Runs the checks of one worker, one after the other. What one shows about the target holds for the next. */
export class CheckRunner {
  readonly #prepared: ReadyTarget;
  readonly #batches: Batches;
  readonly #onContradicted: (finding: string) => void;
  readonly #usersTried = new Set<string>();
  /** Requirements that a confirmed outcome shows broken. */
  readonly #blamed = new Set<string>();
  #environment: CheckEnvironment;
  #inconclusive = 0;
  #outInARow = 0;
  #clock: Promise<ConfigurationFinding | undefined> | undefined;
  #isClockWrong = false;

  /**
   * @param selected all checks of the run, which share one wait
   * @param waitClock absent: without a clock that moves, checks that take time are not applicable
   */
  constructor(
    prepared: ReadyTarget,
    selected: readonly Check[],
    onContradicted: (finding: string) => void,
    waitClock?: WaitClock,
  ) {
    this.#prepared = prepared;
    this.#environment = prepared.environment;
    this.#batches = new Batches(prepared, selected.filter(isTimed), waitClock);
    this.#onContradicted = onContradicted;
  }

  /** The session as the checks so far leave it: without a setting, or a clock, that proved wrong. */
  get session(): Session {
    const { session } = this.#environment;
    return this.#isClockWrong ? { ...session, target: { ...session.target, clock: undefined } } : session;
  }

  async run(check: Check): Promise<CheckOutcome> {
    const seen = await this.#heldToConfiguration(check);
    const { id, blockedBy } = seen.result;
    // One confirmation is enough for all checks behind a requirement.
    const blames = seen.result.result === 'fail' ? id : blockedBy;
    const isNew = blames !== undefined && (blames === id || !this.#blamed.has(blames));
    const outcome = isNew ? await confirmOnLiveTarget(seen, this.#environment) : seen;
    if (blames !== undefined && !isDoubted(outcome)) this.#blamed.add(blames);
    const { result } = outcome.result;
    if (result === 'not-run' || result === 'blocked' || isDoubted(outcome)) this.#inconclusive += 1;
    return outcome;
  }

  /** Tests whether a live service still works if checks were inconclusive: an outage or retirement explains them better. */
  async lastLook(): Promise<{ readonly trouble: RunTrouble; readonly retired: boolean } | undefined> {
    const { session, smokeFlow } = this.#environment;
    if (this.#inconclusive === 0 || !session.target.isLive || session.leftovers.any) return undefined;
    const stopped = stoppedSince(smokeFlow, await retriedSmokeFlow(session));
    if (stopped === undefined) return undefined;
    const { proof, message } = await diagnose(session, stopped);
    const reason = session.secrets.redact(`after the last check the smoke flow no longer works: ${message}`);
    const cause = isSilence(stopped.cause) ? ({ cause: 'unreachable' } as const) : {};
    return { trouble: { kind: 'inconclusive', ...cause, message: reason }, retired: proof !== undefined };
  }

  /** Runs a check. If the configuration proves wrong, drops that setting and reruns the check. */
  async #heldToConfiguration(check: Check): Promise<CheckOutcome> {
    const { session } = this.#environment;
    if (!session.target.isLive) return this.#attempt(check);
    const { findings, target } = session;
    const before = findings?.count() ?? 0;
    const outcome = await this.#attempt(check);
    const contradicted = (finding: ConfigurationFinding) => {
      findings?.markUncertain(before, findings.count());
      const words = session.secrets.redact(findingText(finding));
      this.#onContradicted(words);
      return words;
    };
    const { missing = [], reason } = outcome.result;
    if (missing.includes('several-grants') && target.abilities.has('several-grants')) {
      this.#environment = {
        ...this.#environment,
        session: { ...session, target: withoutAbility(target, 'several-grants', reason) },
      };
      return this.#heldToConfiguration(check);
    }
    const user = refusedUser(outcome, target);
    if (user !== undefined && !this.#usersTried.has(user)) {
      this.#usersTried.add(user);
      const checked = await checkUser(session, user);
      if (checked !== undefined) {
        for (const finding of checked.wrongSettings) contradicted(finding);
        this.#environment = { ...this.#environment, session: { ...session, target: checked.target } };
        return this.#heldToConfiguration(check);
      }
    }
    const showsTime = outcome.result.result === 'pass' && SHOW_TIME.includes(check.id);
    if (!isTimed(check) || target.clock === undefined || showsTime) return outcome;
    this.#clock ??= clockContradicted(session);
    const found = await this.#clock;
    if (found === undefined) return outcome;
    this.#isClockWrong = true;
    return withDoubt({ ...outcome, observations: [] }, contradicted(found));
  }

  async #attempt(check: Check): Promise<CheckOutcome> {
    return (await this.#batches.outcomeOf(check, this.#environment)) ?? (await this.#ran(check));
  }

  async #ran(check: Check): Promise<CheckOutcome> {
    const outcome = await repeatIfTroubled(
      () => runCheck(check, during(check, this.#prepared, this.#environment)),
      this.#environment.session,
      this.#outInARow >= LASTING,
    );
    this.#outInARow = isStillBusy(outcome) ? this.#outInARow + 1 : 0;
    return outcome;
  }
}

/** Checks that pass only if time has passed for the service. */
const SHOW_TIME: readonly RequirementId[] = ['lifetime.dead-after-7200', 'lifetime.refreshed-full'];

/** Returns a configured user, other than the first, whom the service refused to assign; otherwise undefined. */
function refusedUser({ result }: CheckOutcome, { users }: Target): string | undefined {
  const refused = result.evidence.flatMap((entry) =>
    entry.kind === 'exchange' && entry.request.method === 'PUT' && mayConcernUser(entry.response?.status)
      ? [entry.request.url.replace(/[?#].*/s, '')]
      : [],
  );
  return users.slice(1).find((user) => refused.some((path) => path.endsWith(`/${encodeId(user)}`)));
}
