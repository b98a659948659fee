import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../document/input/usage-error.ts';
import { orElse } from '../../http/or-else.ts';

const NAME = /^legacy-conformance-(\d+)-/;

/** The test runner's compile cache stays outside the temporary folder, or each run would compile everything again. */
const COMPILED = 'PLAYWRIGHT_TRANSFORM_CACHE_DIR';

let own: string | undefined;

/**
 * Gives this process and its children a temporary folder, and removes those of processes that are gone: a killed run leaves its
 * browser's files on disk.
 *
 * @throws UsageError if there is no folder for temporary files
 */
export function takeTemporaryFolder(): void {
  const parent = tmpdir();
  try {
    own = mkdtempSync(join(parent, `legacy-conformance-${process.pid}-`));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `TMPDIR: expected a folder for temporary files that can be written to, got ${parent} (${code})`,
      { cause: error },
    );
  }
  process.env[COMPILED] ??= join(parent, `playwright-transform-cache-${process.getuid?.() ?? ''}`);
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = own;
  removeDead(parent);
}

export function leaveTemporaryFolder(): void {
  if (own !== undefined) remove(own);
}

function removeDead(parent: string): void {
  for (const name of orElse(() => readdirSync(parent), [])) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) remove(join(parent, name));
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It is another user's or still in use: the next run tries again.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
