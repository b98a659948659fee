import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Outcome } from '../evaluate/episode.ts';
import { ClientUndrivable, StartedInBackground } from './client-driver.ts';
import { whyUnreachable } from './unreachable.ts';

const KEPT = 4_000;

const LOOK_MS = 40;
const STOP_MS = 3_000;

export interface CommandEnvironment {
  readonly cwd: string;
  /** Blocks of 512 bytes that a file may have, as after a disk has filled up. POSIX shells alone. */
  readonly mostBlocks?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
}

export interface EndedProcess {
  readonly outcome: Outcome;
  readonly detail: string;
  readonly stdout: string;
}

export class Processes {
  readonly #running = new Set<ChildProcess>();
  #served: readonly [child: ChildProcess, command: string, ready: string] | undefined;
  #output = '';
  #errors = '';

  output(): string {
    return this.#output;
  }

  errors(): string {
    return this.#errors;
  }

  async serve(
    command: string,
    ready: string,
    seconds: number,
    place: CommandEnvironment,
  ): Promise<ChildProcess> {
    await this.requireSilent(ready, command);
    const { child, output } = this.#spawn(command, place);
    // A full disk may end it, and leave its workers.
    this.#served = place.mostBlocks === undefined ? [child, command, ready] : undefined;
    const isReady = await pollUntil(async () => {
      const ended = endOf(child);
      // A server in the background starts to answer a moment after its command has ended.
      if (ended === 'exit code 0') await this.requireForeground(STOP_MS);
      if (ended !== undefined)
        throw new ClientUndrivable(
          `start.command: ${command} ended (${ended}) before it was ready: ${errorLine(output())}`,
        );
      return answers(ready);
    }, seconds * 1_000);
    if (isReady) return child;
    await this.end(child, 'SIGKILL');
    throw new ClientUndrivable(
      `${command}: nothing answered at ${ready} within ${seconds} s (start.seconds): ${errorLine(output())}`,
    );
  }

  /** @throws ClientUndrivable if something answers for longer than a stopped application may */
  async requireSilent(address: string, command: string, key = ''): Promise<void> {
    if (await pollUntil(async () => !(await answers(address)), STOP_MS)) return;
    throw new ClientUndrivable(
      `${key}something answers at ${address} before ${command} is started: stop it, or let the suite choose the port ({port})`,
    );
  }

  /** Tells once of a server whose command has ended, and that goes on answering. @throws StartedInBackground */
  async requireForeground(withinMs = LOOK_MS): Promise<void> {
    const [child, command, ready = ''] = this.#served ?? [];
    this.#served = undefined;
    const ended = child && endOf(child);
    if (ended !== undefined && (await pollUntil(() => answers(ready), withinMs)))
      throw new StartedInBackground(
        `${command} ended (${ended}), and its server goes on answering at ${ready}: start it in the foreground`,
      );
  }

  async run(command: string, deadlineSeconds: number, place: CommandEnvironment): Promise<EndedProcess> {
    const { child, stdout, output } = this.#spawn(command, place);
    const late = setTimeout(deadlineSeconds * 1_000, 'late', { ref: false });
    const first = await Promise.race([once(child, 'close').catch(() => undefined), late]);
    if (first === 'late') {
      await this.end(child, 'SIGKILL');
      const detail = `did not end within ${deadlineSeconds} s (deadlineSeconds)`;
      return { outcome: 'no-answer', detail, stdout: stdout() };
    }
    this.#running.delete(child);
    const outcome = child.exitCode === 0 ? 'ok' : 'error';
    const lastError = outcome === 'ok' ? '' : `: ${errorLine(output())}`;
    return { outcome, detail: `ended with ${endOf(child)}${lastError}`, stdout: stdout() };
  }

  /** Resolves when the process and everything it started are gone. */
  async end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { pid } = child;
    if (pid === undefined) return;
    // A process group outlives its leader.
    const gone = endOf(child) === undefined && once(child, 'exit');
    signalTree(pid, signal);
    await Promise.race([gone, setTimeout(STOP_MS, undefined, { ref: false })]);
    signalTree(pid, 'SIGKILL');
    await gone;
    this.#running.delete(child);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => this.end(child, 'SIGKILL')));
  }

  #spawn(command: string, { cwd, env, mostBlocks }: CommandEnvironment) {
    // A full disk sends no signal, as the limit would.
    const limit = mostBlocks === undefined ? '' : `trap '' XFSZ; ulimit -f ${mostBlocks}; `;
    const child = spawn(`${limit}${command}`, {
      shell: true,
      cwd,
      env,
      // Windows gives a detached process a console window of its own, and needs no group.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    let stdout = '';
    let output = '';
    const print = (text: string) => {
      output = (output + text).slice(-KEPT);
      this.#output = (this.#output + text).slice(-SEARCHED);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      if (stdout.length < MOST_OUTPUT) stdout += chunk.toString();
      print(chunk.toString());
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-KEPT);
      print(chunk.toString());
    });
    child.once('error', () => this.#running.delete(child));
    return { child, stdout: () => stdout, output: () => output };
  }
}

/** Looks again and again. Returns the first value that is no `false` or undefined; undefined after the time. */
export async function pollUntil<T>(
  look: () => T | Promise<T>,
  milliseconds: number,
  everyMs = LOOK_MS,
): Promise<T | undefined> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const seen = await look();
    if (seen) return seen;
    await setTimeout(everyMs);
  }
  return undefined;
}

/** @throws ClientUndrivable if waiting does not help */
function answers(address: string): Promise<boolean> {
  const headers = { Connection: 'close' };
  return fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.body?.cancel().then(() => true) ?? true,
    (error: unknown) => {
      const why = whyUnreachable(error, address);
      if (why !== undefined) throw new ClientUndrivable(why);
      return false;
    },
  );
}

const MOST_OUTPUT = 4 * 1024 * 1024;

const SEARCHED = 256 * 1024;

/** Returns `exit code 3` or `signal SIGKILL`; undefined while the process runs. */
export function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return `signal ${signalCode}`;
  return exitCode === null ? undefined : `exit code ${exitCode}`;
}

/** Returns the last line that names an error, as most languages print it; otherwise the end of the output. */
export function errorLine(output: string): string {
  const plain = stripVTControlCharacters(output);
  const lines = plain.split('\n').map((line) => line.trim());
  const named = lines.findLast((line) => /^([\w.:\]['[]+ )?[\w.:]*(Error|Exception)\b.*: ?\S/.test(line));
  const last = plain.trim().replace(/\s+/g, ' ');
  const from = last.lastIndexOf(' ', last.length - 200) + 1;
  return cutBetweenWords(named ?? last.slice(from), 300) || 'no output';
}

/** Cuts a text, but no word: a code or token is recognized, and masked, only as a whole. Leaves long words out. */
export function cutBetweenWords(text: string, length: number): string {
  const whole = text.replaceAll(/\S{500,}/g, '…');
  const end = whole.indexOf(' ', length);
  return end < 0 ? whole : whole.slice(0, end);
}

/** Signals the leader of a group, and everything that it started. Windows has no groups: there it ends the whole tree. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {}
}
