import { readdirSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Watched {
  readonly files: readonly string[];
  /** With everything in them, `node_modules` and what begins with a dot left out. */
  readonly folders: readonly string[];
  /** Folders that a run itself writes to: never looked at. */
  readonly except: readonly string[];
}

/** Milliseconds between two looks. Looked at and not listened to: containers and network drives send no events. */
const LOOK_MS = 500;

/** The state of all watched files, as one text per file: it differs where a file was written, replaced, added or removed. */
export function snapshot({ files, folders, except }: Watched): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const left = new Set(except.map((folder) => resolve(folder)));
  const note = (file: string) => {
    const stats = looked(file);
    if (stats?.isFile()) seen.set(file, `${stats.ino} ${stats.size} ${stats.mtimeMs}`);
  };
  const walk = (folder: string) => {
    if (left.has(resolve(folder))) return;
    for (const entry of listed(folder)) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else note(path);
    }
  };
  for (const file of files) note(file);
  for (const folder of folders) walk(folder);
  return seen;
}

/** The files in which two snapshots differ. */
export function changedFiles(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file)).sort();
}

/**
 * Waits until something differs from a snapshot, and until what changes has come to rest: a build writes many files.
 *
 * @returns the files that changed; none when it was aborted
 */
export async function untilChanged(
  watched: Watched,
  before: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let last = before;
  while (!signal.aborted) {
    const now = snapshot(watched);
    const changed = changedFiles(before, now);
    if (changed.length > 0 && changedFiles(last, now).length === 0) return changed;
    last = now;
    await pause(signal);
  }
  return [];
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, LOOK_MS);
    signal.addEventListener('abort', done);
  });
}

/** A file that is removed meanwhile counts as not there. */
function looked(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
