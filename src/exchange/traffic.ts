import { Circuit } from './circuit.ts';
import type { Transport } from './exchange.ts';
import { type ClientCredentials, Ledger, type RequestBudget, type RunUsage } from './ledger.ts';
import { Pace, type PaceClock, pacedTransport, REAL_CLOCK } from './paced-transport.ts';

/**
 * Counts, paces and limits all requests of a run to a shared service, the browser's included. Stops when the budget is
 * spent or the service is down.
 */
export class Traffic {
  readonly #ledger: Ledger;
  readonly #pace: Pace;
  readonly #circuit = new Circuit();

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

  get requestsLeft(): number {
    return this.#ledger.requestsLeft;
  }

  rule(wire: Transport): Transport {
    return this.#circuit.guard(pacedTransport(this.#ledger.guard(wire), this.#pace));
  }

  room(count: number): Promise<void> {
    return this.#pace.room(count);
  }

  /** Resolves when the browser may open a page. Rejects with a transport failure if it may not. */
  async browserTurn(): Promise<void> {
    this.#circuit.demandClosed();
    this.#ledger.admitBrowser();
    await this.#pace.turn();
  }

  browserRequested(): void {
    this.#ledger.browserRequested();
    this.#pace.spend();
  }

  allowSeconds(seconds: number): void {
    this.#ledger.allowSeconds(seconds);
  }
}
