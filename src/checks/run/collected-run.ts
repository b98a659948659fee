import type { RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import type { RunUsage } from '../../exchange/ledger.ts';
import type { RetirementNotice } from '../../exchange/retirement.ts';
import type { Explored } from '../../explore/explore.ts';
import type { RetirementProof } from '../../flow/retirement-proof.ts';
import type { SeenAtOpenPoints } from '../../profiles/seen.ts';
import type { Fact, SeenBroken } from '../../report/facts.ts';
import type { RequirementResult, Retirement, RunTrouble, TargetSummary } from '../../report/results.ts';
import { SecretRegistry } from '../../secrets/registry.ts';
import type { Target } from '../../targets/target.ts';
import type { ConformanceFailure } from '../outcome.ts';
import { type CheckOutcome, failureOf } from '../run-check.ts';
import { exploredFacts } from './explored.ts';
import type { Monitored } from './monitored.ts';

/** Who is told how a run comes on. */
export interface RunListener {
  /** Called with the provisional result of each check as it ends. */
  readonly onProgress?: (result: RequirementResult) => void;
  /** Called now and then while the run waits until tokens expire. */
  readonly onWaiting?: (secondsLeft: number) => void;
}

/** What the lanes of one run have found so far. All of a run's secrets are in its one registry. */
export class CollectedRun {
  readonly secrets = new SecretRegistry();
  readonly #listener: RunListener;
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #troubles = new Map<string, RunTrouble>();
  readonly #grants = { page: 0, cookies: 0 };
  readonly #monitored: Monitored[] = [];
  readonly #facts: Fact[] = [];
  #explored: Explored | undefined;
  #target: Omit<TargetSummary, 'grants'> | undefined;
  #retirement: Retirement | undefined;
  #used: RunUsage | undefined;
  #seen: SeenAtOpenPoints | undefined;
  #ended: string | undefined;

  constructor(listener: RunListener = {}) {
    this.#listener = listener;
  }

  /** Notes a fact. */
  note(fact: Fact): void {
    this.#facts.push(fact);
  }

  get facts(): readonly Fact[] {
    return [...this.#facts, ...this.#monitored];
  }

  /** Notes how a check ended. */
  keep(outcome: CheckOutcome): void {
    const { result, doubt, seenBroken } = outcome;
    const { id, blockedBy } = result;
    this.#outcomes.set(id, outcome);
    this.note({ kind: 'check-ended', requirement: id, result });
    if (doubt !== undefined) this.note({ kind: 'doubted', requirement: id, why: this.secrets.redact(doubt) });
    if (seenBroken !== undefined && blockedBy !== undefined)
      this.seenBroken(blockedBy, seenBroken, {
        where: `the check of ${id}`,
        behind: id,
        evidence: result.evidence,
      });
    if (outcome.broken !== undefined) {
      this.trouble({ kind: 'broken', message: `${outcome.result.id}: ${outcome.broken}` });
    }
    this.#listener.onProgress?.(result);
  }

  /** Notes that a requirement was seen broken outside its own check. */
  seenBroken(
    requirement: string,
    failure: ConformanceFailure,
    seen: Pick<SeenBroken, 'where' | 'behind' | 'evidence'>,
  ): void {
    const words = failureOf(loadCatalogue().requirement(requirement as RequirementId), failure, this.secrets);
    this.note({ kind: 'seen-broken', requirement, failure: words, ...seen });
  }

  /** Notes why the run cannot speak about the target, or is broken; the same only once. */
  trouble(trouble: RunTrouble): void {
    this.#troubles.set(`${trouble.kind} ${trouble.message}`, trouble);
  }

  /** Notes what was opened; all lanes of a run open the same. */
  opened(target: Target): void {
    const { kind, name, authUrl, baseUrl, profile, defects, abilities } = target;
    this.#target ??= { kind, name, authUrl, baseUrl, profile, defects, abilities: [...abilities] };
  }

  /** Notes what one lane's exchanges showed, beside the checks. */
  monitored(seen: Monitored): void {
    this.#monitored.push(seen);
  }

  /** Notes what random sequences came to. */
  explored(explored: Explored): void {
    this.#explored ??= explored;
    for (const fact of exploredFacts(explored, loadCatalogue(), this.secrets)) this.note(fact);
    const { endedEarly, requests } = explored;
    if (endedEarly !== undefined)
      this.trouble({
        kind: 'inconclusive',
        message: `exploring ended early, after ${requests} requests: ${endedEarly}`,
      });
    if (explored.left !== undefined)
      this.trouble({
        kind: 'broken',
        message: `after exploring, own users could not be unassigned: ${explored.left}`,
      });
  }

  get exploration(): Explored | undefined {
    return this.#explored;
  }

  get everyExchange(): readonly Monitored[] {
    return this.#monitored;
  }

  waiting(secondsLeft: number): void {
    this.#listener.onWaiting?.(secondsLeft);
  }

  /** Adds to the number of codes obtained. */
  granted({ page, cookies }: { readonly page: number; readonly cookies: number }): void {
    this.#grants.page += page;
    this.#grants.cookies += cookies;
  }

  retirement(retired: boolean, notices: readonly RetirementNotice[], proof?: RetirementProof): void {
    const signs = proof && { signs: { proven: proof.proven, said: proof.signs } };
    if (retired || notices.length > 0) this.#retirement ??= { retired, notices, ...signs };
  }

  used(used: RunUsage): void {
    this.#used ??= used;
  }

  sawOpenPoints(seen: SeenAtOpenPoints): void {
    this.#seen ??= seen;
  }

  /** Notes why checks without an outcome were not started. */
  ended(why: string): void {
    this.#ended ??= why;
  }

  /** What a check came to; undefined where it was not started, or had not ended when the run was given up. */
  outcome(id: string): CheckOutcome | undefined {
    return this.#outcomes.get(id);
  }

  get outcomes(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
  }

  get troubles(): readonly RunTrouble[] {
    return [...this.#troubles.values()];
  }

  /** Absent when no lane came far enough to open it. */
  get target(): TargetSummary | undefined {
    return this.#target && { ...this.#target, grants: { ...this.#grants } };
  }

  get found(): {
    readonly retirement: Retirement | undefined;
    readonly used: RunUsage | undefined;
    /** What probes saw at the open points, where they were asked to look. */
    readonly seen: SeenAtOpenPoints | undefined;
    readonly ended: string | undefined;
  } {
    return {
      retirement: this.#retirement,
      used: this.#used,
      seen: this.#seen,
      ended: this.#ended,
    };
  }
}
