const START = Date.parse('2026-03-02T09:30:00.000Z');

/** A clock that stands still until it is moved. */
export class TestClock {
  #ms = START;
  readonly #systemNow = Date.now;

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#ms;

  advanceSeconds(seconds: number): void {
    this.#ms += seconds * 1000;
  }

  /** Makes `Date.now` tell this clock's time, for clients that take no clock. */
  takeOverSystem(): void {
    Date.now = this.now;
  }

  release(): void {
    Date.now = this.#systemNow;
  }
}
