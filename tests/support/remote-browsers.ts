import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { onLoopback } from './on-loopback.ts';
import { browserPath } from './run/browser-path.ts';

/** A browser as another machine would offer it. */
export interface RemoteBrowser {
  /** The value of `LEGACY_CONFORMANCE_BROWSER`. */
  readonly address: string;
  /** True if it still runs. */
  readonly runs: () => boolean;
  close(): Promise<void>;
}

/** A host of the client that counts who connects to it. */
export interface Listener {
  readonly port: number;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a listener. It answers nothing: a connection is bad enough. */
export async function startListener(): Promise<Listener> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  return { ...(await onLoopback(server)), connections: () => count };
}

const argsFor = (resolve: string) => [`--host-resolver-rules=${resolve}`];

/** A Playwright server. */
export async function playwrightServer(resolve: string): Promise<RemoteBrowser> {
  const executablePath = await browserPath();
  const server = await chromium.launchServer({
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox: false,
    args: argsFor(resolve),
  });
  return {
    address: server.wsEndpoint(),
    runs: () => server.process().exitCode === null,
    close: () => server.close(),
  };
}

/** A Chromium with a debugging port; its address by http, or the WebSocket behind it. */
export async function debuggingPort(resolve: string, by: 'http' | 'ws' = 'http'): Promise<RemoteBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'remote-'));
  const flags = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const path = (await browserPath()) ?? chromium.executablePath();
  // A process group of its own: Debian's command is a shell script, and ending that alone would leave the browser behind.
  const browser = spawn(path, [...flags, ...argsFor(resolve)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ws = await devToolsAddress(browser);
  return {
    address: by === 'ws' ? ws : `http://${new URL(ws).host}`,
    runs: () => browser.exitCode === null,
    close: async () => {
      // Its end of the pipe closes with the last of the group.
      const ended = once(browser, 'close');
      if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function devToolsAddress(browser: ChildProcess): Promise<string> {
  // Read on afterwards, or the browser would wait for a reader.
  const lines = createInterface({ input: browser.stderr as NodeJS.ReadableStream });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [address] = /ws:\/\/\S+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    lines.once('close', () => reject(new Error('the browser ended before it had a debugging port')));
  });
}
