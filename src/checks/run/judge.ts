import type { RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import {
  type ConfigurationFinding,
  clockContradicted,
  findingInWords,
  holdUser,
} from '../../flow/configuration-findings.ts';
import { diagnose } from '../../flow/diagnosis.ts';
import type { RunTrouble } from '../../report/results.ts';
import { type Check, isTimed, type TimedCheck } from '../check.ts';
import { type CheckOutcome, type CheckSurroundings, runCheck } from '../run-check.ts';
import { type LetPass, type WaitClock, withSharedWait } from '../shared-wait.ts';
import { confirmFailure } from './confirm.ts';
import { deniesWhereAsked, isDenial, runDenials } from './denials.ts';
import type { Ground, UsableGround } from './ground.ts';
import { longestWait } from './longest-wait.ts';
import { unlessBusy } from './made-anew.ts';
import { refusedUser } from './refused-user.ts';
import { steadyWalk } from './steady-walk.ts';

export interface LastLook {
  readonly trouble: RunTrouble;
  readonly retired: boolean;
}

export class Judge {
  readonly #ground: Ground;
  readonly #waitClock: WaitClock | undefined;
  readonly #timed: readonly TimedCheck[];
  #unjudged = 0;
  #surroundings: CheckSurroundings | undefined;
  readonly #contradictions: string[] = [];
  readonly #usersTried = new Set<string>();
  #clock: Promise<ConfigurationFinding | undefined> | undefined;
  #denials: Promise<ReadonlyMap<RequirementId, CheckOutcome>> | undefined;
  #waited: Promise<ReadonlyMap<RequirementId, CheckOutcome>> | undefined;

  /**
   * @param selected all checks of the run: those that need time to pass share one wait
   * @param waitClock how the wait passes where no clock can be moved; without it such checks are not applicable
   */
  constructor(ground: Ground, selected: readonly Check[], waitClock?: WaitClock) {
    this.#ground = ground;
    this.#surroundings = ground.usable ? ground.surroundings : undefined;
    this.#timed = selected.filter(isTimed);
    this.#waitClock = waitClock;
  }

  /** Runs one check. The first check that needs time also runs all others that need it. */
  async judge(check: Check): Promise<CheckOutcome> {
    const ground = this.#ground;
    if (!ground.usable || this.#surroundings === undefined) return notRun(check.id, trouble(ground));
    const made = await this.#heldToConfiguration(check, () => this.#made(check, ground));
    const outcome = await confirmFailure(made, this.#surroundings);
    const { result } = outcome.result;
    if (result === 'not-run' || result === 'blocked' || outcome.doubt !== undefined) this.#unjudged += 1;
    return outcome;
  }

  get contradictions(): readonly string[] {
    return this.#contradictions;
  }

  async #made(check: Check, ground: UsableGround): Promise<CheckOutcome> {
    const surroundings = this.#surroundings ?? ground.surroundings;
    // What was waited for is not waited for again.
    return (
      (await this.#waitedFor(check)) ??
      (await this.#denied(check, { ...ground, surroundings })) ??
      (await unlessBusy(
        () => runCheck(check, watchedDuring(check, ground, surroundings)),
        surroundings.session,
      ))
    );
  }

  /** Runs a check. If the configuration proves wrong, drops that setting, discards the result and reruns the check. */
  async #heldToConfiguration(check: Check, make: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
    const surroundings = this.#surroundings;
    if (surroundings === undefined || surroundings.session.target.kind !== 'live') return make();
    const { findings } = surroundings.session;
    const before = findings?.count() ?? 0;
    const outcome = await make();
    const { session } = surroundings;
    const user = refusedUser(outcome, session.target);
    if (user !== undefined && !this.#usersTried.has(user)) {
      this.#usersTried.add(user);
      const held = await holdUser(session, user);
      if (held !== undefined) {
        this.#contradictions.push(...held.contradictions.map(findingInWords));
        findings?.doubt(before, findings.count());
        this.#surroundings = { ...surroundings, session: { ...session, target: held.target } };
        return this.#heldToConfiguration(check, make);
      }
    }
    if (!isTimed(check) || session.target.clock === undefined || showsTime(outcome)) return outcome;
    this.#clock ??= clockContradicted(session);
    const found = await this.#clock;
    if (found === undefined) return outcome;
    const still = findingInWords(found);
    if (!this.#contradictions.includes(still)) this.#contradictions.push(still);
    findings?.doubt(before, findings.count());
    return notRun(check.id, session.secrets.redact(still));
  }

  /**
   * Tests whether a live service still works if some checks were inconclusive, because an outage or retirement explains
   * them better.
   */
  async lastLook(): Promise<LastLook | undefined> {
    const surroundings = this.#surroundings;
    if (surroundings === undefined || this.#unjudged === 0) return undefined;
    const { session, walk } = surroundings;
    if (session.target.kind !== 'live' || session.leftovers.any) return undefined;
    const { stopped, left } = await steadyWalk(session);
    if (left !== undefined) return { trouble: { kind: 'broken', message: left }, retired: false };
    if (stopped === undefined || stopped.status === 'wrong' || stopped.step === walk.stopped?.step)
      return undefined;
    const { retired, message } = await diagnose(session, stopped);
    const told = session.secrets.redact(`after the last check the smoke flow works no more: ${message}`);
    return { trouble: { kind: 'inconclusive', message: told }, retired };
  }

  async #denied(check: Check, ground: UsableGround): Promise<CheckOutcome | undefined> {
    const { surroundings, watched, denials } = ground;
    if (!isDenial(check) || !deniesWhereAsked(surroundings.session.target)) return undefined;
    if (denials !== undefined && denials.size > 0) return denials.get(check.id);
    this.#denials ??= runDenials(surroundings, watched);
    return (await this.#denials).get(check.id);
  }

  async #waitedFor(check: Check): Promise<CheckOutcome | undefined> {
    const clock = this.#waitClock;
    const ground = this.#ground;
    if (clock === undefined || !isTimed(check) || !ground.usable) return undefined;
    const { target } = ground.surroundings.session;
    if (target.clock !== undefined) return undefined;
    if (this.#waited === undefined)
      target.traffic?.allowSeconds(longestWait(this.#timed, target.skewSeconds));
    this.#waited ??= withSharedWait(
      this.#timed.map((one) => async (letPass: LetPass) => {
        const watched = watchedDuring(one, ground, this.#surroundings ?? ground.surroundings);
        return [one.id, await runCheck(one, { ...watched, letPass })] as const;
      }),
      clock,
    ).then((outcomes) => new Map(outcomes));
    return (await this.#waited).get(check.id);
  }
}

/** Returns a check's context that marks the requests sent through it as the check's own. */
function watchedDuring(
  { id }: Check,
  { watched }: UsableGround,
  surroundings: CheckSurroundings,
): CheckSurroundings {
  return { ...surroundings, session: watched.during(id, surroundings.session) };
}

const SHOW_TIME: readonly RequirementId[] = ['lifetime.dead-after-7200', 'lifetime.refreshed-full'];

function showsTime({ result }: CheckOutcome): boolean {
  return result.result === 'pass' && SHOW_TIME.includes(result.id as RequirementId);
}

function trouble(ground: Ground): string {
  return ground.usable ? 'the target was not walked' : ground.trouble.message;
}

export function notRun(id: RequirementId, reason: string): CheckOutcome {
  const { clause, level } = loadCatalogue().requirement(id);
  return {
    result: { id, clause, level, result: 'not-run', reason, durationMs: 0, evidence: [] },
    observations: [],
  };
}
