import type { StoredPair, StoreHooks } from './client-under-test.ts';

/** A store that a test can look into, and make fail. */
export class RecordingStore implements StoreHooks {
  #current: StoredPair | undefined;
  #failures = 0;

  /** The stored pair. */
  get current(): StoredPair | undefined {
    return this.#current;
  }

  /** The next `times` savings reject, and store nothing. */
  failNextSaves(times: number): void {
    this.#failures = times;
  }

  async load(): Promise<StoredPair | undefined> {
    return this.#current;
  }

  async save(pair: StoredPair): Promise<void> {
    // A store takes its time: whoever does not wait for it is found out.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#failures > 0) {
      this.#failures -= 1;
      throw new Error('the disk is full');
    }
    this.#current = structuredClone(pair);
  }
}
