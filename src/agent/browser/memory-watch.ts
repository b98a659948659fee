import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, CDPSession } from 'playwright-core';

/** Memory limit in bytes for all processes of the browser together. Documented in `docs/configuration.md`. */
export const MOST_BROWSER_MEMORY = 1024 * 1024 * 1024;

const LOOK_MS = 250;

const PAGE_BYTES = 4096;

const watches = new WeakMap<Browser, MemoryWatch>();

interface BrowserProcess {
  readonly type: string;
  readonly id: number;
}

/** Polls the memory of a browser's processes. Above the limit, kills the largest page's process to protect the machine. */
class MemoryWatch {
  readonly #session: CDPSession;
  readonly #limit: number;
  ended = 0;

  constructor(session: CDPSession, limit: number) {
    this.#session = session;
    this.#limit = limit;
  }

  async look(): Promise<void> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const sizes = await privateBytes(processInfo);
    const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (all <= this.#limit) return;
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    const [largest] = (pages.length === 0 ? processInfo : pages).toSorted(
      (a, b) => (sizes.get(b.id) ?? 0) - (sizes.get(a.id) ?? 0),
    );
    if (largest === undefined) return;
    this.ended += 1;
    process.kill(largest.id, 'SIGKILL');
  }
}

/** Watches a browser until it ends. Does nothing on Windows, where process memory cannot be read this way. */
export async function watchMemory(browser: Browser, limit: number = MOST_BROWSER_MEMORY): Promise<void> {
  if (process.platform === 'win32') return;
  const watch = new MemoryWatch(await browser.newBrowserCDPSession(), limit);
  watches.set(browser, watch);
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    // A browser or process that has just ended cannot be read.
    const done = () => {
      looking = false;
    };
    watch.look().then(done, done);
  }, LOOK_MS);
  timer.unref();
  browser.once('disconnected', () => clearInterval(timer));
}

export function endedForMemory(browser: Browser | null): number {
  return (browser && watches.get(browser)?.ended) ?? 0;
}

async function privateBytes(processes: readonly BrowserProcess[]): Promise<ReadonlyMap<number, number>> {
  if (process.platform === 'linux') {
    return new Map(processes.map(({ id }) => [id, privateBytesOnLinux(id)]));
  }
  const ids = processes.map(({ id }) => String(id)).join(',');
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,rss=', '-p', ids]);
  const rows = stdout.trim().split('\n');
  return new Map(
    rows.map((row) => {
      const [id = 0, kilobytes = 0] = row.trim().split(/\s+/).map(Number);
      return [id, kilobytes * 1024];
    }),
  );
}

function privateBytesOnLinux(id: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${id}/statm`, 'utf8').split(' ').map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    // It has ended.
    return 0;
  }
}
