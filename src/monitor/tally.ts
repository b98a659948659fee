import type { RequirementId } from '../../generated/ids.ts';
import type { ExchangeFinding } from '../report/facts.ts';

/** One time that an invariant was seen broken. */
export type MonitorFinding = ExchangeFinding;

/** Whether another client that assigns and unassigns may be why this was found. */
export function mayBeOthers({ kind }: Pick<MonitorFinding, 'kind'>): boolean {
  return /^(?:listed|absent|twice|assign refused|unassign refused)\b/.test(kind);
}

/** What one requirement came to in the exchanges of a run. */
export interface MonitorEvidence {
  /** How many exchanges could have shown it broken. */
  readonly examples: number;
  readonly findings: readonly MonitorFinding[];
}

/** How many findings of one requirement keep their exchanges, for each thing that was done: more explain nothing. */
const KEPT = 3;

/** Counts, by requirement, what was looked at and what was found. */
export class Tally {
  readonly #examples = new Map<RequirementId, number>();
  #findings: MonitorFinding[] = [];
  readonly #kept = new Map<string, number>();

  get findings(): readonly MonitorFinding[] {
    return this.#findings;
  }

  get examples(): ReadonlyMap<RequirementId, number> {
    return this.#examples;
  }

  /** Something was looked at that could have been wrong. */
  example(...ids: readonly RequirementId[]): void {
    for (const id of ids) this.#examples.set(id, (this.#examples.get(id) ?? 0) + 1);
  }

  /** Something was wrong. */
  finding(finding: MonitorFinding): void {
    const key = `${finding.id} ${finding.during}`;
    const kept = this.#kept.get(key) ?? 0;
    this.#kept.set(key, kept + 1);
    this.#findings.push(kept < KEPT ? finding : { ...finding, exchanges: [] });
  }

  /** What was found between two numbers of findings is shown, and held against nothing. */
  doubt(from: number, to: number): void {
    this.#findings = this.#findings.map((finding, index) =>
      index >= from && index < to ? { ...finding, uncertain: true } : finding,
    );
  }
}
