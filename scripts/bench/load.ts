import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { ask, type ServerProcess, stop, type TokenPair } from './server-process.ts';

/** How many connections load a server at once. */
export const CONNECTIONS = 20;

/** The process that sends the requests. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./load-generator.ts', import.meta.url)));

  /**
   * Carries a plan out.
   *
   * @throws Error at the first answer that is not 2xx
   */
  run(plan: LoadPlan): Promise<LoadResult> {
    return ask(this.#child, 'run', plan);
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}

/** A server under one kind of load. Token chains go on from round to round. */
export class Loaded {
  readonly #generator: LoadGenerator;
  readonly #server: ServerProcess;
  readonly #act: LoadPlan['act'];
  #tokens: readonly TokenPair[];

  constructor(
    generator: LoadGenerator,
    server: ServerProcess,
    act: LoadPlan['act'],
    tokens: readonly TokenPair[],
  ) {
    this.#generator = generator;
    this.#server = server;
    this.#act = act;
    this.#tokens = tokens;
  }

  /** Sends about so many requests; the server's CPU time for each, in microseconds. */
  async round(requests: number): Promise<number> {
    const each = Math.ceil(requests / this.#tokens.length);
    const before = await this.#server.usage();
    const plan: LoadPlan = { requests, tokens: this.#tokens, act: this.#act };
    const { tokens } = await this.#generator.run(plan);
    const after = await this.#server.usage();
    this.#tokens = tokens;
    return (after.cpuMicroseconds - before.cpuMicroseconds) / (each * this.#tokens.length);
  }
}

/** The load of refreshes on a server. */
export function refreshing(
  generator: LoadGenerator,
  server: ServerProcess,
  tokens: readonly TokenPair[],
): Loaded {
  const { tokenUrl: url, clientId, clientSecret } = server;
  return new Loaded(generator, server, { kind: 'refresh', url, clientId, clientSecret }, tokens);
}
