import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Outcome } from '../evaluate/episode.ts';
import { ClientUndrivable } from './client-driver.ts';
import { whyUnreachable } from './unreachable.ts';

const KEPT = 4_000;

const LOOK_MS = 40;
const STOP_MS = 3_000;

export interface WorkingPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Ended {
  readonly outcome: Outcome;
  readonly detail: string;
  readonly stdout: string;
}

export class Processes {
  readonly #running = new Set<ChildProcess>();
  #output = '';
  #errors = '';

  output(): string {
    return this.#output;
  }

  errors(): string {
    return this.#errors;
  }

  async serve(command: string, ready: string, seconds: number, place: WorkingPlace): Promise<ChildProcess> {
    await vacant(command, ready);
    const { child, output } = this.#spawn(command, place);
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      const ended = endOf(child);
      if (ended === 'exit code 0' && (await answersSoon(ready))) {
        if (child.pid !== undefined) signalTree(child.pid, 'SIGKILL');
        throw new ClientUndrivable(
          `${command} ended (${ended}), and its server goes on answering at ${ready}: start it in the foreground`,
        );
      }
      if (ended !== undefined)
        throw new ClientUndrivable(`${command} ended (${ended}) before it was ready: ${tail(output())}`);
      if (await answers(ready)) return child;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    await this.end(child, 'SIGKILL');
    throw new ClientUndrivable(
      `${command}: nothing answered at ${ready} within ${seconds} s (start.seconds): ${tail(output())}`,
    );
  }

  async run(command: string, deadlineSeconds: number, place: WorkingPlace): Promise<Ended> {
    const { child, stdout, output } = this.#spawn(command, place);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), deadlineSeconds * 1_000);
    });
    const first = await Promise.race([ended, late]);
    clearTimeout(timer);
    if (first === 'late') {
      await this.end(child, 'SIGKILL');
      return {
        outcome: 'no-answer',
        detail: `did not end within ${deadlineSeconds} s (deadlineSeconds)`,
        stdout: stdout(),
      };
    }
    const outcome = child.exitCode === 0 ? 'ok' : 'error';
    const said = outcome === 'ok' ? '' : `: ${tail(output())}`;
    return { outcome, detail: `ended with ${endOf(child)}${said}`, stdout: stdout() };
  }

  /** Resolves when the process and everything it started are gone. */
  async end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { pid } = child;
    if (endOf(child) !== undefined || pid === undefined) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    signalTree(pid, signal);
    const killer = setTimeout(() => signalTree(pid, 'SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(killer);
    signalTree(pid, 'SIGKILL');
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => this.end(child, 'SIGKILL')));
  }

  #spawn(command: string, { cwd, env }: WorkingPlace) {
    const child = spawn(command, {
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
    child.once('close', () => this.#running.delete(child));
    child.once('error', () => this.#running.delete(child));
    return { child, stdout: () => stdout, output: () => output };
  }
}

/** Waits a moment until a stopped application no longer answers. @throws ClientUndrivable */
async function vacant(command: string, ready: string): Promise<void> {
  const until = performance.now() + STOP_MS;
  while (await answers(ready)) {
    if (performance.now() > until)
      throw new ClientUndrivable(
        `something answers at ${ready} before ${command} is started: stop it, or let the suite choose the port ({port})`,
      );
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
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

/** A server in the background starts to answer a moment after its command has ended. */
async function answersSoon(address: string): Promise<boolean> {
  const until = performance.now() + STOP_MS;
  while (performance.now() < until) {
    if (await answers(address)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

const MOST_OUTPUT = 4 * 1024 * 1024;

const SEARCHED = 256 * 1024;

/** Returns `exit code 3` or `signal SIGKILL`; undefined while the process runs. */
export function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return `signal ${signalCode}`;
  return exitCode === null ? undefined : `exit code ${exitCode}`;
}

/** Returns the last line that names an error, as most languages print it; otherwise the end of the output. */
export function tail(output: string): string {
  const plain = stripVTControlCharacters(output);
  const lines = plain.split('\n').map((line) => line.trim());
  const named = lines.findLast((line) => /^([\w.:\]['[]+ )?[\w.:]*(Error|Exception)\b.*: ?\S/.test(line));
  const last = plain.trim().replace(/\s+/g, ' ');
  const from = last.lastIndexOf(' ', last.length - 200) + 1;
  return inFull(named ?? last.slice(from), 300) || 'no output';
}

/** Cuts a text, but no word: a code or token is recognized, and masked, only as a whole. Leaves long words out. */
export function inFull(text: string, length: number): string {
  const whole = text.replaceAll(/\S{500,}/g, '…');
  const end = whole.indexOf(' ', length);
  return end < 0 ? whole : whole.slice(0, end);
}

export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  readonly kill: (pid: number, signal: NodeJS.Signals) => unknown;
  readonly run: (command: string, args: readonly string[]) => unknown;
}

const THIS_SYSTEM: ProcessSystem = {
  platform: process.platform,
  kill: process.kill,
  run: (command, args) => spawnSync(command, args, { stdio: 'ignore', windowsHide: true }),
};

/** Signals the leader of a group, and everything that it started. Windows has no groups: there it ends the whole tree. */
export function signalTree(
  pid: number,
  signal: NodeJS.Signals,
  { platform, kill, run }: ProcessSystem = THIS_SYSTEM,
): void {
  if (platform === 'win32') {
    run('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {}
}
