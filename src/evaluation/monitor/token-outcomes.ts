import type { RequirementId } from '../../../generated/ids.ts';
import type { RefusedToken } from '../../report/facts.ts';
import type { KnownPair } from './token-model.ts';

/** Follows, for each requirement, which access tokens were honoured, to tell what the refused ones have in common. */
export class TokenOutcomes {
  /** Seconds: the greatest age of a token that was honoured. */
  readonly #oldest = new Map<RequirementId, number>();
  readonly #honoured = new Set<KnownPair>();
  readonly #refused = new Set<KnownPair>();
  #isHonouredAgain = false;

  /** @param age of the token, in seconds */
  honoured(id: RequirementId, pair: KnownPair, age: number): void {
    this.#oldest.set(id, Math.max(this.#oldest.get(id) ?? 0, age));
    this.#honoured.add(pair);
    this.#isHonouredAgain ||= this.#refused.has(pair);
  }

  /**
   * Returns what sets a refused token apart; undefined if nothing does.
   * @param age of the token, in seconds
   */
  refused(id: RequirementId, pair: KnownPair, age: number): RefusedToken | undefined {
    this.#refused.add(pair);
    const oldest = this.#oldest.get(id);
    if (this.#isHonouredAgain) return { kind: 'now and then' };
    if (oldest !== undefined && age >= oldest + 1) return { kind: 'older', age, oldest };
    return this.#honoured.has(pair) ? { kind: 'from then on' } : undefined;
  }
}
