import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ClockWay = 'faketime' | 'node' | 'none';

export interface ClientClock {
  readonly env: Readonly<Record<string, string>>;
  move(seconds: number): void;
}

const IN_NODE = new URL('./node-clock.js', import.meta.url).href;

/**
 * Python 3.11 and newer sleep until a time of the monotonic clock. libfaketime 0.9.10 then calculates a wrong time (errno 22), and with
 * a moved monotonic clock Python's threads wait for ever. It also leaves out `fstat64`, so that gunicorn 20 takes every worker for
 * one that hangs.
 */
const FIXES = `import os, select, time

def sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    select.select([], [], [], seconds)

time.sleep = sleep
fstat = os.fstat

def moved_fstat(fd):
    kind, (parts, rest) = fstat(fd).__reduce__()
    with open(os.environ["FAKETIME_TIMESTAMP_FILE"]) as file:
        moved = float(file.read() or 0)
    for name in ("st_atime", "st_mtime", "st_ctime"):
        rest[name] += moved
        rest[name + "_ns"] += int(moved * 1_000_000_000)
    return kind([*parts[:7], *(int(rest[name]) for name in ("st_atime", "st_mtime", "st_ctime"))], rest)

os.fstat = moved_fstat
`;

export function clientClock(way: ClockWay, folder: string, library: string | undefined): ClientClock {
  const file = join(folder, 'clock');
  let offset = 0;
  const move = (seconds: number) => {
    offset += seconds;
    writeFileSync(file, way === 'faketime' ? `+${offset}` : String(offset));
  };
  move(0);
  if (way === 'node') {
    const before = process.env.NODE_OPTIONS === undefined ? '' : `${process.env.NODE_OPTIONS} `;
    return { env: { LEGACY_CLOCK_FILE: file, NODE_OPTIONS: `${before}--import ${IN_NODE}` }, move };
  }
  if (way === 'none' || library === undefined) return { env: {}, move };
  const python = join(folder, 'python');
  mkdirSync(python, { recursive: true });
  writeFileSync(join(python, 'sitecustomize.py'), FIXES);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Deadlines and timers stay in real time.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    // Debian's library has it on. With an unchanged monotonic clock, threads that wait with a deadline (Ruby) then hang for
    // ever.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
    PYTHONPATH: python,
  };
  return { env, move };
}

export function findFaketime(): string | undefined {
  const { LEGACY_LIBFAKETIME: named } = process.env;
  if (named !== undefined) return named;
  const libraries = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/opt/homebrew/lib'].filter(existsSync);
  const folders = libraries.flatMap((folder) => [folder, ...multiarch(folder)]);
  return folders
    .flatMap((folder) =>
      ['libfaketimeMT.so.1', 'libfaketimeMT.1.dylib'].map((name) => join(folder, 'faketime', name)),
    )
    .find(existsSync);
}

function multiarch(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('-linux-gnu') || name.endsWith('-linux-musl'))
    .map((name) => join(folder, name));
}
