import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Well-known servers listen on ports below this one. */
const FIRST = 10_240;

/** Systems hand out ports from here on, unless their range was configured. */
const END = 32_768;

const BLOCK = 400;

const MOST_TRIES = 200;

/**
 * Assigns the ports of one run, each once and outside the ephemeral range. An application opens its port long after the choice,
 * and another program could take it meanwhile. So each run claims a block by listening on its first port.
 */
export class Ports {
  readonly #claims: Server[] = [];
  #next = 0;
  #end = 0;
  #turn: Promise<unknown> = Promise.resolve();

  take(): Promise<number> {
    const taken = this.#turn.then(() => this.#take());
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  close(): void {
    for (const claim of this.#claims) claim.close();
  }

  async #take(): Promise<number> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (this.#next === this.#end) await this.#claim();
      else if (await isFree(this.#next++)) return this.#next - 1;
    }
    throw new Error(`no free port from ${FIRST} to ${END}`);
  }

  async #claim(): Promise<void> {
    const first = FIRST + randomInt(Math.floor((END - FIRST) / BLOCK)) * BLOCK;
    const claim = await listening(first);
    if (claim === undefined) return;
    // The claim ends with the process.
    this.#claims.push(claim.unref());
    this.#next = first + 1;
    this.#end = first + BLOCK;
  }
}

async function listening(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening(port);
  if (server === undefined) return false;
  server.close();
  await once(server, 'close');
  return true;
}
