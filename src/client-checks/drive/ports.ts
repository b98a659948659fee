import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** Below are ports that well-known servers listen on. */
const FIRST = 10_240;

/** The first port that systems hand out by themselves, unless Linux says otherwise. */
const USUAL_EPHEMERAL = 49_152;

/** Ports that one run claims at a time. */
const BLOCK = 400;

const MOST_TRIES = 200;

/**
 * The ports of one run, for applications and for emulators: none is given twice, and none is of those that the system hands out by itself. An
 * application opens its port long after that was chosen, and what listens there by then would be taken for it. So a run claims a block of
 * ports by listening on the first of them: the block of another run on this machine is another one.
 */
export class Ports {
  readonly #first: number;
  readonly #blocks: number;
  readonly #claims: Server[] = [];
  #next = 0;
  #end = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ephemeral: number = firstEphemeral()) {
    // Where fewer are left below, all others do.
    const end = ephemeral - FIRST >= BLOCK * 5 ? ephemeral : 65_536;
    this.#first = FIRST;
    this.#blocks = Math.floor((end - FIRST) / BLOCK);
  }

  /** A port of loopback on which nothing listens. */
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
    // The end of the process lets it go, too.
    this.#claims.push(claim.unref());
    this.#next = first + 1;
    this.#end = first + BLOCK;
  }
}

/** The first port that the system hands out by itself. */
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
