import type { RequirementId } from '../../../generated/ids.ts';
import { type Check, isTimed, type TimedCheck } from '../language/check.ts';
import type { CheckEnvironment, CheckOutcome } from './check-outcome.ts';
import { deniesWhereAsked, isDenial, runDenials } from './denials.ts';
import type { ReadyTarget } from './prepare-target.ts';
import { runCheck } from './run-check.ts';
import { type Advance, longestWait, type WaitClock, withSharedWait } from './shared-wait.ts';

type Outcomes = ReadonlyMap<RequirementId, CheckOutcome>;

/** Checks that run together, once, when the first of them is asked for: those that share one wait, and the denials. */
export class Batches {
  readonly #prepared: ReadyTarget;
  readonly #timed: readonly TimedCheck[];
  readonly #waitClock: WaitClock | undefined;
  #waited: Promise<Outcomes> | undefined;
  #denied: Promise<Outcomes> | undefined;

  /** @param waitClock absent: nothing waits in real time */
  constructor(prepared: ReadyTarget, timed: readonly TimedCheck[], waitClock: WaitClock | undefined) {
    this.#prepared = prepared;
    this.#timed = timed;
    this.#waitClock = waitClock;
  }

  /** Returns undefined for a check that runs alone on this target. */
  async outcomeOf(check: Check, environment: CheckEnvironment): Promise<CheckOutcome | undefined> {
    return (await this.#waitedFor(check, environment)) ?? (await this.#denialOf(check, environment));
  }

  async #waitedFor(check: Check, environment: CheckEnvironment): Promise<CheckOutcome | undefined> {
    const { target } = environment.session;
    if (this.#waitClock === undefined || !isTimed(check) || target.clock !== undefined) return undefined;
    if (this.#waited === undefined)
      target.traffic?.allowSeconds(longestWait(this.#timed, target.skewSeconds));
    this.#waited ??= withSharedWait(
      this.#timed.map(
        (one) => async (advance: Advance) =>
          [one.id, await runCheck(one, { ...during(one, this.#prepared, environment), advance })] as const,
      ),
      this.#waitClock,
    ).then((outcomes) => new Map(outcomes));
    return (await this.#waited).get(check.id);
  }

  async #denialOf(check: Check, environment: CheckEnvironment): Promise<CheckOutcome | undefined> {
    const { watched, denials } = this.#prepared;
    if (!isDenial(check) || !deniesWhereAsked(environment.session.target)) return undefined;
    if (denials !== undefined && denials.size > 0) return denials.get(check.id);
    this.#denied ??= runDenials(environment, watched);
    return (await this.#denied).get(check.id);
  }
}

/** Returns the environment in which the monitor takes exchanges for those of a check. */
export function during(
  { id }: Check,
  { watched }: ReadyTarget,
  environment: CheckEnvironment,
): CheckEnvironment {
  return { ...environment, session: watched.during(id, environment.session) };
}
