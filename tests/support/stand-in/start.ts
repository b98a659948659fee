import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../command.ts';
import { parseReadyLine, type ReadyLine } from './ready.ts';

export { DEMANDS, type DefectId, type DemandId } from './defects.ts';
export { SELECTORS } from './pages.ts';

/** A stand-in that runs. */
export interface RunningStandIn {
  readonly ready: ReadyLine;
  /** Method and path of every request that it has received so far, on any of its ports, in order. */
  received(): Promise<readonly string[]>;
  /** Every code, token and session that it has handed out so far. */
  issued(): Promise<readonly string[]>;
  /** From soon on it takes requests and answers none. */
  fallSilent(): void;
  /** Its standard error so far. */
  stderr(): string;
  /** Ends it and waits until it is gone. Rejects when it did not end cleanly, with what it wrote to standard error. */
  stop(): Promise<void>;
}

function nodeBinary(): string {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return process.execPath;
  return fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
}

/** What the process inherits: nothing that another stand-in, or a test runner's loader, is configured by. */
function inherited(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('STAND_IN_') && name !== 'NODE_OPTIONS',
  );
  return Object.fromEntries(kept);
}

/**
 * Starts a stand-in in a process of its own and waits until it takes requests. It ends with its parent at the latest.
 *
 * @param env `STAND_IN_…` variables, as `settings.ts` describes them
 * @throws {Error} when it ended before it was ready; the message holds its exit code and standard error
 */
export async function startStandIn(env: Readonly<Record<string, string>> = {}): Promise<RunningStandIn> {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(nodeBinary(), [main], {
    env: { ...inherited(), ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;

  // Whoever waits for it gets the rejection; it may come before anybody does.
  ended.catch(() => {});

  async function firstLine(): Promise<string> {
    if (child.stdout === null) throw new Error('standard output of the stand-in was expected to be a pipe');
    for await (const line of createInterface({ input: child.stdout })) return line;
    const [code, signal] = await ended;
    throw new Error(`the stand-in ended (${signal ?? `exit code ${code}`}) before it was ready:\n${stderr}`);
  }

  async function ask(question: 'received' | 'issued'): Promise<readonly string[]> {
    const answer = once(child, 'message') as Promise<[readonly string[]]>;
    child.send(question);
    return (await answer)[0];
  }

  const ready = parseReadyLine(await firstLine());
  return {
    ready,
    received: () => ask('received'),
    issued: () => ask('issued'),
    fallSilent: () => {
      child.send('fall silent');
    },
    stderr: () => stderr,
    async stop() {
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      if (code !== 0) {
        throw new Error(`the stand-in did not end cleanly (${signal ?? `exit code ${code}`}):\n${stderr}`);
      }
    },
  };
}
