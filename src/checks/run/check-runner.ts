import type { RequirementId } from '../../../generated/ids.ts';
import { diagnose } from '../../flow/diagnosis.ts';
import { encodeId } from '../../flow/requests.ts';
import { clockContradicted } from '../../flow/settings/clock.ts';
import { type ConfigurationFinding, findingText } from '../../flow/settings/finding.ts';
import { checkUser, isWordOnTheUser } from '../../flow/settings/users.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Target } from '../../targets/target.ts';
import { type Check, isTimed, type TimedCheck } from '../check.ts';
import { confirmFailure, repeatIfBusy, retriedSmokeFlow } from './confirm.ts';
import { deniesWhereAsked, isDenial, runDenials } from './denials.ts';
import type { ReadyTarget } from './prepare-target.ts';
import { type CheckEnvironment, type CheckOutcome, doubted, isDoubted, runCheck } from './run-check.ts';
import { type LetPass, longestWait, type WaitClock, withSharedWait } from './shared-wait.ts';

export class CheckRunner {
  readonly #prepared: ReadyTarget;
  readonly #contradicted: (finding: string) => void;
  readonly #waitClock: WaitClock | undefined;
  readonly #timed: readonly TimedCheck[];
  #inconclusive = 0;
  #environment: CheckEnvironment;
  readonly #usersTried = new Set<string>();
  #clock: Promise<ConfigurationFinding | undefined> | undefined;
  #denials: Promise<ReadonlyMap<RequirementId, CheckOutcome>> | undefined;
  #waited: Promise<ReadonlyMap<RequirementId, CheckOutcome>> | undefined;

  /**
   * @param selected all checks of the run: those that need time share one wait
   *
   * @param contradicted called with each setting that proves wrong
   * @param waitClock waits in real time without a movable clock; if absent, such checks are not applicable
   */
  constructor(
    prepared: ReadyTarget,
    selected: readonly Check[],
    contradicted: (finding: string) => void,
    waitClock?: WaitClock,
  ) {
    this.#prepared = prepared;
    this.#environment = prepared.environment;
    this.#timed = selected.filter(isTimed);
    this.#contradicted = contradicted;
    this.#waitClock = waitClock;
  }

  async run(check: Check): Promise<CheckOutcome> {
    const made = await this.#heldToConfiguration(check);
    const outcome = await confirmFailure(made, this.#environment);
    const { result } = outcome.result;
    if (result === 'not-run' || result === 'blocked' || isDoubted(outcome)) this.#inconclusive += 1;
    return outcome;
  }

  async #attempt(check: Check): Promise<CheckOutcome> {
    // A check that has waited does not wait again.
    return (
      (await this.#waitedFor(check)) ??
      (await this.#denied(check)) ??
      (await repeatIfBusy(() => runCheck(check, this.#watched(check)), this.#environment.session))
    );
  }

  #watched({ id }: Check): CheckEnvironment {
    const environment = this.#environment;
    return { ...environment, session: this.#prepared.watched.during(id, environment.session) };
  }

  /** Runs a check. If the configuration proves wrong, drops that setting and reruns the check. */
  async #heldToConfiguration(check: Check): Promise<CheckOutcome> {
    const environment = this.#environment;
    const { session } = environment;
    if (!session.target.shared) return this.#attempt(check);
    const { findings, target } = session;
    const before = findings?.count() ?? 0;
    const outcome = await this.#attempt(check);
    const contradicted = (finding: ConfigurationFinding) => {
      findings?.markUncertain(before, findings.count());
      const words = session.secrets.redact(findingText(finding));
      this.#contradicted(words);
      return words;
    };
    const user = refusedUser(outcome, target);
    if (user !== undefined && !this.#usersTried.has(user)) {
      this.#usersTried.add(user);
      const checked = await checkUser(session, user);
      if (checked !== undefined) {
        for (const finding of checked.wrongSettings) contradicted(finding);
        this.#environment = { ...environment, session: { ...session, target: checked.target } };
        return this.#heldToConfiguration(check);
      }
    }
    if (!isTimed(check) || target.clock === undefined || showsTime(outcome)) return outcome;
    this.#clock ??= clockContradicted(session);
    const found = await this.#clock;
    if (found === undefined) return outcome;
    return doubted({ ...outcome, observations: [] }, contradicted(found));
  }

  /**
   * Tests whether a live service still works if some checks were inconclusive, because an outage or retirement explains
   * them better.
   */
  async lastLook(): Promise<{ readonly trouble: RunTrouble; readonly retired: boolean } | undefined> {
    if (this.#inconclusive === 0) return undefined;
    const { session, smokeFlow } = this.#environment;
    if (!session.target.shared || session.leftovers.any) return undefined;
    const { stopped, left } = await retriedSmokeFlow(session);
    if (left !== undefined) return { trouble: { kind: 'broken', message: left }, retired: false };
    if (stopped === undefined || stopped.status === 'wrong' || stopped.step === smokeFlow.stopped?.step)
      return undefined;
    const { retired, message } = await diagnose(session, stopped);
    const said = session.secrets.redact(`after the last check the smoke flow no longer works: ${message}`);
    return { trouble: { kind: 'inconclusive', message: said }, retired };
  }

  async #denied(check: Check): Promise<CheckOutcome | undefined> {
    const { watched, denials } = this.#prepared;
    if (!isDenial(check) || !deniesWhereAsked(this.#environment.session.target)) return undefined;
    if (denials !== undefined && denials.size > 0) return denials.get(check.id);
    this.#denials ??= runDenials(this.#environment, watched);
    return (await this.#denials).get(check.id);
  }

  async #waitedFor(check: Check): Promise<CheckOutcome | undefined> {
    const clock = this.#waitClock;
    const { target } = this.#environment.session;
    if (clock === undefined || !isTimed(check) || target.clock !== undefined) return undefined;
    if (this.#waited === undefined)
      target.traffic?.allowSeconds(longestWait(this.#timed, target.skewSeconds));
    this.#waited ??= withSharedWait(
      this.#timed.map(
        (one) => async (letPass: LetPass) =>
          [one.id, await runCheck(one, { ...this.#watched(one), letPass })] as const,
      ),
      clock,
    ).then((outcomes) => new Map(outcomes));
    return (await this.#waited).get(check.id);
  }
}

const SHOW_TIME: readonly RequirementId[] = ['lifetime.dead-after-7200', 'lifetime.refreshed-full'];

function showsTime({ result }: CheckOutcome): boolean {
  return result.result === 'pass' && SHOW_TIME.includes(result.id as RequirementId);
}

/** Returns a configured user, other than the first, whom the service refused to assign; otherwise undefined. */
function refusedUser({ result }: CheckOutcome, { users }: Target): string | undefined {
  const refused = result.evidence.flatMap((entry) =>
    entry.kind === 'exchange' && entry.request.method === 'PUT' && isWordOnTheUser(entry.response?.status)
      ? [new URL(entry.request.url).pathname]
      : [],
  );
  return users.slice(1).find((user) => refused.some((path) => path.endsWith(`/${encodeId(user)}`)));
}
