/**
 * Tracks refusals: each counts only beside its accepted twin, and a 5xx is inconclusive until the twin is accepted
 * right after it.
 */
export class Refusals {
  #refused = 0;
  #twins = 0;
  #unexplained: string | undefined;

  refused(): void {
    this.#refused += 1;
  }

  serverError(purpose: string, status: number): void {
    this.#refused += 1;
    this.#unexplained = `${purpose}: status ${status}, and no accepted twin after it`;
  }

  twinAccepted(): void {
    this.#twins += 1;
    this.#unexplained = undefined;
  }

  get unexplained(): string | undefined {
    return this.#unexplained;
  }

  /** True if the check counted a refusal without showing that the same request is otherwise accepted. */
  get withoutTwin(): boolean {
    return this.#refused > 0 && this.#twins === 0;
  }
}
