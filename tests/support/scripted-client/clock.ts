const START = Date.parse('2026-03-02T09:30:00.000Z');

/** A clock that stands still until it is moved. */
export class TestClock {
  #ms = START;

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#ms;

  advanceSeconds(seconds: number): void {
    this.#ms += seconds * 1000;
  }
}
