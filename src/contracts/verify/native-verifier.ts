import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject, jsonObjectIn } from '../../input/plain-data.ts';

export interface NativeTask {
  readonly pactFile: string;
  readonly providerUrl: string;
  readonly statesUrl: string;
}

export interface NativeVerifier {
  verify(pact: unknown, providerUrl: string, statesUrl: string): Promise<NativeReport>;
  close(): Promise<void>;
}

/** The only variables that the process inherits. Proxies must not see loopback traffic, and Pact reads variables of its own. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'];

export async function startNativeVerifier(): Promise<NativeVerifier> {
  const folder = await mkdtemp(join(tmpdir(), 'legacy-conformance-verify-'));
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
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const pactFile = join(folder, 'pact.json');
  // Also if the caller never closes it.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    async verify(pact, providerUrl, statesUrl) {
      await writeFile(pactFile, JSON.stringify(pact));
      return readReport(await ask(child, { pactFile, providerUrl, statesUrl }));
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
      process.off('exit', remove);
      remove();
    },
  };
}

function ask(child: ChildProcess, task: NativeTask): Promise<string> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) =>
      reject(new Error(`Pact’s native verifier ended with ${code} before it had answered`));
    if (child.exitCode !== null) return gone(child.exitCode);
    child.once('exit', gone);
    child.once('message', (answer) => {
      child.off('exit', gone);
      resolve(String(answer));
    });
    child.send(task);
  });
}

export interface NativeReport {
  readonly verified: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly errors: readonly string[];
  readonly unloadable?: string;
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

export function readReport(text: string): NativeReport {
  const report = jsonObjectIn(text) ?? {};
  const unloadable = loadErrorIn(report);
  if (unloadable !== undefined) return { verified: false, mismatches: [], errors: [], unloadable };
  const results = report.interactionResults;
  const [result, ...others]: unknown[] = Array.isArray(results) ? results : [];
  if (!isJsonObject(result) || others.length > 0) {
    throw new Error(
      `Pact’s native verifier gave no result for the interaction: ${text.slice(0, 200) || 'nothing'}`,
    );
  }
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
