import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NativeReport, readReport } from './native-report.ts';

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
