import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../../document/input/usage-error.ts';
import { LONGEST_WAIT } from '../../emulator/journal/journal.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import { isAlive } from '../shared/temporary-folder.ts';
import { requireWritableFile, whyUnwritten, writeWhole } from '../shared/write-files.ts';

/** Milliseconds between two writes: what a killed emulator forgets at most. */
const BETWEEN_WRITES = 1_000;

/** The file of `--state`: holds an emulator's records over restarts. One process at a time may have it. */
export class StateFile {
  readonly #file: string;
  readonly #lock: string;
  readonly #closing = new AbortController();
  #following: Promise<void> = Promise.resolve();

  /** @throws UsageError if the file cannot be written, or another process has it */
  constructor(file: string) {
    this.#file = file;
    this.#lock = `${file}.lock`;
    for (const place of [file, this.#lock]) requireWritableFile('--state', place);
    const holder = Number(content(this.#lock) ?? 0);
    if (holder > 0 && isAlive(holder))
      throw new UsageError(
        `--state: process ${holder} has ${file}; stop it, or choose another file (if no emulator runs, delete ${this.#lock})`,
      );
    rmSync(this.#lock, { force: true });
    // Fails if another process takes the file in the same moment.
    writeFileSync(this.#lock, `${process.pid}`, { flag: 'wx' });
  }

  /** Returns the saved records; undefined if the file is new. */
  read(): Uint8Array | undefined {
    return content(this.#file);
  }

  /** Writes the records now, and after requests. */
  keep(emulator: Emulator): void {
    this.#following = this.#follow(emulator);
  }

  /**
   * Writes the records for the last time, and lets another process have the file.
   *
   * @returns the reason if they could not be written; empty otherwise
   */
  async close(emulator?: Emulator): Promise<readonly string[]> {
    this.#closing.abort();
    await this.#following;
    const failed = emulator === undefined ? [] : await this.#write(emulator);
    rmSync(this.#lock, { force: true });
    return failed;
  }

  async #follow(emulator: Emulator): Promise<void> {
    const { signal } = this.#closing;
    const { journal } = emulator.control;
    await this.#write(emulator);
    for (let seen = journal.page().next; !signal.aborted; ) {
      const { next } = await journal.wait(seen, LONGEST_WAIT, { signal });
      if (next !== seen) await this.#write(emulator);
      seen = next;
      await pause(BETWEEN_WRITES, undefined, { signal }).catch(() => undefined);
    }
  }

  #write({ state }: Emulator): Promise<readonly string[]> {
    return whyUnwritten(`--state: ${this.#file}`, writeWhole(this.#file, state(), 0o600));
  }
}

function content(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
