import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_LIMIT } from './body.ts';
import type { Faults } from './faults.ts';

/** An endpoint that clients call over and over. */
export interface Lane {
  readonly methods: readonly string[];
  /** Whether a path is the endpoint's. */
  fits(path: string): boolean;
  serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
}

/** An address that stands as it is meant: without a query, dots, or anything encoded. */
const PLAIN = /^\/[\w/-]+$/;

/**
 * Serves plain requests to busy endpoints straight from the socket. Making a `Request`, routing it and looking at its
 * `Response` costs more than all that the service does; whatever is out of the ordinary is left to that way.
 */
export class FastLane {
  readonly #lanes: readonly Lane[];
  readonly #faults: Faults;
  readonly #host: string;

  /** @param host what an ordinary `Host` header says: the address and port that the listener is bound to */
  constructor(lanes: readonly Lane[], faults: Faults, host: string) {
    this.#lanes = lanes;
    this.#faults = faults;
    this.#host = host;
  }

  /** Serves the request, or returns false and has not touched it. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { method = '', url = '', headers } = incoming;
    if (headers.host !== this.#host || !PLAIN.test(url) || this.#faults.armed().length > 0) return false;
    const lane = this.#lanes.find(({ methods, fits }) => methods.includes(method) && fits(url));
    if (lane === undefined || !isReadable(incoming)) return false;
    void lane.serve(incoming, outgoing);
    return true;
  }
}

/** Whether the body says how long it is, and is within the limit; a GET has none. */
function isReadable({ method, headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  const length = Number(headers['content-length'] ?? 0);
  return method === 'GET' ? length === 0 : length <= BODY_LIMIT;
}
