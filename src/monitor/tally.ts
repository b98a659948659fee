import type { RequirementId } from '../../generated/ids.ts';
import type { ExchangeFinding } from '../report/facts.ts';

export type MonitorFinding = ExchangeFinding;

export function mayBeOthers({ kind }: Pick<MonitorFinding, 'kind'>): boolean {
  return /^(?:listed|absent|twice|assign refused|unassign refused)\b/.test(kind);
}

export interface MonitorEvidence {
  readonly examples: number;
  readonly findings: readonly MonitorFinding[];
}

/** Findings per requirement and action that keep their exchanges. */
const KEPT = 3;

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

  example(...ids: readonly RequirementId[]): void {
    for (const id of ids) this.#examples.set(id, (this.#examples.get(id) ?? 0) + 1);
  }

  finding(finding: MonitorFinding): void {
    const key = `${finding.id} ${finding.during}`;
    const kept = this.#kept.get(key) ?? 0;
    this.#kept.set(key, kept + 1);
    this.#findings.push(kept < KEPT ? finding : { ...finding, exchanges: [] });
  }

  /** Marks the findings in this index range as shown but not failing. */
  doubt(from: number, to: number): void {
    this.#findings = this.#findings.map((finding, index) =>
      index >= from && index < to ? { ...finding, uncertain: true } : finding,
    );
  }
}
