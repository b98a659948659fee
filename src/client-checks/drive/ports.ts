import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** Well-known servers listen on ports below this one. */
const FIRST = 10_240;

/** The first ephemeral port, unless Linux reports another. */
const USUAL_EPHEMERAL = 49_152;

const BLOCK = 400;

const MOST_TRIES = 200;

/**
 * Assigns the ports of one run, each once and outside the ephemeral range. An application opens its port long after the choice,
 * and another program could take it meanwhile. So each run claims a block by listening on its first port.
 */
export class Ports {
  readonly #first: number;
  readonly #blocks: number;
  readonly #claims: Server[] = [];
  #next = 0;
  #end = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ephemeral: number = firstEphemeral()) {
    // If few are left below the ephemeral range, any port above it may be used.
    const end = ephemeral - FIRST >= BLOCK * 5 ? ephemeral : 65_536;
    this.#first = FIRST;
    this.#blocks = Math.floor((end - FIRST) / BLOCK);
  }

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
    throw new Error(`no free port in ${this.#blocks} blocks of ${BLOCK} from ${this.#first}`);
  }

  async #claim(): Promise<void> {
    const first = this.#first + randomInt(this.#blocks) * BLOCK;
    const claim = await listening(first);
    if (claim === undefined) return;
    // The claim ends with the process.
    this.#claims.push(claim.unref());
    this.#next = first + 1;
    this.#end = first + BLOCK;
  }
}

function firstEphemeral(): number {
  try {
    const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/);
    return Number(first) || USUAL_EPHEMERAL;
  } catch {
    return USUAL_EPHEMERAL;
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
