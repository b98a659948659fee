import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan } from './load-plan.ts';
import { ask, type ServerProcess, stop } from './server-process.ts';

export const CONNECTIONS = 20;

export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./load-generator.ts', import.meta.url)));

  /** @throws Error at the first answer that is not 2xx */
  run(plan: LoadPlan): Promise<void> {
    return ask(this.#child, 'run', plan);
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}

export class Load {
  readonly #generator: LoadGenerator;
  readonly #server: ServerProcess;
  readonly #act: LoadPlan['act'];

  constructor(generator: LoadGenerator, server: ServerProcess, act: LoadPlan['act']) {
    this.#generator = generator;
    this.#server = server;
    this.#act = act;
  }

  /** Sends about this many requests with new token pairs; returns the server's CPU time per request, in microseconds. */
  async round(requests: number): Promise<number> {
    const tokens = await this.#server.tokens(CONNECTIONS);
    const each = Math.ceil(requests / CONNECTIONS);
    const before = await this.#server.usage();
    await this.#generator.run({ requests: each, tokens, act: this.#act });
    const after = await this.#server.usage();
    return (after.cpuMicroseconds - before.cpuMicroseconds) / (each * CONNECTIONS);
  }
}

export function refreshes(generator: LoadGenerator, server: ServerProcess): Load {
  const { tokenUrl: url, clientId, clientSecret } = server;
  return new Load(generator, server, { kind: 'refresh', url, clientId, clientSecret });
}
