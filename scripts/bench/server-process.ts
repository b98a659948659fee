import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The servers that are measured side by side: a file of `servers/` each. */
export type Candidate = 'bare' | 'emulator' | 'oauth2-mock-server' | 'oidc-provider';

/** A line that a server of `servers/` prints when it listens. */
export interface ReadyLine {
  /** Answers 200 from the start. */
  readonly firstUrl: string;
  readonly firstHeaders?: Readonly<Record<string, string>>;
  readonly tokenUrl: string;
  /** The address of a list, or the most similar one. */
  readonly listUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An access token and its refresh token. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export interface Usage {
  readonly cpuMicroseconds: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

/** A server in a process of its own. */
export interface ServerProcess extends ReadyLine {
  usage(): Promise<Usage>;
  /** Returns one token pair per connection, each of its own grant. */
  tokens(count: number): Promise<readonly TokenPair[]>;
  /** Emulator only: returns the number of its token pairs. */
  held(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a server of `servers/` and waits until it listens.
 *
 * @throws Error if it ends first
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
 * Parses the first line of a process's output as JSON.
 *
 * @throws Error if the process ends without one
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

/** Lets a process end normally, so that it can write its compile cache, and waits for its end. */
export function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
  });
}

/**
 * Asks a process over its channel; one question at a time.
 *
 * @throws Error if it cannot answer, or ends
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
