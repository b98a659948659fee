import { Circuit } from './circuit.ts';
import type { Transport } from './exchange.ts';
import { type ClientCredentials, Ledger, type RequestBudget, type RunUsage } from './ledger.ts';
import { Pace, type PaceClock, pacedTransport, REAL_CLOCK } from './paced-transport.ts';

/**
 * Everything that one run sends to a service that others use too, the browser's requests included: counted, paced, and
 * stopped when the budget is spent or the service has gone.
 */
export class Traffic {
  readonly #ledger: Ledger;
  readonly #pace: Pace;
  readonly #circuit = new Circuit();

  /**
   * @param own credentials that the service should know
   */
  constructor(
    budget: RequestBudget,
    requestsPerSecond: number,
    own: readonly ClientCredentials[],
    clock: PaceClock = REAL_CLOCK,
  ) {
    this.#ledger = new Ledger(budget, own, () => clock.now());
    this.#pace = new Pace(requestsPerSecond, clock);
  }

  get used(): RunUsage {
    return this.#ledger.used;
  }

  /** The transport under this run's rules. */
  rule(wire: Transport): Transport {
    return this.#circuit.guard(pacedTransport(this.#ledger.guard(wire), this.#pace));
  }

  /** Resolves when so many requests may be sent at once. */
  room(count: number): Promise<void> {
    return this.#pace.room(count);
  }

  /** Resolves when the browser may be sent to a page. Rejects with a failure of transport when it may not be any more. */
  async browserTurn(): Promise<void> {
    this.#circuit.demandClosed();
    this.#ledger.admitBrowser();
    await this.#pace.turn();
  }

  /** Counts a request that the browser has sent; what comes next waits the longer for it. */
  browserRequested(): void {
    this.#ledger.browserRequested();
    this.#pace.spend();
  }

  /** Adds to the time that the run may take. */
  allowSeconds(seconds: number): void {
    this.#ledger.allowSeconds(seconds);
  }
}
