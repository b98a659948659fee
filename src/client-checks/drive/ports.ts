import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Below are ports that well-known servers listen on. */
const FIRST = 10_240;

/** Where systems begin to hand out ports by themselves, unless Linux says otherwise. */
const USUAL_EPHEMERAL = 49_152;

/** Fewer are not worth keeping apart. */
const FEWEST = 2_000;

const MOST_TRIES = 200;

/**
 * The ports of one run, for applications and for emulators: none is given twice, and none is of those that the system hands out by itself. An
 * application opens its port long after that was chosen, and what listens there by then would be taken for it; a program that still asks for
 * a port's last owner would be taken for the client.
 */
export class Ports {
  readonly #taken = new Set<number>();
  readonly #first: number;
  readonly #end: number;

  constructor(ephemeral: number = firstEphemeral()) {
    this.#first = FIRST;
    this.#end = ephemeral - FIRST >= FEWEST ? ephemeral : 65_536;
  }

  /** A port of loopback on which nothing listens. */
  async take(): Promise<number> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const port = randomInt(this.#first, this.#end);
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      if (await isFree(port)) return port;
    }
    throw new Error(`no free port from ${this.#first} to ${this.#end - 1}`);
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

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
