import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ExchangeFinding } from '../report/facts.ts';

export type MonitorFinding = ExchangeFinding;

export function mayBeOthers({ kind }: Pick<MonitorFinding, 'kind'>): boolean {
  return /^(?:listed|absent|twice|assign refused|unassign refused)\b/.test(kind);
}

const KEPT = 3;

export type Broken = (id: RequirementId, kind: string, expected: string, got: string) => void;

export class MonitorFindings {
  readonly #examples = new Map<RequirementId, number>();
  #all: MonitorFinding[] = [];
  readonly #kept = new Map<string, number>();

  get all(): readonly MonitorFinding[] {
    return this.#all;
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
    this.#all.push(kept < KEPT ? finding : { ...finding, exchanges: [] });
  }

  of(exchange: Exchange, during: string | undefined): Broken {
    return (id, kind, expected, got) =>
      this.finding({ id, kind, expected, got, during, uncertain: false, exchanges: [exchange] });
  }

  /** Marks the findings in this index range as shown but not failing. */
  markUncertain(from: number, to: number): void {
    this.#all = this.#all.map((finding, index) =>
      index >= from && index < to ? { ...finding, uncertain: true } : finding,
    );
  }
}
