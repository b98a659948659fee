import type { ResultsUsed } from '../../../generated/schemas.d.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { SeenAtOpenPoints } from '../../document/profiles/aspects.ts';
import type { RetirementNotice } from '../../http/retirement.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import type { Fact } from '../../report/facts.ts';
import type { RequirementResult, Retirement, RunTrouble, TargetSummary } from '../../report/results.ts';
import { provisionalResult, troublesIn } from '../../report/results-of.ts';
import type { RetirementProof } from '../../service/flow/diagnosis.ts';
import type { Target } from '../../service/target.ts';
import type { Explored } from '../explore/explore.ts';
import type { CheckOutcome } from './check-outcome.ts';
import { exploredFacts, type Monitored } from './exploring.ts';
import type { ReadyTarget } from './prepare-target.ts';

export interface RunListener {
  readonly onProgress?: (result: RequirementResult) => void;
  readonly onWaiting?: (secondsLeft: number) => void;
}

/** Everything known of a run besides its facts. The first value of each key counts. */
interface RunFacts {
  retirement?: Retirement;
  used?: ResultsUsed;
  seen?: SeenAtOpenPoints;
  ended?: string;
}

export class CollectedRun {
  readonly secrets = new SecretRegistry();
  readonly found: RunFacts = {};
  readonly listener: RunListener;
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #grants = { page: 0, cookies: 0 };
  readonly #facts: Fact[] = [];
  #explored: Explored | undefined;
  #target: Omit<TargetSummary, 'grants'> | undefined;

  constructor(listener: RunListener = {}) {
    this.listener = listener;
  }

  get facts(): readonly Fact[] {
    return this.#facts;
  }

  note(fact: Fact): void {
    this.#facts.push(fact);
  }

  keep(outcome: CheckOutcome): CheckOutcome {
    const { result, facts, broken } = outcome;
    const { id } = result;
    const noted: readonly Fact[] = [{ kind: 'check-ended', requirement: id, result }, ...facts];
    const provisional = { ...outcome, result: provisionalResult(result, noted) };
    this.#facts.push(...noted);
    this.#outcomes.set(id, provisional);
    if (broken !== undefined) this.trouble({ kind: 'broken', message: `${id}: ${broken}` });
    if (result.result !== 'not-run') this.listener.onProgress?.(provisional.result);
    return provisional;
  }

  trouble(trouble: RunTrouble): void {
    this.note({ kind: 'trouble', trouble });
  }

  opened(target: Target): void {
    const { kind, name, authUrl, baseUrl, profile, defects, abilities, isLive, lock, loadsLittle } = target;
    if (this.#target === undefined && isLive && lock === undefined && !loadsLittle)
      this.note({ kind: 'unlocked' });
    const { expectedWarnings } = target;
    this.#target ??= {
      kind,
      name,
      authUrl,
      baseUrl,
      profile,
      defects,
      abilities: [...abilities],
      ...(expectedWarnings && { expectedWarnings }),
    };
  }

  explored(explored: Explored): void {
    this.#explored ??= explored;
    this.#facts.push(...exploredFacts(explored, loadCatalogue(), this.secrets));
    const { endedEarly, requests } = explored;
    if (endedEarly !== undefined)
      this.trouble({
        kind: 'inconclusive',
        cause: 'exploring-ended',
        message: `exploring ended early, after ${requests} requests: ${endedEarly}`,
      });
  }

  get exploration(): Explored | undefined {
    return this.#explored;
  }

  get everyExchange(): readonly Monitored[] {
    return this.#facts.filter((fact): fact is Monitored => fact.kind === 'in-exchanges');
  }

  granted({ page, cookies }: { readonly page: number; readonly cookies: number }): void {
    this.#grants.page += page;
    this.#grants.cookies += cookies;
  }

  retirement(retired: boolean, notices: readonly RetirementNotice[], proof?: RetirementProof): void {
    const signs = proof && { signs: { proven: proof.proven, said: proof.signs } };
    if (retired || notices.length > 0) this.found.retirement ??= { retired, notices, ...signs };
  }

  get outcomes(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
  }

  get troubles(): readonly RunTrouble[] {
    return troublesIn(this.#facts);
  }

  get target(): TargetSummary | undefined {
    return this.#target && { ...this.#target, grants: { ...this.#grants } };
  }
}

export function monitoredIn({ watched: { monitor }, environment }: ReadyTarget): Monitored {
  monitor.end();
  const { examples, findings, ofOthers, differences } = monitor;
  return {
    kind: 'in-exchanges',
    examples,
    findings: [...findings, ...ofOthers],
    differences,
    answerView: environment.answerView,
  };
}
