/**
 * Keeps a check honest about refusals: each counts only beside its accepted twin, and an answer of 5xx says nothing until
 * the twin is accepted right after it.
 */
export class Refusals {
  #refused = 0;
  #twins = 0;
  #unexplained: string | undefined;

  /** A request was refused. */
  refused(): void {
    this.#refused += 1;
  }

  /** A request got a 5xx and was not honoured. */
  serverError(purpose: string, status: number): void {
    this.#refused += 1;
    this.#unexplained = `${purpose}: status ${status}, and no accepted twin after it`;
  }

  /** The twin of what was refused before was accepted. */
  twinAccepted(): void {
    this.#twins += 1;
    this.#unexplained = undefined;
  }

  /** Why a refusal proves nothing, when a 5xx had no accepted twin after it. */
  get unexplained(): string | undefined {
    return this.#unexplained;
  }

  /** True when the check counted a refusal without ever showing that the same request is accepted otherwise. */
  get withoutTwin(): boolean {
    return this.#refused > 0 && this.#twins === 0;
  }
}
