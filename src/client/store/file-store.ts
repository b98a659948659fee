import { mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TokenStoreFailed } from '../errors.ts';
import { withFileLock } from './file-lock.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { codeOf, replaceFile } from './replace-file.ts';
import type { TokenPair, TokenStore } from './token-store.ts';

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
    `${path}: expected a JSON object with accessToken, refreshToken and expiresAt. Restore the file, or remove it and authorize anew`,
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
