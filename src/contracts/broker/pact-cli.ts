import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { accessVariables, type BrokerAccess, BrokerUsage } from './access.ts';

/** How a call of Pact's broker program ended. */
export interface CliEnd {
  /** Undefined when it was ended by a signal. */
  readonly code: number | undefined;
  /** What it printed, both streams: it reports its failures on standard output. */
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was ended because it took longer than it may. */
  readonly late: boolean;
}

/** How often the program tries a request that is not answered, or with 5xx, 408 or 429. Its own default takes a minute. */
export const TRIES = 3;

/** Milliseconds that one call may take. A broker that takes a connection and says nothing is waited for no longer. */
export const DEADLINE_MS = 60_000;

/** What the program inherits: no variable of Pact's that tells it to ask less, or to say yes to everything. */
const INHERITED = [
  'PATH',
  'HOME',
  'SystemRoot',
  'TEMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_SKIP_VERIFICATION',
  'SSL_TRUST_STORE',
];

/** How the program is run. */
export interface CliOptions {
  /** Milliseconds after which it is ended. */
  readonly deadlineMs?: number;
  /** Folder to run it in. */
  readonly cwd?: string;
}

/**
 * Runs `pact broker …` to its end. Address and credentials travel by environment.
 *
 * @throws BrokerUsage where the program is not installed
 */
export function runPactCli(
  access: BrokerAccess,
  args: readonly string[],
  { deadlineMs = DEADLINE_MS, cwd }: CliOptions = {},
): Promise<CliEnd> {
  const binary = pactBinary();
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const child = spawn(binary, ['broker', ...args, `--retries=${TRIES}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...inherited, ...accessVariables(access), PACT_DO_NOT_TRACK: 'true', NO_COLOR: '1' },
  });
  let [stdout, stderr, late] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, deadlineMs);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new BrokerUsage(`Pact's broker program cannot be started (${error.message}): run npm ci again`));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, stdout, stderr, late });
    });
  });
}

/** The program of this platform; its package knows where it is. */
function pactBinary(): string {
  const require = createRequire(import.meta.url);
  try {
    const { standalone } = require('@pact-foundation/pact-cli/src/pact-standalone.js') as {
      readonly standalone: () => { readonly pactFullPath: string };
    };
    return standalone().pactFullPath;
  } catch {
    throw new BrokerUsage(
      "Pact's broker program is not installed for this platform: run npm ci with optional dependencies",
    );
  }
}
