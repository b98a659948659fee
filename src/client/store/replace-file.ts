import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TokenStoreFailed } from '../errors.ts';

/**
 * Replaces a file so that a reader, even after a power loss, finds the old text or the new one, never a part. Only the owner may
 * read the file.
 *
 * @throws TokenStoreFailed
 */
export async function replaceFile(path: string, text: string): Promise<void> {
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

export function codeOf(error: unknown): string | undefined {
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
