import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, CDPSession } from 'playwright-core';

/** Memory that the browser's processes may have together, in bytes. `docs/configuration.md` says so. */
export const MOST_BROWSER_MEMORY = 1024 * 1024 * 1024;

/** Milliseconds between two looks. */
const LOOK_MS = 250;

/** Bytes of a page of memory on the systems that have /proc. */
const PAGE_BYTES = 4096;

const watches = new WeakMap<Browser, MemoryWatch>();

interface BrowserProcess {
  readonly type: string;
  readonly id: number;
}

/**
 * Looks at the memory of a browser's processes now and then, and ends the largest page's process when all together have more than they
 * may: a page that allocates without end would take the machine with it.
 */
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

/** Watches a browser as long as it runs. Does nothing on Windows, where its processes' memory is not to be had so. */
export async function watchMemory(browser: Browser, limit: number = MOST_BROWSER_MEMORY): Promise<void> {
  if (process.platform === 'win32') return;
  const watch = new MemoryWatch(await browser.newBrowserCDPSession(), limit);
  watches.set(browser, watch);
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    // A browser or a process that has just ended cannot be looked at.
    const done = () => {
      looking = false;
    };
    watch.look().then(done, done);
  }, LOOK_MS);
  timer.unref();
  browser.once('disconnected', () => clearInterval(timer));
}

/** How often pages of a browser were ended because of their memory. */
export function endedForMemory(browser: Browser | null): number {
  return (browser && watches.get(browser)?.ended) ?? 0;
}

/** What belongs to each process alone, in bytes. */
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
