import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject, jsonObjectIn } from '../../document/input/plain-data.ts';

export interface NativeTask {
  readonly pactFile: string;
  readonly providerUrl: string;
  readonly statesUrl: string;
}

export interface NativeVerifier {
  /** @throws Error if the process does not start; nothing that a pact holds does that */
  verify(pact: unknown, providerUrl: string, statesUrl: string): Promise<NativeReport>;
  close(): Promise<void>;
}

/** The only variables that the process inherits. Proxies must not see loopback traffic, and Pact reads variables of its own. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'];

/** Longer than the verifier's own limit for a request, so only a computation without end reaches it. */
const DEADLINE_MS = 150_000;

/**
 * Starts Pact's native verifier in a process of its own. A pact on which the process ends, or is busy for too long, costs only
 * that process: the next pact gets a new one.
 */
export async function startNativeVerifier(deadlineMs = DEADLINE_MS): Promise<NativeVerifier> {
  const folder = await mkdtemp(join(tmpdir(), 'legacy-conformance-verify-'));
  const pactFile = join(folder, 'pact.json');
  // Also if the caller never closes it.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  let running = await start();
  return {
    async verify(pact, providerUrl, statesUrl) {
      if (hasEnded(running)) running = await start();
      await writeFile(pactFile, JSON.stringify(pact));
      return ask(running, { pactFile, providerUrl, statesUrl }, deadlineMs);
    },
    async close() {
      if (running.connected) running.disconnect();
      if (!hasEnded(running)) await once(running, 'exit');
      process.off('exit', remove);
      remove();
    },
  };
}

/** Starts the process, and returns it once it has loaded Pact's library. */
async function start(): Promise<ChildProcess> {
  const child = fork(
    fileURLToPath(new URL(`./native-process${extname(import.meta.url)}`, import.meta.url)),
    [],
    {
      // Its output is discarded, because it may hold tokens.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl+C must not end it during an interaction: the suite cleans up first.
      detached: true,
      execArgv: [],
      env: {
        ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
        PACT_DO_NOT_TRACK: 'true',
        NO_COLOR: '1',
      },
    },
  );
  if ((await answerOf(child)) === undefined)
    throw new Error(`Pact’s native verifier does not start: its process ended with ${child.exitCode}`);
  return child;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Returns the next message of the process; undefined if it ends first. */
function answerOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const ended = () => resolve(undefined);
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(String(answer));
    });
  });
}

async function ask(child: ChildProcess, task: NativeTask, deadlineMs: number): Promise<NativeReport> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, deadlineMs);
  child.send(task);
  const answer = await answerOf(child);
  clearTimeout(timer);
  if (answer !== undefined) return readReport(answer);
  return impossible(
    late
      ? `Pact’s verifier was still busy with the interaction after ${deadlineMs / 1000} s`
      : 'Pact’s verifier ended on the interaction',
  );
}

export interface NativeReport {
  readonly verified: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly errors: readonly string[];
  /** The reason why the verifier could do nothing with the interaction. */
  readonly impossible?: string;
}

function impossible(why: string): NativeReport {
  return { verified: false, mismatches: [], errors: [], impossible: why };
}

export interface Mismatch {
  /** `StatusMismatch`, `HeaderMismatch`, `BodyMismatch`, `BodyTypeMismatch` … */
  readonly type: string;
  readonly text: string;
  /** JSON path in a body, or header name; empty for a status. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

function readReport(text: string): NativeReport {
  const report = jsonObjectIn(text) ?? {};
  const unloadable = loadErrorIn(report);
  if (unloadable !== undefined)
    return impossible(`Pact’s verifier cannot load the interaction: ${unloadable}`);
  const [result]: unknown[] = Array.isArray(report.interactionResults) ? report.interactionResults : [];
  if (!isJsonObject(result))
    return impossible(
      'Pact’s verifier gives up on the interaction: look for a status or a generator out of range',
    );
  const mismatch = isJsonObject(result.mismatch) ? result.mismatch : {};
  const found = Array.isArray(mismatch.mismatches) ? mismatch.mismatches.filter(isJsonObject) : [];
  return {
    verified: result.result === 'OK',
    mismatches: found.map(mismatchFrom),
    errors: typeof mismatch.message === 'string' ? [plain(mismatch.message)] : [],
  };
}

function loadErrorIn({ errors }: JsonObject): string | undefined {
  const [error]: unknown[] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(error) || error.interaction !== 'Failed to load pact' || !isJsonObject(error.mismatch))
    return undefined;
  return plain(textOf(error.mismatch.message))
    .replace(/^Failed to load pact '[^']*' - /, '')
    .replace(/ Source: .*$/, '')
    .replace(/\s+/g, ' ');
}

function mismatchFrom(found: JsonObject): Mismatch {
  return {
    type: textOf(found.type),
    text: plain(textOf(found.mismatch)),
    at: textOf(found.path ?? found.key),
    expected: textOf(found.expected),
    actual: textOf(found.actual),
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
