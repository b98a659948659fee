import { setTimeout as wait } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { TokenStoreFailed } from '../errors.ts';
import { codeOf } from './replace-file.ts';

const POLL_MS = 25;

export interface LockLimits {
  readonly lockWaitMs: number;
  readonly lockStaleMs: number;
}

/**
 * Runs `work` while no other process holds the lock `<file>.lock`. Takes over the lock of a dead process after `lockStaleMs`.
 *
 * @throws TokenStoreFailed if the lock is not free within `lockWaitMs`
 */
export async function withFileLock<T>(file: string, limits: LockLimits, work: () => Promise<T>): Promise<T> {
  const release = await acquire(file, limits);
  try {
    return await work();
  } finally {
    // Fails only if another process took the lock meanwhile (a machine that slept). The result of the work, perhaps a new
    // pair, must not be lost because of it.
    await release().catch(() => undefined);
  }
}

async function acquire(file: string, { lockWaitMs, lockStaleMs }: LockLimits): Promise<() => Promise<void>> {
  const attempts = Math.max(1, Math.ceil(lockWaitMs / POLL_MS));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lockfile.lock(file, {
        realpath: false,
        stale: lockStaleMs,
        // The default throws from a timer and would end the process during a refresh.
        onCompromised: () => undefined,
      });
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ELOCKED') throw new TokenStoreFailed(`${file}: cannot be locked`, code);
      if (attempt >= attempts) {
        throw new TokenStoreFailed(`${file}: another process has held the lock for ${lockWaitMs} ms`, code);
      }
      await wait(POLL_MS);
    }
  }
}
