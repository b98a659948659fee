import { type Exchange, isServerError } from '../../http/exchange.ts';

/** Occasions that tell a service that cannot do two things at once from one that failed in passing. */
const ENOUGH = 3;

/** Share of them that must show a server error. */
const MOST = 2 / 3;

interface Occasions {
  seen: number;
  failed: number;
  exchange: Exchange | undefined;
}

interface Meeting {
  /** The requests that met, by their step. */
  readonly step: string;
  readonly seen: number;
  readonly failed: number;
  readonly exchange: Exchange;
}

/**
 * Counts the occasions on which rightful requests of one step were under way at once, and those on which the service answered one
 * of them with a server error. Sent again alone, such a request succeeds.
 */
export class ConcurrentErrors {
  readonly #byStep = new Map<string, Occasions>();
  readonly #reported = new Set<string>();
  #underWay = 0;
  #steps: string[] = [];
  #error: Exchange | undefined;

  sent(): void {
    this.#underWay += 1;
  }

  /** @param step undefined for a request that the service may refuse */
  answered(step: string | undefined, exchange: Exchange): void {
    const { response } = exchange;
    if (step !== undefined) this.#steps.push(step);
    if (step !== undefined && response !== undefined && isServerError(response.status))
      this.#error = exchange;
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    const [first, ...others] = this.#steps;
    if (first !== undefined && others.length > 0 && others.every((other) => other === first))
      this.#count(first, this.#error);
    this.#steps = [];
    this.#error = undefined;
  }

  #count(step: string, error: Exchange | undefined): void {
    const occasions = this.#byStep.get(step) ?? { seen: 0, failed: 0, exchange: undefined };
    occasions.seen += 1;
    if (error !== undefined) occasions.failed += 1;
    occasions.exchange = error ?? occasions.exchange;
    this.#byStep.set(step, occasions);
  }

  /** Returns the steps that most occasions showed failing, each once in a run. */
  refused(): readonly Meeting[] {
    return [...this.#byStep].flatMap(([step, { seen, failed, exchange }]) => {
      if (exchange === undefined || this.#reported.has(step)) return [];
      if (seen < ENOUGH || failed < MOST * seen) return [];
      this.#reported.add(step);
      return [{ step, seen, failed, exchange }];
    });
  }
}
