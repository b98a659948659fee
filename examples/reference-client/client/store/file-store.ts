import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { TokenStoreFailed } from '../errors.ts';
import { oneAtATime, type TokenPair, type TokenStore } from './token-store.ts';

export interface FileStoreOptions {
  /** Milliseconds to wait for the lock. Must exceed the client's deadline. Default 30,000. */
  readonly lockWaitMs?: number;
  /** Milliseconds without a sign of life after which a lock counts as abandoned. Default 10,000. */
  readonly lockStaleMs?: number;
}

/**
 * Keeps a pair in a JSON file that only its owner may read. Replaces the file as a whole, and locks it with `<path>.lock` during
 * a refresh. Several processes on one machine may share the file. Creates the directory if necessary. Not for network file
 * systems.
 *
 * @throws TokenStoreFailed from each of its functions; its messages name the file, never its content
 */
export function fileStore(path: string, options: FileStoreOptions = {}): TokenStore {
  const { lockWaitMs = 30_000, lockStaleMs = 10_000 } = options;
  // Within the process callers queue, so that only one of them polls for the lock.
  const inTurn = oneAtATime();
  return {
    async read() {
      const file = await locate(path);
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw new TokenStoreFailed(`${path}: cannot be read`, codeOf(error));
      });
      return text === undefined ? undefined : parsePair(text, path);
    },
    async write(pair) {
      const { accessToken, refreshToken, expiresAt, refreshSentAt } = pair;
      const text = `${JSON.stringify({ accessToken, refreshToken, expiresAt, refreshSentAt })}\n`;
      await replaceFile(await locate(path), text);
    },
    exclusively: (work) =>
      inTurn(async () => withFileLock(await locate(path), { lockWaitMs, lockStaleMs }, work)),
  };
}

async function locate(path: string): Promise<string> {
  const absolute = resolve(path);
  await mkdir(dirname(absolute), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new TokenStoreFailed(`${path}: its directory cannot be made`, codeOf(error));
  });
  return absolute;
}

function parsePair(text: string, path: string): TokenPair {
  const pair = parseObject(text);
  const { accessToken, refreshToken, expiresAt, refreshSentAt } = pair;
  if (
    typeof accessToken === 'string' &&
    typeof refreshToken === 'string' &&
    typeof expiresAt === 'number' &&
    (refreshSentAt === undefined || typeof refreshSentAt === 'number')
  ) {
    return {
      accessToken,
      refreshToken,
      expiresAt,
      refreshSentAt,
    };
  }
  throw new TokenStoreFailed(
    `${path}: expected a JSON object with accessToken, refreshToken and expiresAt. Restore the file, or remove it and authorize again`,
  );
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The parser's message would quote the file.
    return {};
  }
}

const POLL_MS = 25;

interface LockLimits {
  readonly lockWaitMs: number;
  readonly lockStaleMs: number;
}

/**
 * Runs `work` while no other process holds the lock `<file>.lock`. Takes over the lock of a dead process after `lockStaleMs`.
 *
 * @throws TokenStoreFailed if the lock is not free within `lockWaitMs`
 */
async function withFileLock<T>(file: string, limits: LockLimits, work: () => Promise<T>): Promise<T> {
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

/**
 * Replaces a file so that a reader, even after a power loss, finds the old text or the new one, never a part. Only the owner may
 * read the file.
 *
 * @throws TokenStoreFailed
 */
async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeDurably(fresh, text);
    await rename(fresh, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw new TokenStoreFailed(`${path}: cannot be written`, codeOf(error));
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name durable. Windows cannot open directories and needs no such step. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
