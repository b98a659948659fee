import { stripVTControlCharacters } from 'node:util';
import { runProgram } from '../../src/cli/program.ts';
import { BROWSER_VARIABLE } from '../../src/service/agent/browser/find-browser.ts';
import type { CommandEnd } from './command.ts';
import { browserPath } from './run/browser-path.ts';

type Variables = Readonly<Record<string, string | undefined>>;

let last: Promise<unknown> = Promise.resolve();

/** Runs a command line in this process, for tests about a result. Tests about a process (signals, its end) start one. */
export function runHere(args: readonly string[], env: Variables = {}): Promise<CommandEnd> {
  // The environment and the standard output are the process's, so one command runs at a time.
  const end = last.then(() => run(args, env));
  last = end.catch(() => undefined);
  return end;
}

async function run(args: readonly string[], env: Variables): Promise<CommandEnd> {
  const found = { [BROWSER_VARIABLE]: await browserPath() };
  const before = { ...process.env };
  const { exitCode } = process;
  const stdout = collect(process.stdout);
  const stderr = collect(process.stderr);
  setEnvironment({ ...before, NO_COLOR: '1', GITHUB_STEP_SUMMARY: undefined, ...found, ...env });
  process.exitCode = undefined;
  try {
    const code = await runProgram(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = exitCode;
    setEnvironment(before);
    stdout.end();
    stderr.end();
  }
}

function setEnvironment(wanted: Variables): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
}

/** Collects what is written to a stream, instead of writing it, as where the stream is no terminal. */
function collect(stream: NodeJS.WriteStream): { readonly text: () => string; readonly end: () => void } {
  const { write, isTTY } = stream;
  let written = '';
  stream.isTTY = false;
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    written += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    done?.();
    return true;
  };
  return {
    text: () => stripVTControlCharacters(written),
    end: () => Object.assign(stream, { write, isTTY }),
  };
}
