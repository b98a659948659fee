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

export interface RunListener {
  readonly onProgress?: (result: RequirementResult) => void;
  readonly onWaiting?: (secondsLeft: number) => void;
}

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

  note(fact: Fact): void {
    this.#facts.push(fact);
  }

  get facts(): readonly Fact[] {
    return [...this.#facts, ...this.#monitored];
  }

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

  seenBroken(
    requirement: string,
    failure: ConformanceFailure,
    seen: Pick<SeenBroken, 'where' | 'behind' | 'evidence'>,
  ): void {
    const words = failureOf(loadCatalogue().requirement(requirement as RequirementId), failure, this.secrets);
    this.note({ kind: 'seen-broken', requirement, failure: words, ...seen });
  }

  trouble(trouble: RunTrouble): void {
    this.#troubles.set(`${trouble.kind} ${trouble.message}`, trouble);
  }

  opened(target: Target): void {
    const { kind, name, authUrl, baseUrl, runId, profile, defects, abilities } = target;
    this.#target ??= { kind, name, authUrl, baseUrl, runId, profile, defects, abilities: [...abilities] };
  }

  monitored(seen: Monitored): void {
    this.#monitored.push(seen);
  }

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

  ended(why: string): void {
    this.#ended ??= why;
  }

  /** Returns a check's outcome; undefined if it was not started or had not ended when the run was aborted. */
  outcome(id: string): CheckOutcome | undefined {
    return this.#outcomes.get(id);
  }

  get outcomes(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
  }

  get troubles(): readonly RunTrouble[] {
    return [...this.#troubles.values()];
  }

  /** Undefined if no connection could open the target. */
  get target(): TargetSummary | undefined {
    return this.#target && { ...this.#target, grants: { ...this.#grants } };
  }

  get found(): {
    readonly retirement: Retirement | undefined;
    readonly used: RunUsage | undefined;
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
