import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The servers that are measured side by side: a file of `servers/` each. */
export type Candidate = 'bare' | 'emulator' | 'oauth2-mock-server' | 'oidc-provider';

/** What a server of `servers/` says once it listens. */
export interface ReadyLine {
  /** Answers 200 to whoever asks first. */
  readonly firstUrl: string;
  readonly firstHeaders?: Readonly<Record<string, string>>;
  readonly tokenUrl: string;
  /** What is listed, or comes nearest to it. */
  readonly listUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An access token and its refresh token. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/** What a process has used so far. */
export interface Usage {
  readonly cpuMicroseconds: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

/** A server in a process of its own. */
export interface ServerProcess extends ReadyLine {
  usage(): Promise<Usage>;
  /** As many token pairs as connections are to be loaded, each of a grant of its own. */
  tokens(count: number): Promise<readonly TokenPair[]>;
  /** The emulator only: how many token pairs it holds. */
  held(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a server of `servers/` and waits until it listens.
 *
 * @throws Error when it ends instead
 */
export async function startServer(
  candidate: Candidate,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const file = fileURLToPath(new URL(`./servers/${candidate}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const line = (await firstLine(child)) as ReadyLine;
  return {
    ...line,
    usage: () => ask(child, 'usage'),
    tokens: (count) => ask(child, 'tokens', count),
    held: () => ask(child, 'held'),
    stop: () => stop(child),
  };
}

/**
 * The first line that a process prints, read as JSON.
 *
 * @throws Error when the process ends without one
 */
export function firstLine(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) =>
      reject(new Error(`Expected a line of JSON from ${child.spawnargs.join(' ')}; it ended with ${code}.`));
    child.once('error', reject);
    child.once('exit', gone);
    if (child.stdout === null) throw new TypeError('The output of the process must be a pipe.');
    createInterface(child.stdout).once('line', (line) => {
      child.off('exit', gone);
      resolve(JSON.parse(line));
    });
  });
}

/** Lets a process end by itself, so that it can write its compile cache, and waits until it is gone. */
export function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
  });
}

/**
 * Asks a process something over its channel; one question at a time.
 *
 * @throws Error when it fails at answering, or ends
 */
export function ask<T>(child: ChildProcess, question: string, argument?: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = () =>
      reject(new Error(`${child.spawnargs.join(' ')} ended before it answered ${question}.`));
    child.once('exit', gone);
    child.once('message', (message: { answer?: T; error?: string }) => {
      child.off('exit', gone);
      if (message.error === undefined) resolve(message.answer as T);
      else reject(new Error(message.error));
    });
    child.send({ question, argument });
  });
}
